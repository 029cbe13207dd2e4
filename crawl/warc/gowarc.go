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

func newRecordBuilder(kind gowarc.RecordType) gowarc.WarcRecordBuilder {
	constructing.Lock()
	defer constructing.Unlock()
	return gowarc.NewRecordBuilder(kind, gowarc.WithSkipParseBlock(), gowarc.WithRecordIdFunc(recordID))
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
