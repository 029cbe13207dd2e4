package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/commonplace/commonplace"
)

// image is an image whose files lie in a folder.
type image struct {
	root string

	Env        []string
	Entrypoint []string
	WorkingDir string
}

// imageNamed is one that .ci/image built.
func imageNamed(t *testing.T, name string) (i image) {
	t.Helper()
	folder := os.Getenv("COMMONPLACE_IMAGES")
	if folder == "" {
		t.Skip("no image is here: .ci/image builds them")
	}
	raw, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("the image %s was not built", name)
	}
	var inspected struct{ OCIv1 struct{ Config *image } }
	inspected.OCIv1.Config = &i
	if err == nil {
		err = json.Unmarshal(raw, &inspected)
	}
	if err == nil {
		i.root, err = filepath.EvalSymlinks(filepath.Join(folder, name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// mount is a folder of this machine in an image. No folder is a temporary one in memory.
type mount struct {
	folder, at string
	readOnly   bool
}

// inside starts a program in an image as a container is started: with namespaces and no
// network, a root that cannot be written, one user, no capability and no way to get one.
// $1 is the image's root, $2 the user and the group, $3 the working folder; then come the
// mounts, up to --, and the command.
const inside = `set -e
root=$1 user=$2 dir=$3
shift 3
mount --bind "$root" "$root"
mount -t proc none "$root/proc"
mount -t tmpfs -o mode=755 none "$root/dev"
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/urandom" c 1 9
while [ "$1" != -- ]; do
	case $1 in
	'') mount -t tmpfs -o mode=1777 none "$root$2" ;;
	*) mount --bind "$1" "$root$2" && if [ "$3" = true ]; then mount -o remount,bind,ro "$root$2"; fi ;;
	esac
	shift 3
done
shift
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs --bounding-set -all,+sys_chroot,+setuid,+setgid \
	chroot --userspec "$user" --groups "${user#*:}" "$root" env -C "$dir" "$@"`

// run starts a command in an image and gives what it says and its exit status.
func (i image) run(t *testing.T, user string, mounts []mount, command ...string) (output string, status int) {
	t.Helper()
	args := []string{"--mount", "--pid", "--net", "--fork", "--propagation", "private", "sh", "-c", inside, "sh", i.root, user, i.WorkingDir + "/"}
	for _, m := range mounts {
		if err := os.MkdirAll(filepath.Join(i.root, m.at), 0o755); err != nil { // as a container's runtime does
			t.Fatal(err)
		}
		args = append(args, m.folder, m.at, fmt.Sprint(m.readOnly))
	}
	c := exec.CommandContext(t.Context(), "unshare", append(append(args, "--"), command...)...)
	c.Env = i.Env
	said, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return string(said), c.ProcessState.ExitCode()
}

// The image for people, started as deploy/schedule/cronjob.yaml starts it, builds a
// library, continues it the night after, and refuses what the manifest says is hopeless.
func TestImageOfTheCronJob(t *testing.T) {
	i := imageNamed(t, "commonplace")
	raw, err := os.ReadFile(filepath.Join(checkout, "deploy/schedule/cronjob.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var m manifest
	if err := yaml.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	p := m.Spec.JobTemplate.Spec.Template.Spec
	c := p.Containers[0]
	if c.Image != "commonplace:"+commonplace.Version || !c.SecurityContext.ReadOnlyRootFilesystem {
		t.Errorf("the manifest has the image %s, and its root can be written: %v", c.Image, !c.SecurityContext.ReadOnlyRootFilesystem)
	}
	config, tables := t.TempDir(), t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(config, "library.yaml"), []byte(deployed(t, "library.yaml")), 0o644),
		os.WriteFile(filepath.Join(config, "quotes.txt"), []byte("If there is no day there is no debt\n"), 0o644),
		os.Chmod(config, 0o755), os.Chmod(filepath.Dir(tables), 0o755), os.Chmod(tables, 0o2775),
		os.Chown(tables, 0, int(p.SecurityContext["fsGroup"].(uint64))), // as Kubernetes does
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	books, err := filepath.Abs(filepath.Join(checkout, "testdata/demo/books"))
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"config": config, "library": books, "tables": tables, "temporary": ""}
	var mounts []mount
	for _, v := range c.VolumeMounts {
		folder, known := folders[v["name"].(string)]
		if !known {
			t.Fatalf("the test knows no volume %v", v["name"])
		}
		mounts = append(mounts, mount{folder, v["mountPath"].(string), v["readOnly"] == true})
	}
	user := fmt.Sprintf("%v:%v", p.SecurityContext["runAsUser"], p.SecurityContext["runAsGroup"])
	command := append(append(append([]string{}, i.Entrypoint...), c.Command...), c.Args...)

	output, status := i.run(t, user, mounts, command...)
	if status != 0 || !strings.Contains(output, `"stage":"rank"`) {
		t.Fatalf("the build ends with %d and says:\n%s", status, output)
	}
	out := filepath.Join(tables, "library")
	run(t, nil, ".", 0, "verify", "--out", out)
	made := filesOf(t, out)
	if len(made) < 100 {
		t.Errorf("there are %d files", len(made))
	}
	if output, status := i.run(t, user, mounts, command...); status != 0 {
		t.Errorf("the night after it ends with %d and says:\n%s", status, output)
	}
	if d := len(filesOf(t, out)) - len(made); d != 0 {
		t.Errorf("the night after there are %d files more", d)
	}
	if output, status := i.run(t, user, mounts, append(i.Entrypoint, "build", "/config/absent.yaml")...); status != 2 {
		t.Errorf("without its config it ends with %d and says:\n%s", status, output)
	}
	if output, status := i.run(t, user, mounts, "sh", "-c", "id -u && ! touch /commonplace/here && ! touch /config/here && ! touch /library/here && touch /tmp/here /var/lib/commonplace/here && grep CapBnd: /proc/self/status"); status != 0 || !strings.HasPrefix(output, "10001\n") {
		t.Errorf("the container is not as the manifest says: %d\n%s", status, output)
	}
}

// The images of Flink's and Dataflow's workers have a library that the program loads.
func TestImagesOfWorkers(t *testing.T) {
	for name, program := range map[string]string{"worker": "/staged/commonplace", "commonplace-flink": "commonplace", "gpu-worker": "/staged/commonplace", "gpu-people": "/commonplace/bin/commonplace"} {
		t.Run(name, func(t *testing.T) {
			i := imageNamed(t, name)
			bin, err := filepath.Abs(filepath.Join(checkout, "bin"))
			if err != nil {
				t.Fatal(err)
			}
			mounts := []mount{{bin, "/staged", true}, {"", "/tmp", false}}
			library := "/opt/commonplace/lib/onnxruntime/"
			if strings.HasPrefix(name, "gpu") {
				library = "/commonplace/lib/onnxruntime-gpu/"
			}
			if output, _ := i.run(t, "9999:9999", mounts, program, "doctor"); !strings.Contains(output, "ok  library      "+library) {
				t.Errorf("doctor says:\n%s", output)
			}
			if name != "commonplace-flink" {
				return
			}
			if output, _ := i.run(t, "9999:9999", mounts, "sh", "-c", "cat /opt/flink/lib/beam-runners-flink-*.jar | wc -c"); len(output) < 6 {
				t.Errorf("Flink has not Beam's runner: %s", output)
			}
		})
	}
}
