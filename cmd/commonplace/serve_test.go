package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestServe reads a run's page of text reuse and its parts as a browser does. Ctrl-C ends
// the command with status 0, and nothing is left or changed.
func TestServe(t *testing.T) {
	root := t.TempDir()
	shared := "The keeper of the lighthouse wrote every evening what the weather had been, which ships had passed, and whether their lanterns burned, although no magistrate had ever asked him for his notes. "
	files := map[string]string{
		"books/a.txt": "In the first volume nothing happens for a long time. " + shared + "Then the rain began.",
		"books/b.txt": "Another hand continued the chronicle of the coast. " + shared + "Nobody answered.",
		"run.yaml":    "out: out\nshards: 2\nsources: [{name: books, files: [books], role: both}]\n",
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	in := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), "commonplace", args...)
		c.Dir = root
		c.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
		return c
	}
	if said, err := in("build", "run.yaml").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	before := treeOf(t, filepath.Join(root, "out"))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "run.yaml"}, "who has whose words"},
		{[]string{"serve", "out", "--without-text"}, "who has whose words"},
		{[]string{"serve", "out", "--lines"}, "lines worth quoting"},
	} {
		program := in(c.args...)
		var said bytes.Buffer
		program.Stderr = &said
		out, err := program.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		address := strings.TrimSpace(line)
		if err != nil || !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/[A-Z2-7]{26,}/$`).MatchString(address) {
			t.Fatalf("%q, %v\n%s", line, err, &said)
		}
		page := get(t, address, 200)
		if !strings.Contains(page, c.want) {
			t.Errorf("%s: the page has no %q", c.args, c.want)
		}
		if part := regexp.MustCompile(`"parts":\["([^"]+)"`).FindStringSubmatch(page); part != nil {
			open := !slices.Contains(c.args, "--without-text") // nothing is known of the rights
			if strings.Contains(get(t, address+part[1], 200), "The keeper of the lighthouse") != open {
				t.Errorf("%s: the part has no match, or has words of it", c.args)
			}
			for _, id := range []string{"a", "b", "nobody"} {
				at := address + "text?piece=0&id=" + id
				if text, there := files["books/"+id+".txt"]; !there || !open {
					get(t, at, 404)
				} else if got := get(t, at, 200); !strings.Contains(got, text) || !strings.Contains(page, `"texts":"text"`) {
					t.Errorf("the text is %q", got)
				}
			}
		} else if !strings.Contains(c.want, "lines") {
			t.Errorf("%s: the page has no parts", c.args)
		}
		get(t, address[:len(address)-5]+"/", 404)
		if left, err := os.ReadDir(tempOf(program)); err != nil || len(left) > 0 {
			t.Errorf("temporary files that others see: %v, %v", left, err)
		}
		if err := program.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- program.Wait() }()
		select {
		case err := <-ended:
			if err != nil || said.Len() > 0 {
				t.Errorf("%s: %v, and it says %q", c.args, err, &said)
			}
		case <-time.After(30 * time.Second):
			program.Process.Kill()
			t.Fatalf("%s: it goes on", c.args)
		}
	}
	if after := treeOf(t, filepath.Join(root, "out")); after != before {
		t.Errorf("the run's folder changed from\n%s\nto\n%s", before, after)
	}
	for _, c := range [][]string{{"serve", "run.yaml", "--port", "65536"}, {"serve"}, {"serve", "nowhere"}, {"serve", "out", "--lines", "--without-text"}, {"report", "out", "--texts"}, {"report", "out", "--without-text"}} {
		program := in(c...)
		if said, err := program.CombinedOutput(); program.ProcessState.ExitCode() != 2 {
			t.Errorf("%s: %v\n%s", c, err, said)
		}
	}
}

// get is what a server answers, with the status that it must have.
func get(t *testing.T, address string, status int) string {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status {
		t.Errorf("%s: %s, %v", address, answer.Status, err)
	}
	return string(body)
}

// tempOf is the folder for temporary files that a program was given.
func tempOf(c *exec.Cmd) string {
	return strings.TrimPrefix(c.Env[len(c.Env)-1], "TMPDIR=")
}

// treeOf names the files of a folder with their times.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			b.WriteString(path + " " + info.ModTime().String() + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
