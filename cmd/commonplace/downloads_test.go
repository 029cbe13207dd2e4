package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// scripts are the files of the checkout that fetch something, or might.
func scripts(t *testing.T) (paths []string) {
	t.Helper()
	for _, pattern := range []string{"Makefile", ".ci/*", "bench/*.sh", "models/*.sh", "deploy/*/*", "Dockerfile"} {
		found, err := filepath.Glob(filepath.Join(checkout, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(found), err)
		}
		for _, path := range found {
			switch filepath.Ext(path) {
			case ".md", ".json", ".yaml", ".xml", ".txt", ".sha256":
			default:
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// downloads are the commands that fetch, with what a line must have so that others than the
// expected bytes are refused.
var downloads = []struct{ command, checked *regexp.Regexp }{
	{regexp.MustCompile(`pip3?"?( --?\S+( [^-\s]\S*)?)* (install|download|wheel) `), regexp.MustCompile(`--require-hashes|--no-index `)},
	{regexp.MustCompile(`-m build `), regexp.MustCompile(`--no-isolation`)},
	{regexp.MustCompile(`\b(curl|wget) `), regexp.MustCompile(`sha256sum --check`)},
	{regexp.MustCompile(`^FROM |--from=\S+[/.:]|^ADD .*://`), regexp.MustCompile(`@sha256:|^FROM runtime `)},
	{regexp.MustCompile(`\bgo (run|install) \S+@|\bgit clone |\b(npm|npx|cargo|gem|uv|pipx) |\bmvn .*-f |\bdebootstrap .*-`), regexp.MustCompile(`--force-check-gpg`)},
}

// aptGet is a command of Debian, which checks signatures.
var aptGet = regexp.MustCompile(`\bapt-get [^&;|]*`)

// notByHash are downloads that something else checks, or nothing.
var notByHash = map[string]string{
	"models/fetch-onnxruntime.sh: again python3 -m pip":            "the library in the package is compared with its SHA-256",
	"deploy/flink/up: again mvn ":                                  "the jars are compared with jars.sha256; Maven's own plugins are not",
	"Makefile: go run golang.org/x/vuln/cmd/govulncheck@":          "Go compares it with its checksum database",
	"Dockerfile: FROM golang:1.26-bookworm AS build":               "a tag: gets Go's and Debian's security fixes",
	"Dockerfile: FROM debian:bookworm-slim":                        "a tag: gets Debian's security fixes",
	"deploy/dataflow/Dockerfile: FROM apache/beam_go_sdk:2.77.0":   "a tag",
	"deploy/flink/Dockerfile: FROM flink:1.19.3-java17":            "a tag",
	"deploy/gpu/Dockerfile: FROM nvidia/cuda:13.0.1-cudnn":         "a tag",
	"deploy/gpu/Dockerfile: COPY --from=apache/beam_go_sdk:2.77.0": "a tag",
}

// What scripts and images fetch is compared with hashes. SECURITY.md lists what is not.
func TestDownloadsHaveHashes(t *testing.T) {
	known := map[string]bool{}
	checked := 0
	for _, path := range scripts(t) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(checkout, path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strings.ReplaceAll(string(raw), "\\\n", "")) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "command -v") {
				continue
			}
			code, _, _ := strings.Cut(line, " # ")
			code = aptGet.ReplaceAllString(code, "")
			for _, d := range downloads {
				if !d.command.MatchString(code) {
					continue
				}
				if d.checked.MatchString(code) {
					checked++
					continue
				}
				by := ""
				for exception := range notByHash {
					if strings.HasPrefix(name+": "+line, exception) {
						by = exception
					}
				}
				if known[by] = true; by == "" {
					t.Errorf("%s fetches without hashes: %s", name, line)
				}
			}
		}
	}
	for exception := range notByHash {
		if !known[exception] {
			t.Errorf("nothing is fetched by %s", exception)
		}
	}
	if checked < 8 {
		t.Errorf("%d downloads are compared with hashes", checked)
	}
}

// A list of packages with hashes has the versions that the requirements beside it name.
func TestLocksAreOfTheirRequirements(t *testing.T) {
	var locks []string
	for _, folder := range []string{"bench", "models/shipped", "python"} {
		found, err := filepath.Glob(filepath.Join(checkout, folder, "*.lock"))
		if err != nil {
			t.Fatal(err)
		}
		locks = append(locks, found...)
	}
	if len(locks) != 8 {
		t.Errorf("%d lists: %q", len(locks), locks)
	}
	for _, lock := range locks {
		raw, err := os.ReadFile(lock)
		if err != nil {
			t.Fatal(err)
		}
		locked := strings.Fields(string(raw))
		of := strings.TrimSuffix(lock, "lock") + "txt"
		if filepath.Base(lock) == "wheel.lock" {
			of = filepath.Join(checkout, "pyproject.toml")
		}
		pins := pinned(t, of)
		for _, pin := range pins {
			if !slices.Contains(locked, pin) {
				t.Errorf("%s has not %s, which %s names: run bench/lock.py", lock, pin, of)
			}
		}
		if len(pins) == 0 {
			t.Errorf("%s names no package with its version", of)
		}
	}
}

// pinned are the packages that a file of requirements names with their versions.
func pinned(t *testing.T, path string) []string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	if filepath.Ext(path) == ".toml" {
		_, text, _ = strings.Cut(text, "dependencies = [")
		text, _, _ = strings.Cut(text, "]")
	}
	var pins []string
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.Trim(line, " \t\r\n\",")
		if more, ok := strings.CutPrefix(line, "-r "); ok {
			pins = append(pins, pinned(t, filepath.Join(filepath.Dir(path), more))...)
		} else if strings.Contains(line, "==") {
			pins = append(pins, strings.ToLower(line))
		}
	}
	return pins
}
