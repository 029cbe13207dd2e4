package warc

import (
	"crypto/rand"
	"fmt"
	"sync"

	"github.com/nlnwa/gowarc"
)

// constructing guards gowarc's constructors: version 1.6 sets a variable of the uuid
// package in each of them, without a lock. For the same reason record ids are ours.
var constructing sync.Mutex

func newUnmarshaler() gowarc.Unmarshaler {
	constructing.Lock()
	defer constructing.Unlock()
	return gowarc.NewUnmarshaler(gowarc.WithNoValidation())
}

// newRecordBuilder holds a block of so many bytes in memory, where the caller has it
// too: beyond 1 MB gowarc would write it to a file in the machine's temporary folder.
func newRecordBuilder(kind gowarc.RecordType, block int) gowarc.WarcRecordBuilder {
	constructing.Lock()
	defer constructing.Unlock()
	return gowarc.NewRecordBuilder(kind, gowarc.WithSkipParseBlock(), gowarc.WithRecordIdFunc(recordID), gowarc.WithBufferMaxMemBytes(int64(block)+1024))
}

// recordID is a random UUID (RFC 9562, version 4) as a URN.
func recordID() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]), nil
}
