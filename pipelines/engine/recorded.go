package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/commonplace/commonplace/table"
)

// Recorded is a change of a build's record: the build or a stage begins to work, or ends.
// Nothing is said of a stage whose table is up to date, since it does not work.
type Recorded struct {
	At    time.Time
	Build RunRecord
	Err   error        // that ended the build
	Stage *StageRecord // whose status has changed; nil: the build's has

	// Of a stage, as far as it is known by now.
	Reads    map[string]string // tables, and the fingerprints of what is in them
	Contents string            // fingerprint of the table that was made
	Files    int               // of that table
}

// following is what the followers of a record know of the stage that is at work.
type following struct {
	reads map[string]string
	said  bool // that it works
}

// tell calls who follows the record. Without a stage the change is the build's.
func (b *recording) tell(change Recorded) {
	if b.r.Recorded == nil {
		return
	}
	change.Build = b.now
	change.Build.Stages = slices.Clone(b.now.Stages)
	b.r.Recorded(change)
}

// works notes that the stage has something to make, of these tables.
func (b *recording) works(reads map[string]string) {
	if b == nil || b.follows.said {
		return
	}
	b.follows.reads, b.follows.said = maps.Clone(reads), true
	stage := *b.last()
	b.tell(Recorded{At: b.began, Stage: &stage, Reads: b.follows.reads})
}

// tellEnd says what became of the stage, unless it had nothing to do. One that ended
// before it was planned has worked, too.
func (b *recording) tellEnd(c table.Commit, err error) {
	stage := *b.last()
	if stage.Status == RunFresh {
		return
	}
	if !b.follows.said {
		begun := stage
		begun.Status = RunRunning
		b.tell(Recorded{At: b.began, Stage: &begun})
	}
	end := Recorded{At: time.Now(), Stage: &stage, Err: err, Reads: b.follows.reads}
	if stage.Status == RunDone {
		end.Contents, end.Files = c.Fingerprint(), len(c.Shards)
	}
	b.tell(end)
}
