package infer

import "fmt"

// InputError says which text or pair of a call could not be read or scored, so
// that the caller can name it.
type InputError struct {
	Place int // in the call
	Err   error
}

func (e *InputError) Error() string { return fmt.Sprintf("input %d: %v", e.Place, e.Err) }
func (e *InputError) Unwrap() error { return e.Err }

// atInput says of an error, if there is one, where it happened.
func atInput(place int, err error) error {
	if err == nil {
		return nil
	}
	return &InputError{place, err}
}
