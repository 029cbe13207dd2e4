package infer

import (
	"sync/atomic"
	"time"
)

// Counts is what a model has read so far: for progress, and for the line at the
// end that says how much was cut.
type Counts struct {
	Texts     int64         // passages, texts or pairs
	Tokens    int64         // ids that the graph was given for them, special tokens included, padding not
	Padded    int64         // ids that the graph was given, padding included
	Truncated int64         // texts that were longer than the model takes
	Running   time.Duration // in ONNX Runtime, of all workers together; heads over text only
}

// Counts is what the model has read since it was loaded. A feature model counts
// passages only.
func (m *Model) Counts() Counts {
	c := &m.counts
	return Counts{c.texts.Load(), c.tokens.Load(), c.padded.Load(), c.truncated.Load(), time.Duration(c.running.Load())}
}

type counters struct{ texts, tokens, padded, truncated, running atomic.Int64 }
