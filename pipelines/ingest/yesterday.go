package ingest

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A document that could be read yesterday and cannot be read today is none that was
// withdrawn: a disk fails, a download was cut off. It keeps the row that readers
// have of it, and is counted. What is gone from its source goes.

// unreadNow are the reasons for which a document keeps its row.
var unreadNow = []string{files.ReasonUnreadable, files.ReasonGzip, files.ReasonZip, files.ReasonEncoding, reasonTable}

// describedNow is a kept row with the role that the config gives it now, and what files
// beside the documents say now. Its rights stay only if they are what these say: else
// nobody knows them until it can be read again, and its text is not given on.
func describedNow(was commonplace.Document, s config.Source, it item) commonplace.Document {
	rights := was.Rights
	it.Said.Apply(&was)
	if it.Said["language"] == "" && !strings.HasPrefix(was.LanguageReason, fromSource) {
		was.Language = "" // from the config or the text, as setLanguage finds it now
	}
	setLanguage(&was, s)
	was.Role = s.Role
	if was.Rights = cmp.Or(it.Said["rights"], s.Rights); was.Rights != rights {
		was.Rights = ""
	}
	return was
}

// yesterday looks up documents, in the order of their ids, in the night that readers
// have. It opens a shard when the first one of it is asked for.
type yesterday struct {
	ctx    context.Context
	t      engine.Task
	open   bool
	paths  []string // of the shards, which may be more or fewer than today's
	shards map[int]*rowsOfShard
}

// rowsOfShard are the rows of one shard in their order.
type rowsOfShard struct {
	next func() (commonplace.Document, error, bool)
	stop func()
	row  commonplace.Document
	more bool
}

// keeps gives the row that an item keeps, which was refused now.
func (y *yesterday) keeps(it item, reject commonplace.Reject) (doc commonplace.Document, there bool, err error) {
	if it.Duplicate != "" || !slices.Contains(unreadNow, reject.Reason) {
		return doc, false, nil
	}
	if !y.open {
		y.open = true
		if err := y.begin(); err != nil {
			return doc, false, err
		}
	}
	if len(y.paths) == 0 {
		return doc, false, nil
	}
	k := table.ShardOf(it.ID.String(), len(y.paths))
	rows := y.shards[k]
	if rows == nil {
		rows = &rowsOfShard{}
		rows.next, rows.stop = iter.Pull2(table.Documents.Rows(y.ctx, y.paths[k]))
		y.shards[k] = rows
		if err := rows.advance(); err != nil {
			return doc, false, err
		}
	}
	for rows.more && rows.row.ID < it.ID.String() {
		if err := rows.advance(); err != nil {
			return doc, false, err
		}
	}
	return rows.row, rows.more && rows.row.ID == it.ID.String() && rows.row.Source == it.Source, nil
}

func (y *yesterday) begin() error {
	night, err := table.Current(y.ctx, table.Home(y.t.Out))
	if err != nil || night == y.t.Out { // the first build: there is no yesterday
		return err
	}
	c, err := table.ReadCommit(y.ctx, storage.Default, night, table.Documents.Name)
	if errors.Is(err, table.ErrNoRecord) {
		return nil
	}
	if err != nil {
		return err
	}
	y.paths, y.shards = c.ShardPaths(night), map[int]*rowsOfShard{}
	return nil
}

func (r *rowsOfShard) advance() (err error) {
	r.row, err, r.more = r.next()
	return err
}

func (y *yesterday) close() {
	for _, rows := range y.shards {
		rows.stop()
	}
}
