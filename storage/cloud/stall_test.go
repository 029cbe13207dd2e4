package cloud_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/storage/cloud/loopback"
)

// TestAnEndedContextEndsEveryCall leaves every kind of request without an answer:
// a call ends when its context does, with the context's error, and what was being
// written leaves nothing behind ([loopback.Use] looks for that).
func TestAnEndedContextEndsEveryCall(t *testing.T) {
	large := strings.Repeat("all the world is a stage\n", 1<<20) // several parts
	calls := map[string]func(ctx context.Context, s *loopback.Server) error{
		"upload": func(ctx context.Context, s *loopback.Server) error {
			return storage.WriteFile(ctx, s.Path("new"), []byte(large))
		},
		"link": func(ctx context.Context, s *loopback.Server) error {
			return storage.Default.Link(ctx, "old", s.Path("current"))
		},
		"download": func(ctx context.Context, s *loopback.Server) error {
			_, _, err := storage.OnDisk(ctx, s.Path("old"))
			return err
		},
		"read": func(ctx context.Context, s *loopback.Server) error {
			_, err := storage.ReadFile(ctx, s.Path("old"))
			return err
		},
		"hash": func(ctx context.Context, s *loopback.Server) error {
			_, err := storage.HasSum(ctx, s.Path("old"), "")
			return err
		},
		"size": func(ctx context.Context, s *loopback.Server) error {
			_, err := storage.Default.Size(ctx, s.Path("old"))
			return err
		},
		"list": func(ctx context.Context, s *loopback.Server) error {
			_, err := storage.List(ctx, s.Path("run"))
			return err
		},
		"list sources": func(ctx context.Context, s *loopback.Server) error {
			_, err := storage.OpenTree(ctx, s.Path("run/*.txt"))
			return err
		},
		"fetch a model": func(ctx context.Context, s *loopback.Server) error {
			_, err := storage.FolderOnDisk(ctx, s.Path("run"))
			return err
		},
		"remove": func(ctx context.Context, s *loopback.Server) error { return storage.Remove(ctx, s.Path("old")) },
	}
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		if err := s.Put("old", []byte("old")); err != nil {
			t.Fatal(err)
		}
		for name, call := range calls {
			ctx, cancel := context.WithCancel(t.Context())
			stalled := s.Stall(func(*http.Request) bool { return true })
			go func() {
				<-stalled
				cancel()
			}()
			err := call(ctx, s)
			cancel()
			if !errors.Is(err, context.Canceled) || errors.Is(err, storage.ErrRefused) {
				t.Errorf("%s: %v, want the context's error alone", name, err)
			}
		}
		s.Stall(nil)
	})
}

// TestAnUploadEndsInItsMidst ends it while bytes are sent.
func TestAnUploadEndsInItsMidst(t *testing.T) {
	loopback.Each(t, func(t *testing.T, s *loopback.Server) {
		b := open(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		endless := io.MultiReader(strings.NewReader(strings.Repeat("x", 20<<20)), cancelling{cancel})
		if err := b.Write(ctx, s.Path("half"), endless); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want the context's error", err)
		}
		if objects, err := s.Objects(); err != nil || len(objects) > 0 {
			t.Errorf("%d objects are there: %v", len(objects), err)
		}
	})
}

// cancelling cancels and goes on.
type cancelling struct{ cancel func() }

func (c cancelling) Read(p []byte) (int, error) {
	c.cancel()
	clear(p)
	return len(p), nil
}
