// Package cache keeps files in a run's folder that can be made again at any time.
// A file's name holds a hash of what it is made from, so that a name says whether
// the contents are the right ones: nothing is ever out of date, and two workers
// that make one file do no harm.
//
//   - [Publish] writes a file, and uploads it where the run is in a bucket.
//   - [Lines] reads rows, JSON lines with a checksum, and makes them where they are not there.
//   - [Partition] divides the rows of a whole table by the shard that they concern.
//
// [Prune] removes files that no task of the present run needs.
package cache
