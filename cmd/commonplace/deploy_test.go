package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
)

// pod is what the manifests' pods must say.
type pod struct {
	RestartPolicy                string           `yaml:"restartPolicy"`
	AutomountServiceAccountToken *bool            `yaml:"automountServiceAccountToken"`
	SecurityContext              map[string]any   `yaml:"securityContext"`
	InitContainers               []container      `yaml:"initContainers"`
	Containers                   []container      `yaml:"containers"`
	Volumes                      []map[string]any `yaml:"volumes"`
}

type container struct {
	Name            string   `yaml:"name"`
	Image           string   `yaml:"image"`
	Command         []string `yaml:"command"`
	Args            []string `yaml:"args"`
	ReadinessProbe  any      `yaml:"readinessProbe"`
	LivenessProbe   any      `yaml:"livenessProbe"`
	SecurityContext struct {
		ReadOnlyRootFilesystem   bool                `yaml:"readOnlyRootFilesystem"`
		AllowPrivilegeEscalation *bool               `yaml:"allowPrivilegeEscalation"`
		Capabilities             map[string][]string `yaml:"capabilities"`
	} `yaml:"securityContext"`
	Resources    map[string]map[string]string `yaml:"resources"`
	VolumeMounts []map[string]any             `yaml:"volumeMounts"`
}

// Job is how often a pod is tried, and the pod. The decoder inlines exported types alone.
type Job struct {
	BackoffLimit     *int `yaml:"backoffLimit"`
	PodFailurePolicy struct {
		Rules []struct {
			Action      string `yaml:"action"`
			OnExitCodes *struct {
				ContainerName string `yaml:"containerName"`
				Operator      string `yaml:"operator"`
				Values        []int  `yaml:"values"`
			} `yaml:"onExitCodes"`
		} `yaml:"rules"`
	} `yaml:"podFailurePolicy"`
	Template struct {
		Spec pod `yaml:"spec"`
	} `yaml:"template"`
}

type manifest struct {
	Kind string `yaml:"kind"`
	Spec struct {
		Job         `yaml:",inline"`
		JobTemplate struct {
			Spec Job `yaml:"spec"`
		} `yaml:"jobTemplate"`
	} `yaml:"spec"`
}

// hopeless are the exit statuses that a new try cannot mend, as docs/operation.md has them.
var hopeless = []int{2, 4, 5, 6, 8, 9, 10, 11}

// The manifests fit the program: no new try for what it cannot mend, one user, limits,
// probes and no rights that nothing needs.
func TestManifestsFitTheProgram(t *testing.T) {
	pods := 0
	for _, file := range []string{"deploy/schedule/cronjob.yaml", "deploy/flink/kubernetes.yaml"} {
		raw, err := os.ReadFile(filepath.Join(checkout, file))
		if err != nil {
			t.Fatal(err)
		}
		users := map[string]bool{}
		d := yaml.NewDecoder(bytes.NewReader(raw))
		for {
			var m manifest
			err := d.Decode(&m)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			of, where := m.Spec.Job, file+" "+m.Kind
			switch m.Kind {
			case "CronJob":
				of = m.Spec.JobTemplate.Spec
				fallthrough
			case "Job":
				checkJob(t, where, of)
			case "Deployment":
				for _, c := range of.Template.Spec.Containers {
					if c.ReadinessProbe == nil || c.LivenessProbe == nil {
						t.Errorf("%s: %s has no probe", where, c.Name)
					}
				}
			default:
				continue
			}
			pods++
			checkPod(t, where, of.Template.Spec)
			users[fmt.Sprint(of.Template.Spec.SecurityContext["runAsUser"], of.Template.Spec.SecurityContext["fsGroup"])] = true
		}
		if len(users) != 1 {
			t.Errorf("%s: pods that share a folder run as %v", file, users)
		}
	}
	if pods != 4 {
		t.Errorf("%d pods were looked at, want 4", pods)
	}
}

func checkJob(t *testing.T, where string, j Job) {
	t.Helper()
	rules := j.PodFailurePolicy.Rules
	if j.BackoffLimit == nil || len(rules) == 0 || rules[0].OnExitCodes == nil || j.Template.Spec.RestartPolicy != "Never" {
		t.Fatalf("%s: a backoff limit, a policy by exit status and restartPolicy Never belong together", where)
	}
	codes := rules[0].OnExitCodes
	if rules[0].Action != "FailJob" || codes.Operator != "In" || !slices.Equal(codes.Values, hopeless) || codes.ContainerName != j.Template.Spec.Containers[0].Name {
		t.Errorf("%s: the first rule is %+v, want FailJob of %v", where, rules[0], hopeless)
	}
	for _, status := range codes.Values {
		if !strings.Contains(exitStatuses, fmt.Sprintf("\n  %-4d ", status)) {
			t.Errorf("%s: the program has no exit status %d", where, status)
		}
	}
}

func checkPod(t *testing.T, where string, p pod) {
	t.Helper()
	if p.SecurityContext["runAsNonRoot"] != true || p.SecurityContext["seccompProfile"] == nil || p.AutomountServiceAccountToken == nil || *p.AutomountServiceAccountToken {
		t.Errorf("%s: the pod has more rights than it needs", where)
	}
	volumes := map[any]bool{}
	for _, v := range p.Volumes {
		volumes[v["name"]] = true
	}
	for _, c := range slices.Concat(p.InitContainers, p.Containers) {
		s := c.SecurityContext
		if s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation || !slices.Equal(s.Capabilities["drop"], []string{"ALL"}) {
			t.Errorf("%s: %s has more rights than it needs", where, c.Name)
		}
		if c.Resources["requests"]["memory"] == "" || c.Resources["limits"]["memory"] == "" || c.Resources["limits"]["ephemeral-storage"] == "" {
			t.Errorf("%s: %s has no limits", where, c.Name)
		}
		if _, tag, tagged := strings.Cut(c.Image, ":"); !tagged || tag == "latest" {
			t.Errorf("%s: %s has the image %s, which names no version", where, c.Name, c.Image)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m["name"]] {
				t.Errorf("%s: %s mounts %v, which the pod has not", where, c.Name, m["name"])
			}
		}
	}
}

// deployed is a file of deploy/schedule.
func deployed(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(checkout, "deploy/schedule", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The config beside them fits both: the books are where the pod mounts them, and all that a
// build writes is in the one folder that the pod and the unit's user may write to. Neither
// may write beside the config.
func TestScheduledConfigFitsTheMounts(t *testing.T) {
	var c struct {
		Out     string
		Sources []struct{ Files []string }
		Align   struct{ Counts string }
	}
	var m manifest
	if err := errors.Join(yaml.Unmarshal([]byte(deployed(t, "library.yaml")), &c), yaml.Unmarshal([]byte(deployed(t, "cronjob.yaml")), &m)); err != nil {
		t.Fatal(err)
	}
	folders := map[any]string{}
	for _, mount := range m.Spec.JobTemplate.Spec.Template.Spec.Containers[0].VolumeMounts {
		folders[mount["name"]] = mount["mountPath"].(string)
		if (mount["readOnly"] == true) != (mount["name"] == "config" || mount["name"] == "library") {
			t.Errorf("%v", mount)
		}
	}
	for _, written := range []string{c.Out, c.Align.Counts} {
		if !strings.HasPrefix(written, folders["tables"]+"/") {
			t.Errorf("a build writes %q, which is not below %q", written, folders["tables"])
		}
	}
	if c.Sources[0].Files[0] != folders["library"] {
		t.Errorf("the books are in %q, not in %q", c.Sources[0].Files[0], folders["library"])
	}
	if _, state, _ := strings.Cut(deployed(t, "commonplace.service"), "\nStateDirectory="); "/var/lib/"+strings.Split(state, "\n")[0] != folders["tables"] {
		t.Errorf("the unit's folder is not %q", folders["tables"])
	}
}

// The unit writes to the folders that its commands name, and to no others. Other users of the
// machine cannot read its tables.
func TestServiceIsConfined(t *testing.T) {
	unit := map[string]string{}
	for line := range strings.Lines(deployed(t, "commonplace.service")) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		unit[key] = value
	}
	for key, want := range map[string]string{
		"ProtectSystem": "strict", "ProtectHome": "read-only", "PrivateTmp": "yes", "NoNewPrivileges": "yes",
		"UMask": "0027", "StateDirectoryMode": "0750", "CapabilityBoundingSet": "",
	} {
		if got, there := unit[key]; !there || got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	_, metrics, _ := strings.Cut(unit["ExecStopPost"], " --prometheus ")
	if unit["ReadWritePaths"] != "-"+filepath.Dir(metrics) {
		t.Errorf("the metrics are in %s, and the unit writes to %s", metrics, unit["ReadWritePaths"])
	}
	if unit["Environment"] != "XDG_CACHE_HOME=%C" || unit["CacheDirectory"] != "commonplace" {
		t.Errorf("models are kept in %s, and the unit writes to %s", unit["Environment"], unit["CacheDirectory"])
	}
}

// systemd's policy is the same.
func TestServiceFitsTheProgram(t *testing.T) {
	want := "RestartPreventExitStatus=" + strings.Trim(fmt.Sprint(hopeless), "[]") + "\n"
	if !strings.Contains(deployed(t, "commonplace.service"), want) {
		t.Errorf("the service has no line %s", want)
	}
}

// The service's journal has a limit. Cron's logs go after 90 days, and no line is lost of one
// that a build still writes, however long it works.
func TestLogsAreLimited(t *testing.T) {
	_, namespace, _ := strings.Cut(deployed(t, "commonplace.service"), "\nLogNamespace=")
	namespace, _, _ = strings.Cut(namespace, "\n")
	if !strings.Contains(deployed(t, "journald@"+namespace+".conf"), "\nSystemMaxUse=") {
		t.Errorf("the journal %q has no limit", namespace)
	}

	_, command, found := strings.Cut(deployed(t, "commonplace.cron"), "  commonplace  ")
	if !found {
		t.Fatal("cron's file has no line for the user commonplace")
	}
	logs := t.TempDir()
	program := filepath.Join(t.TempDir(), "commonplace")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho $1\necho broken >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	long, err := os.Create(filepath.Join(logs, "build-2026-01-01.log")) // of a build that began then
	if err != nil {
		t.Fatal(err)
	}
	defer long.Close()
	fmt.Fprintln(long, "begun")
	past := time.Now().Add(-100 * 24 * time.Hour)
	for _, name := range []string{"build-2026-01-02.log", "notes"} {
		path := filepath.Join(logs, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o644), os.Chtimes(path, past, past)); err != nil {
			t.Fatal(err)
		}
	}
	command = strings.NewReplacer(`\%`, "%", "/var/log/commonplace", logs, "/usr/local/bin/commonplace", program).Replace(command)
	for range 2 {
		output, err := exec.Command("sh", "-c", command).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(output), "commonplace: status 3, see "+logs+"/build-") {
			t.Errorf("cron mails %q (%v)", output, err)
		}
	}
	fmt.Fprintln(long, "still at work")
	entries, err := filepath.Glob(filepath.Join(logs, "*"))
	if err != nil || len(entries) != 3 || filepath.Base(entries[0]) != "build-2026-01-01.log" || filepath.Base(entries[2]) != "notes" {
		t.Fatalf("the logs are %v (%v)", entries, err)
	}
	for path, want := range map[string]string{entries[0]: "begun\nstill at work\n", entries[1]: strings.Repeat("build\nbroken\n", 2)} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s has %q (%v)", path, text, err)
		}
	}
}

// A jar that jars.sha256 does not name would be on Flink's class path, and in its image.
func TestNoOtherJars(t *testing.T) {
	folder := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(folder, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	sums := ""
	for _, name := range []string{"flink/b.jar", "beam/a-1.jar"} {
		write("jars/"+name, name)
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(name)), name)
	}
	write("jars.sha256", sums)
	checked := func() bool {
		script := `source "$0" && here=$1 jars=$1/jars && checked`
		return exec.Command("bash", "-c", script, filepath.Join(checkout, "deploy/flink/settings.sh"), folder).Run() == nil
	}
	if !checked() {
		t.Error("the jars are not taken")
	}
	write("jars/beam/a-2.jar", "another")
	if checked() {
		t.Error("a jar that nothing names is taken")
	}
}

// Of a class that is not Beam's as it is known, no jar is left: one that is empty would be passed over.
func TestNoJarOfAnotherBeam(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not here")
	}
	jars, jar := t.TempDir(), filepath.Join(t.TempDir(), "loopback.jar")
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	class, err := z.Create("org/apache/beam/sdk/fn/server/ServerFactory$InetSocketAddressServerFactory.class")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := class.Write([]byte{0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 1}); err != nil { // no constants
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(jars, "beam-sdks-java-core-2.62.0.jar"), packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(checkout, "deploy/flink/loopback"), jars, jar).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "does not call getPort") {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(jar); !os.IsNotExist(err) {
		t.Errorf("a jar is left: %v", err)
	}
}

// Beam's class that opens ports on all interfaces is replaced by one that opens them on this
// machine alone. CI looks at the ports themselves (.ci/flink).
func TestBeamOpensPortsHereAlone(t *testing.T) {
	jars := filepath.Join(cmp.Or(os.Getenv("FLINK_FOLDER"), filepath.Join(checkout, ".flink")), "gradle/wrapper/beam")
	if _, err := os.Stat(jars); err != nil {
		t.Skip("Beam's jars are not here: make flink-up fetches them")
	}
	jar := filepath.Join(t.TempDir(), "loopback.jar")
	if out, err := exec.Command(filepath.Join(checkout, "deploy/flink/loopback"), jars, jar).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	z, err := zip.OpenReader(jar)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	f, err := z.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	class, err := io.ReadAll(f)
	if err != nil || !bytes.Contains(class, []byte("forAddress")) {
		t.Errorf("%s does not call forAddress: %v", z.File[0].Name, err)
	}
}
