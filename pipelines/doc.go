// Package pipelines turns tables into tables with Apache Beam. It is the only
// room that imports Beam, and holds nothing but the way the data takes:
//
//	crawl ▶ documents      quotes ▶ quotes
//	segment ▶ passages     match ▶ matches      align ▶ alignments
//	label ▶ examples       count ▶ quote_counts
//	score ▶ scores         rank ▶ rankings
//
// A stage is one Beam job that writes one table (and its rejects). Its elements
// are tasks: names of shards and settings, never text, so a runner shuffles a few
// kilobytes however large the corpus is. The worker's step reads the shards that
// the task names, calls the plain functions of the other rooms, writes one output
// shard atomically and emits that shard's record; the last step, behind a
// GroupByKey, writes the table's commit record.
//
// A task is idempotent: its fingerprint covers the settings, the stage's revision
// and the SHA-256 of every input shard. A shard whose record bears the same
// fingerprint is not made again. Resuming after a crash, skipping fresh stages
// and rebuilding only what a changed book touches are all this one rule.
package pipelines

import (
	"github.com/commonplace/commonplace/pipelines/runner"
	_ "github.com/commonplace/commonplace/storage/cloud"
) // a run may lie in a bucket

// ServeWorker runs the program as a worker and does not return, if a runner
// started it as one. Call it first in main.
func ServeWorker() { runner.ServeWorker() }
