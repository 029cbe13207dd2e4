package cache

import "sync"

// Memo is something that every task of a stage needs and that is made once in
// a process, of inputs that the key names. The last one is kept.
type Memo[T any] struct {
	mu    sync.Mutex
	key   string
	value T
}

// Get gives what was made of the key's inputs, making it if need be.
func (k *Memo[T]) Get(key string, build func() (T, error)) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.key == key && key != "" {
		return k.value, nil
	}
	value, err := build()
	if err != nil {
		return value, err
	}
	k.key, k.value = key, value
	return value, nil
}
