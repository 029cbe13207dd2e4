package standalone

import (
	"bufio"
	"context"
	"fmt"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/infer/tokenizer"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// Tokenize says what the tokenize command does.
type Tokenize struct {
	Tokenizer string // tokenizer.json
	Input     string // JSON lines {id, text[, pair]}, also .gz
	Out       string // JSON lines {id, input_ids, offsets}, or - for standard output
	AsFile    bool   // truncate and pad as the tokenizer's file says
}

// Run encodes every line and returns how many there were.
func (t Tokenize) Run(ctx context.Context) (n int, err error) {
	if err := keepsInputs(t.Out, "one of the files that are read", named(t.Tokenizer, t.Input)); err != nil {
		return 0, err
	}
	tok, err := tokenizer.Open(t.Tokenizer)
	if err != nil {
		return 0, config.Refusef("%w", err)
	}
	if !t.AsFile {
		tok = tok.With(nil, nil)
	}
	in, err := storage.OpenInput(ctx, t.Input) // which refuses a pipe without a writer
	if err != nil {
		return 0, config.Refusef("--input: %w", err)
	}
	defer in.Close()
	rows, err := bounded.NewReader(in, t.Input, in.Size, bounded.Limits{}) // also .gz
	if err != nil {
		return 0, config.Refusef("--input %s: %w", t.Input, err)
	}
	defer rows.Close()
	err = publishFile(ctx, t.Out, func(f storage.Writer) error {
		w := bufio.NewWriterSize(f, 1<<20)
		var err error
		if n, err = tok.EncodeJSONL(rows, w); err != nil {
			return fmt.Errorf("%s: %w", t.Input, err)
		}
		return w.Flush()
	})
	return n, err
}
