package worker_test

import (
	"context"
	"errors"
	"testing"

	"github.com/commonplace/commonplace/pipelines/worker"
)

type lent struct{ closed *int }

func (l *lent) Close() error {
	*l.closed++
	return errors.New("nobody hears of it")
}

var (
	number, other worker.Var[int]
	resource      worker.Var[lent]
	made          worker.Memo[string]
)

// Each worker has a value of its own for each name. It keeps them until its end, and
// closes then what can be closed. Without a worker nothing is kept.
func TestWorkersShareNothing(t *testing.T) {
	first, end := worker.Begin(t.Context())
	second, endSecond := worker.Begin(first)
	defer endSecond()
	*number.Of(first), *number.Of(second) = 1, 2
	if a, b, c := *number.Of(first), *number.Of(second), *other.Of(first); a != 1 || b != 2 || c != 0 {
		t.Errorf("the workers have %d and %d, and by another name %d", a, b, c)
	}
	closed := 0
	resource.Of(first).closed = &closed
	end()
	if closed != 1 || *number.Of(first) != 0 || *number.Of(second) != 2 {
		t.Errorf("after the first worker's end: closed %d times, values %d and %d", closed, *number.Of(first), *number.Of(second))
	}
	*number.Of(t.Context()) = 3
	if n := *number.Of(t.Context()); n != 0 {
		t.Errorf("without a worker %d is kept", n)
	}
}

// A memo makes a value once for a key, keeps the last one, and keeps no failure.
func TestMemoKeepsTheLast(t *testing.T) {
	ctx, end := worker.Begin(t.Context())
	defer end()
	builds := 0
	get := func(ctx context.Context, key string, failure error) (string, error) {
		return made.Get(ctx, key, func() (string, error) { builds++; return "of " + key, failure })
	}
	broken := errors.New("broken")
	for _, c := range []struct {
		key    string
		fails  error
		builds int
	}{{"a", nil, 1}, {"a", nil, 1}, {"b", broken, 2}, {"a", nil, 2}, {"b", nil, 3}, {"a", nil, 4}, {"", nil, 5}, {"", nil, 6}} {
		if got, err := get(ctx, c.key, c.fails); got != "of "+c.key || !errors.Is(err, c.fails) || builds != c.builds {
			t.Errorf("%q: %q, %v after %d builds, want %d", c.key, got, err, builds, c.builds)
		}
	}
}
