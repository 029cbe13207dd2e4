package pipelines

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/table"
)

// A run takes orders from nobody: it opens no port and no socket, so that another
// user of the machine, or another machine, has nothing to send a job to.
func TestARunListensNowhere(t *testing.T) {
	c := pipelinetest.Demo(t)
	around := whileWorking(func() {
		if open := listening(); len(open) > 0 {
			t.Errorf("while a stage works, the process listens at %v", open)
		}
	})
	if err := Build(t.Context(), engine.Request{Config: c, Around: around}); err != nil {
		t.Fatal(err)
	}
	if open := listening(); len(open) > 0 {
		t.Errorf("after a run the process listens at %v", open)
	}
}

// The same from outside: somebody else on the machine, and a neighbour in the
// network. A socket that the run's process opens for the test is what they reach.
func TestNobodyReachesARun(t *testing.T) {
	skip := t.Skip
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci && os.Getuid() == 0 {
		skip = t.Fatal // root can have what is missing, and CI vouches for this test
	}
	if _, err := infer.Library(); err != nil {
		skip(err)
	}
	if _, err := exec.LookPath("ip"); err != nil || os.Getuid() != 0 {
		skip("needs root and ip, to make networks and to be somebody else")
	}
	if err := exec.Command("unshare", "-n", "true").Run(); err != nil {
		skip("no network can be made here: ", err)
	}
	network := as("network")
	network.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	network.Env = append(network.Env, "OUT="+filepath.Join(t.TempDir(), "tables"))
	output, err := network.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if got, want := string(output), "another user reached 1 of 1\nanother network reached 1 of 1\n"; got != want {
		t.Errorf("beside the test's own socket, more is open:\n%s", got)
	}
}

// CI does not pass where that test cannot run, if it is root there. Elsewhere the test says
// why it is skipped.
func TestCIReachesARun(t *testing.T) {
	for _, c := range []struct {
		ci    string
		fails bool
		skips bool
	}{{"true", os.Getuid() == 0, os.Getuid() != 0}, {"1", os.Getuid() == 0, os.Getuid() != 0}, {"", false, true}, {"false", false, true}} {
		again := exec.Command("/proc/self/exe", "-test.run", "^TestNobodyReachesARun$", "-test.v")
		again.Env = append(os.Environ(), "CI="+c.ci, "PATH=/nowhere") // so that there is no ip
		output, err := again.CombinedOutput()
		if said := strings.Contains(string(output), "--- SKIP: TestNobodyReachesARun"); c.fails != (err != nil) || c.skips != said {
			t.Errorf("CI=%q: %v\n%s", c.ci, err, output)
		}
	}
}

// roles are what this test's binary does when it is started again as somebody else.
var roles = map[string]func(){
	// network is the neighbour: it has a network of its own, and a line to the run's.
	"network": func() {
		run := as("run")
		run.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
		in, err := run.StdinPipe()
		orExit(err)
		out, err := run.StdoutPipe()
		orExit(err)
		orExit(run.Start())
		ip("link add here0 type veth peer name there0 netns " + strconv.Itoa(run.Process.Pid))
		ip("addr add 10.9.0.1/24 dev here0")
		ip("link set here0 up")
		fmt.Fprintln(in, "the line is there")
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			ports, working := strings.CutPrefix(lines.Text(), "working ")
			if !working {
				fmt.Println(lines.Text())
				continue
			}
			fmt.Println("another network", reached("10.9.0.2", strings.Fields(ports)))
			orExit(in.Close())
		}
		orExit(run.Wait())
	},
	// run builds the demonstration, and waits in the middle of it.
	"run": func() {
		_, err := bufio.NewReader(os.Stdin).ReadString('\n')
		orExit(err)
		ip("link set lo up")
		ip("addr add 10.9.0.2/24 dev there0")
		ip("link set there0 up")
		door, err := net.Listen("tcp", ":0") // so that somebody who can reach anything does
		orExit(err)
		defer door.Close()
		c, err := config.Load(context.Background(), "../configs/demo.yaml")
		orExit(err)
		c.Out = os.Getenv("OUT")
		around := whileWorking(func() {
			var ports []string
			for _, open := range listening() {
				ports = append(ports, open[strings.LastIndex(open, ":")+1:])
			}
			other := as("other user", ports...)
			other.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			output, err := other.Output()
			orExit(err)
			fmt.Print(string(output))
			fmt.Println("working", strings.Join(ports, " "))
			_, err = io.Copy(io.Discard, os.Stdin)
			orExit(err)
		})
		orExit(Build(context.Background(), engine.Request{Config: c, Around: around}))
	},
	"other user": func() {
		if os.Getuid() == 0 {
			orExit(fmt.Errorf("still root"))
		}
		fmt.Println("another user", reached("127.0.0.1", os.Args[1:]))
	},
}

const roleVariable = "COMMONPLACE_TEST_ROLE"

func TestMain(m *testing.M) {
	if play := roles[os.Getenv(roleVariable)]; play != nil {
		play()
		return
	}
	m.Run()
}

// as starts this program in a role.
func as(role string, args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...) // by this name for who may not enter its folder
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

func ip(args string) {
	cmd := exec.Command("ip", strings.Fields(args)...)
	cmd.Stderr = os.Stderr
	orExit(cmd.Run())
}

func orExit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func reached(host string, ports []string) string {
	n := 0
	for _, p := range ports {
		if c, err := net.DialTimeout("tcp", net.JoinHostPort(host, p), 10*time.Second); err == nil {
			c.Close()
			n++
		}
	}
	return fmt.Sprintf("reached %d of %d", n, len(ports))
}

// whileWorking does something in the middle of the stage segment's first task.
func whileWorking(do func()) func(context.Context, engine.Task, engine.MakeFunc) (table.TaskRecord, error) {
	var once sync.Once
	return func(ctx context.Context, task engine.Task, work engine.MakeFunc) (table.TaskRecord, error) {
		if task.Stage == "segment" {
			once.Do(do)
		}
		return work(ctx, task)
	}
}

// listening are the addresses at which this process takes connections or packets.
func listening() []string {
	inodes := map[string]bool{}
	descriptors, err := os.ReadDir("/proc/self/fd")
	orExit(err)
	for _, d := range descriptors {
		if to, err := os.Readlink("/proc/self/fd/" + d.Name()); err == nil && strings.HasPrefix(to, "socket:[") {
			inodes[strings.Trim(to, "socket:[]")] = true
		}
	}
	var open []string
	for _, kind := range []string{"tcp", "tcp6", "udp", "udp6", "unix"} {
		all, err := os.ReadFile("/proc/self/net/" + kind)
		if err != nil { // a machine without IPv6
			continue
		}
		for i, line := range bytes.Split(all, []byte("\n")) {
			f := strings.Fields(string(line))
			if i == 0 || len(f) < 7 {
				continue
			}
			if kind == "unix" {
				const accepts = 0x10000
				if flags, _ := strconv.ParseInt(f[3], 16, 64); inodes[f[6]] && flags&accepts != 0 {
					open = append(open, "unix "+strings.Join(f[7:], ""))
				}
				continue
			}
			const listens, unconnected = "0A", "07" // of TCP, of UDP
			if inodes[f[9]] && (f[3] == listens || f[3] == unconnected && strings.HasPrefix(kind, "udp")) {
				host, port, _ := strings.Cut(f[1], ":")
				n, err := strconv.ParseUint(port, 16, 16)
				orExit(err)
				address, _ := hex.DecodeString(host)
				slices.Reverse(address) // of IPv6 only in fours, but what matters is whether it is zero
				open = append(open, fmt.Sprintf("%s %s:%d", kind, net.IP(address), n))
			}
		}
	}
	return open
}
