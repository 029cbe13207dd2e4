# What up, down and the test share. Every value can be set from outside.
# shellcheck shell=bash

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$checkout/deploy/flink
home=${FLINK_FOLDER:-$checkout/.flink} # everything is in it: jars, logs, temporary files
# Beam sends its own class path, 260 MB, to the cluster with every job, except
# what lies under a folder of this name. The cluster has it already.
jars=$home/gradle/wrapper
run=$home/run

rest_port=${FLINK_PORT:-8081}        # what --flink-master names
job_port=${JOB_SERVER_PORT:-8099}    # what --job-server names
rpc_port=${FLINK_RPC_PORT:-6123}     # job manager to task managers
task_managers=${TASK_MANAGERS:-2}
slots=${SLOTS:-2}                    # of each task manager

# checked: the jars are those that jars.sha256 names, and no others: all that lie there are
# on the class path.
checked() (
	cd "$jars" 2>/dev/null &&
		sha256sum --check --strict --status "$here/jars.sha256" 2>/dev/null &&
		cmp --silent <(cut -c67- "$here/jars.sha256" | sort) <(find . ! -type d | cut -c3- | sort)
)

# alive NAME: its process runs. The number alone could be another program's by now.
alive() {
	local pid
	pid=$(cat "$run/$1.pid" 2>/dev/null) && [ -d "/proc/$pid" ] &&
		tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "commonplace.daemon=$home/$1 "
}

# stop NAME: end it and all that it started, workers included.
stop() {
	local pid
	if alive "$1"; then
		pid=$(cat "$run/$1.pid")
		kill -- "-$pid" 2>/dev/null || true
		for _ in $(seq 50); do
			alive "$1" || break
			sleep 0.1
		done
		kill -9 -- "-$pid" 2>/dev/null || true
	fi
	rm -f "$run/$1.pid"
}
