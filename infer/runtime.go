package infer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	ort "github.com/yalue/onnxruntime_go"
)

// LibraryVariable is the environment variable that names ONNX Runtime's shared
// library and comes before every other place.
const LibraryVariable = "COMMONPLACE_ONNXRUNTIME"

// ErrNoLibrary says that ONNX Runtime's shared library was found nowhere.
var ErrNoLibrary = errors.New("ONNX Runtime is not installed: run `make onnxruntime` in a checkout, keep the program in the folder of its release, or set " + LibraryVariable + " to the path of " + libraryName())

func libraryName() string {
	switch runtime.GOOS {
	case "darwin":
		return "libonnxruntime.dylib"
	case "windows":
		return "onnxruntime.dll"
	}
	return "libonnxruntime.so"
}

// Library finds ONNX Runtime's shared library: the file that
// COMMONPLACE_ONNXRUNTIME names, else lib/onnxruntime/ beside the program or in
// the folder above it. Where there is none the error is [ErrNoLibrary].
func Library() (string, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		if s, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("%s names %s, which cannot be read: %w", LibraryVariable, path, errors.Unwrap(err))
		} else if s.IsDir() {
			path = filepath.Join(path, libraryName())
			if _, err := os.Stat(path); err != nil {
				return "", fmt.Errorf("%s names a folder without %s", LibraryVariable, libraryName())
			}
		}
		return filepath.Abs(path)
	}
	return libraryIn(installed(testing.Testing()))
}

func libraryIn(folders []string) (string, error) {
	for _, folder := range folders {
		path := filepath.Join(folder, "lib", "onnxruntime", libraryName())
		if s, err := os.Stat(path); err == nil && s.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", ErrNoLibrary
}

// installed are the folders in which what comes with the program is looked for. Only a test
// also looks in the working directory and above it: others may have put a library there,
// such as in /tmp or in an archive of books, and it would run as the user.
func installed(test bool) []string {
	var folders []string
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		folders = append(folders, filepath.Dir(exe), filepath.Dir(filepath.Dir(exe)))
	}
	if wd, err := os.Getwd(); err == nil && test {
		for {
			folders = append(folders, wd)
			above := filepath.Dir(wd)
			if above == wd {
				break
			}
			wd = above
		}
	}
	return folders
}

// started is the library that the process has loaded. It is the only state that
// the models of a process share: ONNX Runtime has one environment a process, and
// onnxruntime_go one handle of the library. All else belongs to a [Model].
var started struct {
	sync.Mutex
	library string // empty before the first model
}

// errOtherLibrary says that a process cannot load a second ONNX Runtime.
var errOtherLibrary = errors.New("a process runs one ONNX Runtime")

// start loads a library, or where none is named the one that [Library] finds, and
// initialises ONNX Runtime, once a process. It is never shut down: the sessions of
// others may outlive the model that started it.
func start(library string) error {
	started.Lock()
	defer started.Unlock()
	if started.library != "" {
		if library != "" && !sameFile(library, started.library) {
			return fmt.Errorf("%w: this one has loaded %s, and %s is asked for", errOtherLibrary, started.library, library)
		}
		return nil
	}
	if library == "" {
		var err error
		if library, err = Library(); err != nil {
			return err
		}
	} else if _, err := os.Stat(library); err != nil {
		return fmt.Errorf("ONNX Runtime's library: %w", err)
	}
	// Without this the library keeps a database of what it ran in the user's folder and a
	// file in the shared temporary one, and sends them to its makers. It looks when it is loaded.
	if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
		return fmt.Errorf("turn ONNX Runtime's telemetry off: %w", err)
	}
	ort.SetSharedLibraryPath(library)
	// Its errors are returned. What it prints beside them may repeat what a graph says.
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return fmt.Errorf("%s does not serve as ONNX Runtime (1.24 or newer is needed): %w", library, err)
	}
	if err := ort.DisableTelemetry(); err != nil {
		return fmt.Errorf("turn ONNX Runtime's telemetry off: %w", err)
	}
	started.library = library
	return nil
}

func sameFile(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return a == b || err1 == nil && err2 == nil && os.SameFile(x, y)
}

// RuntimeVersion is ONNX Runtime's version, empty before a model was loaded.
func RuntimeVersion() string {
	started.Lock()
	defer started.Unlock()
	if started.library == "" {
		return ""
	}
	return ort.GetVersion()
}
