package ingest

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// A document that could be read yesterday and cannot be read today is none that was
// withdrawn: a disk fails, a download was cut off. It keeps the row that readers
// have of it, and is counted. What is gone from its source goes.

// unreadNow are the reasons for which a document keeps its row.
var unreadNow = []string{files.ReasonUnreadable, files.ReasonGzip, files.ReasonZip, files.ReasonEncoding}

// yesterday looks up documents, in the order of their ids, in the night that readers
// have. It opens the shard when the first one is asked for.
type yesterday struct {
	ctx  context.Context
	t    engine.Task
	open bool
	next func() (commonplace.Document, error, bool)
	stop func()
	row  commonplace.Document
	more bool
}

// keeps gives the row that an item keeps, which was refused now.
func (y *yesterday) keeps(it item, reject commonplace.Reject) (doc commonplace.Document, there bool, err error) {
	if y.t.NoReuse || it.Duplicate != "" || !slices.Contains(unreadNow, reject.Reason) {
		return doc, false, nil
	}
	if !y.open {
		y.open = true
		if err := y.begin(); err != nil {
			return doc, false, err
		}
	}
	for y.more && y.row.ID < it.ID {
		if err := y.advance(); err != nil {
			return doc, false, err
		}
	}
	return y.row, y.more && y.row.ID == it.ID && y.row.Source == it.Source, nil
}

func (y *yesterday) begin() error {
	night, err := table.Current(y.ctx, table.Home(y.t.Out))
	if err != nil || night == y.t.Out { // the first build: there is no yesterday
		return err
	}
	c, err := table.ReadCommit(y.ctx, storage.Default, night, table.Documents.Name)
	if errors.Is(err, table.ErrNoRecord) || err == nil && len(c.Shards) != y.t.Of {
		return nil
	}
	if err != nil {
		return err
	}
	y.next, y.stop = iter.Pull2(table.Documents.Rows(y.ctx, c.ShardPaths(night)[y.t.Shard]))
	return y.advance()
}

func (y *yesterday) advance() (err error) {
	y.row, err, y.more = y.next()
	return err
}

func (y *yesterday) close() {
	if y.stop != nil {
		y.stop()
	}
}
