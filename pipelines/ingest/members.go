package ingest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// An archive or a list that cannot be read now does not say which documents it has. The
// version that readers get does: where its rows were read is a place in a file.

// member is a document that was read from a place in a file.
type member struct{ source, at, id string }

// membersBefore are the documents of the version that readers get, by source and place.
// The first build has none.
func membersBefore(ctx context.Context, out string) ([]member, error) {
	n, err := table.OpenNight(ctx, table.Home(out))
	if err != nil || n.IsFirst() {
		return nil, err
	}
	night, err := table.Current(ctx, table.Home(out))
	if err != nil {
		return nil, err
	}
	c, err := table.ReadCommit(ctx, storage.Default, night, table.Documents.Name)
	if errors.Is(err, table.ErrNoRecord) || errors.Is(err, storage.ErrFormat) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []member
	for _, path := range c.ShardPaths(night) {
		for doc, err := range table.Documents.Rows(ctx, path, "doc_id", "source", "url") {
			if err != nil {
				return nil, err
			}
			if strings.Contains(doc.URL, ":") {
				all = append(all, member{doc.Source, doc.URL, doc.ID})
			}
		}
	}
	slices.SortFunc(all, compareMembers)
	return all, nil
}

func compareMembers(a, b member) int {
	if c := strings.Compare(a.source, b.source); c != 0 {
		return c
	}
	return strings.Compare(a.at, b.at)
}

// takeMembers takes, in the place of a file that cannot be read now, the documents that
// it had, refused for the file's reason: so they keep their rows and are counted. It
// reports whether there is any.
func (l *listing) takeMembers(it item) bool {
	if it.Whole == "" || !slices.Contains(unreadNow, it.Reject.Reason) {
		return false
	}
	if !l.looked {
		l.looked = true
		all, err := l.members()
		if l.before = all; l.err == nil {
			l.err = err
		}
	}
	begin := it.Whole + ":"
	at, _ := slices.BinarySearchFunc(l.before, member{l.source, begin, ""}, compareMembers)
	any := false
	for ; at < len(l.before) && l.before[at].source == l.source && strings.HasPrefix(l.before[at].at, begin); at++ {
		m := l.before[at]
		r := commonplace.Reject{ID: m.id, Reason: it.Reject.Reason, Detail: it.Reject.Detail}
		kept := refusedItem(r, m.at)
		kept.SHA256, any = it.SHA256, true
		if it.SaidOf != nil {
			kept.Said = it.SaidOf(m.id)
		}
		l.take(kept)
	}
	return any
}
