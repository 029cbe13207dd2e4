package files

import (
	"fmt"

	"github.com/commonplace/commonplace/bounded"
)

// What Options.Frame can be.
const (
	FrameAuto      = "auto"      // look for a Gutenberg frame; texts without one stay whole
	FrameGutenberg = "gutenberg" // the same, set by a config that expects one
	FrameNone      = "none"      // do not look
)

// Options says how files are read. The zero value is a good default: frames
// are looked for, limits are generous.
type Options struct {
	Source   string // name of the source in the config; column documents.source
	Frame    string // FrameAuto when empty
	Encoding string // encoding to try before the one that a file's header declares; empty: none

	// Bare takes the file as it is: it must be valid UTF-8, no frame is looked
	// for and a byte order mark stays the text's first character, so that offsets
	// are those of Python's open(path, newline="", encoding="utf-8").read().
	Bare bool

	// Seen, when set, is called with the SHA-256 of a text's or a page's file: of the
	// bytes that were read, before decompression, and not of what is there now.
	Seen func(sha256 string)

	Temp     string // folder of temporary files; [os.TempDir] when empty
	MaxBytes int64  // most bytes of one file after decompression; 1 GiB when 0
	Limits   bounded.Limits
}

const defaultMaxBytes = 1 << 30

// Check refuses options that make no sense, naming key, value and what would be right.
func (o Options) Check() error {
	switch o.Frame {
	case "", FrameAuto, FrameGutenberg, FrameNone:
	default:
		return fmt.Errorf("files: frame is %q; it can be %s, %s or %s", o.Frame, FrameAuto, FrameGutenberg, FrameNone)
	}
	if o.MaxBytes < 0 {
		return fmt.Errorf("files: max_bytes is %d; it cannot be negative", o.MaxBytes)
	}
	return nil
}

func (o Options) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return defaultMaxBytes
}

// unpacked is the most bytes that a document of so many packed ones may have.
func (o Options) unpacked(packed int64) int64 { return o.Limits.Unpacked(packed, o.maxBytes()) }

// limitInWords names what limits a document, for messages.
func (o Options) limitInWords() string {
	return fmt.Sprintf("max_bytes %d, limits.ratio %d; a config can raise them", o.maxBytes(), o.Limits.WithDefaults().Ratio)
}
