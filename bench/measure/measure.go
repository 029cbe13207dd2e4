// Package measure is what the programs that measure have in common.
package measure

import (
	"log"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/commonplace/commonplace"
)

// Check ends the program when there is an error.
func Check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// Usage is what the process has used so far.
func Usage() syscall.Rusage {
	var u syscall.Rusage
	Check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u
}

// CPU is the seconds of user and system time that the process has spent.
func CPU() float64 {
	u := Usage()
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Texts reads the files *.txt of a folder, in the order of their names.
func Texts(dir string) []commonplace.Document {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt")) // sorted
	Check(err)
	var docs []commonplace.Document
	for _, name := range names {
		b, err := os.ReadFile(name)
		Check(err)
		docs = append(docs, commonplace.Document{ID: strings.TrimSuffix(filepath.Base(name), ".txt"), Text: string(b)})
	}
	return docs
}
