package table

import (
	"fmt"
	"math"
	"path"
	"regexp"
)

// A record may come from somebody else, or be damaged and still be JSON. Readers add its
// numbers up, make room for so many rows, and find rejects by the stage's name. So what no
// stage can have written is [storage.ErrDamaged].

// stageForm is the form of a stage's name, which is also that of a folder: no path, and
// nothing that a terminal obeys. Names with a hyphen are good, though no stage of today
// has one.
var stageForm = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)

// mostNumber is the largest number that every reader of JSON reads exactly.
const mostNumber = 1<<53 - 1

// impossible says what of a commit record no stage can have written, or nothing.
func (c Commit) impossible() string {
	if !stageForm.MatchString(c.Stage) {
		return fmt.Sprintf("its stage is %q", c.Stage)
	}
	for k, s := range c.Shards {
		if s.File != ShardName(k, len(c.Shards)) {
			return fmt.Sprintf("its shard %d of %d is %q", k, len(c.Shards), s.File)
		}
	}
	last := -1
	for _, s := range c.Rejects {
		k, of, ok := ParseShardName(s.File)
		if !ok || of != len(c.Shards) || k <= last {
			return fmt.Sprintf("its rejects name %q, among %d shards", s.File, len(c.Shards))
		}
		last = k
	}
	rows, why := sums("shards", c.Shards)
	if why != "" {
		return why
	}
	rejected, why := sums("rejects", c.Rejects)
	switch {
	case why != "":
		return why
	case rows != c.Rows:
		return fmt.Sprintf("it has %d rows, and its shards have %d", c.Rows, rows)
	case c.Untold < 0 || c.Untold > mostNumber || rejected+c.Untold != c.Rejected:
		return fmt.Sprintf("%d are rejected, and its rejects have %d rows and %d without one", c.Rejected, rejected, c.Untold)
	}
	return negative(c.In, c.Counts, c.Checks)
}

// impossible says what of the record of shard k of of no task can have written, or nothing.
func (r TaskRecord) impossible(k, of int) string {
	if !stageForm.MatchString(r.Stage) {
		return fmt.Sprintf("its stage is %q", r.Stage)
	}
	shards := []ShardRecord{r.Shard}
	if r.Rejects != nil {
		if r.Rejects.File != ShardName(k, of) {
			return fmt.Sprintf("its rejects name %q", r.Rejects.File)
		}
		shards = append(shards, *r.Rejects)
	}
	if _, why := sums("shards", shards); why != "" {
		return why
	}
	return negative(r.In, r.Counts, map[string]int64{"untold": r.Untold})
}

// sums adds up the rows of shards, and says which number cannot be.
func sums(what string, shards []ShardRecord) (rows int64, why string) {
	bytes := int64(0)
	for _, s := range shards {
		if s.Rows < 0 || s.Bytes < 0 || s.Rows > mostNumber-rows || s.Bytes > mostNumber-bytes {
			return 0, fmt.Sprintf("of its %s, %s has %d rows and %d bytes", what, path.Base(s.File), s.Rows, s.Bytes)
		}
		rows, bytes = rows+s.Rows, bytes+s.Bytes
	}
	return rows, ""
}

// negative names a count below zero, or nothing.
func negative(counts ...map[string]int64) string {
	name, least := "", int64(math.MaxInt64)
	for _, of := range counts {
		for what, n := range of {
			if n < 0 && (n < least || n == least && what < name) {
				name, least = what, n
			}
		}
	}
	if least < 0 {
		return fmt.Sprintf("its count of %q is %d", name, least)
	}
	return ""
}
