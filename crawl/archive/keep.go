package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/fetch"
	"github.com/commonplace/commonplace/crawl/warc"
	"github.com/commonplace/commonplace/storage"
)

// SetPass begins or ends a pass.
func (a *Archive) SetPass(ctx context.Context, p Pass) error {
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := a.cleanPass(ctx); err != nil {
		return err
	}
	if err := storage.Write(ctx, storage.Local, filepath.Join(a.dir, passFile), append(b, '\n')); err != nil {
		return err
	}
	a.pass = p
	return nil
}

var temporaryPass = regexp.MustCompile(`^\.pass\.json\.[0-9a-f]{12}\.tmp$`)

// cleanPass removes what a run was writing that was killed while it set a pass.
func (a *Archive) cleanPass(ctx context.Context) error {
	names, err := storage.List(ctx, a.dir)
	for _, name := range names {
		if temporaryPass.MatchString(name) {
			err = errors.Join(err, storage.Remove(ctx, filepath.Join(a.dir, name)))
		}
	}
	return err
}

// Keeper writes one host's answers of one pass. One process keeps a host at a time.
type Keeper struct {
	a     *Archive
	name  string
	file  *warc.Writer
	index *os.File
}

// Keep opens a host's file for the present pass. What a killed run left
// half-written is cut off.
func (a *Archive) Keep(host, software string) (*Keeper, error) {
	if err := os.MkdirAll(a.dir, 0o755); err != nil {
		return nil, err
	}
	k := &Keeper{a: a, name: fileName(a.pass.Number, host)}
	path := filepath.Join(a.dir, k.name)
	size := int64(0)
	if info, err := os.Lstat(path); err == nil {
		size = info.Size()
	}
	entries, end, err := readIndex(indexOf(path), size)
	if err != nil {
		return nil, err
	}
	var index bytes.Buffer
	for _, e := range entries {
		if err := writeLine(&index, e); err != nil {
			return nil, err
		}
	}
	var failed error
	if k.file, err = warc.Open(path, end, func(r warc.Record) {
		e, _ := Describe(r, k.name, maxBody)
		a.take(e)
		failed = errors.Join(failed, writeLine(&index, e))
	}); err != nil {
		return nil, err
	}
	if failed != nil {
		return nil, failed
	}
	if k.index, err = storage.OpenOwn(indexOf(path), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND); err != nil {
		return nil, err
	}
	if _, err := k.index.Write(index.Bytes()); err != nil {
		return nil, err
	}
	if k.file.End() == 0 {
		block := fmt.Sprintf("software: %s\r\nformat: WARC File Format 1.1\r\nrobots: obey\r\n", software)
		return k, k.write(warc.Record{Type: warc.Info, Date: time.Now(), ContentType: fieldsType, Block: []byte(block)})
	}
	return k, nil
}

// writeLine writes an entry as the index has it.
func writeLine(w io.Writer, e Entry) error {
	b, err := json.Marshal(e)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	return err
}

const fieldsType = "application/warc-fields"

// write adds a record to the file, then to the index, then to what is known.
func (k *Keeper) write(r warc.Record) error {
	at, err := k.file.Write(r)
	if err != nil {
		return err
	}
	r.At = at
	e, _ := Describe(r, k.name, maxBody)
	if err := writeLine(k.index, e); err != nil {
		return err
	}
	k.a.take(e)
	return nil
}

// Response keeps an answer. Status 304 becomes a revisit of what it is about.
func (k *Keeper) Response(r *fetch.Response) error {
	record := warc.Record{Type: warc.Response, URL: r.URL.String(), Date: r.At, ContentType: "application/http;msgtype=response", Block: r.Raw}
	if before := k.a.known(r.URL); r.Status == 304 && before.answer.Kind == Answered {
		record.Type = warc.Revisit
		record.Fields = textproto.MIMEHeader{"WARC-Profile": {warc.NotModified}, "WARC-Refers-To-Target-URI": {r.URL.String()}}
		if before.answer.Fetched != "" {
			record.Fields["WARC-Refers-To-Date"] = []string{before.answer.Fetched}
		}
	}
	return k.write(record)
}

// Failure keeps the reason why there is no answer.
func (k *Keeper) Failure(address crawl.Address, f *fetch.Failure) error {
	clean := strings.NewReplacer("\r", " ", "\n", " ")
	block := fmt.Sprintf("reason: %s\r\ndetail: %s\r\n", clean.Replace(f.Reason), clean.Replace(f.Detail))
	if f.Temporary {
		block += "run: " + k.a.run + "\r\n"
	}
	return k.write(warc.Record{Type: warc.Metadata, URL: address.String(), Date: time.Now(), ContentType: fieldsType, Block: []byte(block)})
}

// Close closes the host's file.
func (k *Keeper) Close() error {
	err := k.index.Close()
	if e := k.file.Close(); e != nil {
		return e
	}
	return err
}
