// Package storage is the one place that knows where files of a run lie: on this
// machine or in a bucket, by the scheme of a path. A file appears whole or not at
// all: it is written under a temporary name, synced and renamed, or uploaded in
// one step. [ErrRefused] marks what the disk or the bucket refused.
package storage
