package worker

import (
	"context"
	"sync"
)

// Memo is something that every task of a stage needs and that a worker makes once,
// of inputs that the key names. The last one is kept.
type Memo[T any] struct {
	last Var[remembered[T]]
}

type remembered[T any] struct {
	sync.Mutex
	key   string
	value T
}

// Get gives what was made of the key's inputs, making it if need be.
func (m *Memo[T]) Get(ctx context.Context, key string, build func() (T, error)) (T, error) {
	r := m.last.Of(ctx)
	r.Lock()
	defer r.Unlock()
	if r.key == key && key != "" {
		return r.value, nil
	}
	value, err := build()
	if err != nil {
		return value, err
	}
	r.key, r.value = key, value
	return value, nil
}
