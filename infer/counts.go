package infer

import (
	"sync/atomic"
	"time"
)

// Counts is what a model has read so far: for progress, and for the line at the
// end that says how much was cut.
type Counts struct {
	Texts     int64         // passages, texts, pairs, or for quotability-sequence inputs of several passages
	Tokens    int64         // ids of them, special tokens included, padding not
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

func (c *counters) add(it *item) {
	c.texts.Add(1)
	c.tokens.Add(int64(it.encoded.Len() + len(it.target)))
	if it.encoded.Truncated {
		c.truncated.Add(1)
	}
}
