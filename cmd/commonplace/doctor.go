package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer"
	"github.com/commonplace/commonplace/storage"
)

// errUnfit says that doctor found something that does not work; it was printed.
var errUnfit = errors.New("something does not work")

func doctorCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "doctor",
		GroupID: "look",
		Short:   "check that this machine can run the program",
		Long: `Check that this machine can run the program: ONNX Runtime's library, the models
that come with the program, the devices, the folder of the tables, the terminal.
Each model scores one line. What does not work is named with what mends it, and
the status is 1.`,
		Example: examples("commonplace doctor", "commonplace doctor --out /library/run"),
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			w := c.OutOrStdout()
			unfit := false
			say := func(what, words string, err error) {
				state := "ok"
				if err != nil {
					state, words, unfit = "NO", err.Error(), true
				}
				fmt.Fprintf(w, "%-2s  %-12s %s\n", state, what, oneLine(words))
			}
			say("program", versionLine(), nil)
			say("processors", fmt.Sprintf("%d", runtime.GOMAXPROCS(0)), nil)
			library, err := infer.Library()
			say("library", library, err)
			if err == nil {
				for _, m := range infer.AllShipped {
					words, err := tryModel(c.Context(), m, "cpu")
					say("model "+m.Name, words, err)
				}
				fmt.Fprintf(w, "    %-12s %s\n", "cuda", cudaWords(c.Context()))
			}
			words, err := tryFolder(c.Context(), out)
			say("tables", words, err)
			if _, err = os.Stat(os.TempDir()); err == nil {
				words, err = tryFolder(c.Context(), os.TempDir())
			}
			say("temporary", words, err)
			fmt.Fprintf(w, "    %-12s %s\n", "locale", localeWords())
			if unfit {
				return errUnfit
			}
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", ".", "folder in which tables will be written")
	return c
}

// tryModel scores a line.
func tryModel(ctx context.Context, shipped infer.Shipped, device string) (string, error) {
	dir, err := shipped.Find()
	if err != nil {
		return "", err
	}
	m, err := infer.LoadModel(dir, infer.Options{Device: device})
	if err != nil {
		return "", err
	}
	defer m.Close()
	line := commonplace.Passage{ID: "line", DocID: "doctor", Text: "All happy families are alike; each unhappy family is unhappy in its own way.", Words: 14}
	scores, err := m.Score(ctx, []commonplace.Passage{line})
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s, ONNX Runtime %s, scored a line: %.3f", dir, infer.RuntimeVersion(), scores[0].Score), nil
}

// cudaWords say whether a GPU can be used. A machine without one is no fault.
func cudaWords(ctx context.Context) string {
	best := infer.AllShipped[0]
	words, err := tryModel(ctx, best, "cuda")
	if err != nil {
		return "not used: " + oneLine(err.Error())
	}
	return words
}

// tryFolder writes a file in a folder, or in the nearest one above it that there is.
func tryFolder(ctx context.Context, dir string) (string, error) {
	if storage.Remote(dir) {
		return dir + " is a bucket; see docs/buckets.md", nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			break
		}
		if err == nil {
			return "", fmt.Errorf("%s is no folder", dir)
		}
		if above := filepath.Dir(dir); above != dir {
			dir = above
			continue
		}
		return "", fmt.Errorf("there is no folder %s", dir)
	}
	probe := filepath.Join(dir, fmt.Sprintf(".commonplace-doctor-%d", os.Getpid()))
	if err := storage.Write(ctx, storage.Local, probe, []byte("x")); err != nil {
		return "", err
	}
	if err := storage.Local.Remove(ctx, probe); err != nil {
		return "", err
	}
	words := dir + " can be written"
	if free, ok := storage.Free(dir); ok {
		words += fmt.Sprintf(", %.1f GB free", float64(free)/1e9)
	}
	return words, nil
}

// localeWords say whether the terminal shows more than ASCII.
func localeWords() string {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		value := os.Getenv(name)
		if value == "" {
			continue
		}
		if upper := strings.ToUpper(value); strings.Contains(upper, "UTF-8") || strings.Contains(upper, "UTF8") {
			return value
		}
		return value + ": the terminal may not show accents; files are UTF-8 all the same"
	}
	return "not set; files are UTF-8 all the same"
}
