package infer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// LibraryVariable is the environment variable that names ONNX Runtime's shared
// library and comes before every other place.
const LibraryVariable = "COMMONPLACE_ONNXRUNTIME"

// ErrNoLibrary says that ONNX Runtime's shared library was found nowhere.
var ErrNoLibrary = errors.New("ONNX Runtime is not installed: run `make onnxruntime`, or set " + LibraryVariable + " to the path of " + libraryName())

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
// COMMONPLACE_ONNXRUNTIME names, else lib/onnxruntime/ beside the program, in
// the folder above it, or in the working directory or one above it. Where there
// is none the error is [ErrNoLibrary].
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
	for _, folder := range installed() {
		path := filepath.Join(folder, "lib", "onnxruntime", libraryName())
		if s, err := os.Stat(path); err == nil && s.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", ErrNoLibrary
}

// installed are the folders in which what comes with the program is looked for.
func installed() []string {
	var folders []string
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		folders = append(folders, filepath.Dir(exe), filepath.Dir(filepath.Dir(exe)))
	}
	if wd, err := os.Getwd(); err == nil {
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

// started says whether the process has loaded the library; it loads one.
var started struct {
	sync.Mutex
	done bool
}

// start loads the library and initialises ONNX Runtime, once per process. It is
// never shut down: sessions may outlive whoever started it.
func start() error {
	started.Lock()
	defer started.Unlock()
	if started.done {
		return nil
	}
	library, err := Library()
	if err != nil {
		return err
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fmt.Errorf("%s does not serve as ONNX Runtime (1.24 or newer is needed): %w", library, err)
	}
	started.done = true
	return nil
}

// RuntimeVersion is ONNX Runtime's version, empty before a model was loaded.
func RuntimeVersion() string {
	started.Lock()
	defer started.Unlock()
	if !started.done {
		return ""
	}
	return ort.GetVersion()
}
