//go:build !linux

package storage

import (
	"context"
	"errors"
)

func (local) Exchange(context.Context, string, string) error { return errors.ErrUnsupported }
