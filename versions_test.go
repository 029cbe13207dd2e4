package commonplace_test

import (
	"os"
	"regexp"
	"testing"
)

// The wheel depends on the ONNX Runtime that the program is tested with.
func TestOneVersionOfONNXRuntime(t *testing.T) {
	version := func(path, pattern string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := regexp.MustCompile(pattern).FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s names no version", path)
		}
		return string(m[1])
	}
	library, wheel := version("models/fetch-onnxruntime.sh", `(?m)^version=(.+)$`), version("pyproject.toml", `"onnxruntime==([^"]+)"`)
	if library != wheel {
		t.Errorf("the library is %s, the wheel's is %s", library, wheel)
	}
}
