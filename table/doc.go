// Package table describes the tables of a run, and reads and writes them: folders of
// Parquet shards with one commit record each.
//
// Its inner packages have the parts: [github.com/commonplace/commonplace/table/parquet]
// the files, check what must hold of a row, verify and inspect what reads a whole run
// for a user.
//
// # Shape
//
// A run's folder holds one folder a table, with shards and nothing else, the rejects of
// every stage, and the records:
//
//	run/passages/part-00000-of-00016.parquet   a shard, rows sorted by the table's key
//	run/rejects/segment/part-00000-of-00016.parquet  what that task rejected
//	run/records/passages/part-00000-of-00016.json   rows, sha256, fingerprint of its task
//	run/records/passages/_commit.json          the table is whole; what it was made from
//
// There is one [Table] value for each table, [Documents] to [Rejects]; [All]
// lists them. Each is made from an [Entry], which holds all that is known of it:
// key, what verify checks of its rows, its documentation, how it is exported. The
// columns are the parquet tags of the row type in the root package, their
// descriptions its doc tags.
//
// The folder may also lie in a bucket, gs://bucket/run or s3://bucket/run: paths
// pick their file system in [storage.Default] by their scheme.
//
// # Commit, then visible
//
// A shard is written under a temporary name in its own folder, synced, read
// back, renamed, and the folder synced; then the task's record; when all tasks
// are done, the commit record. Readers, resume, status and verify believe records and
// nothing else, so a run that was killed at any point goes on from what is
// finished. Writing a shard twice gives the same bytes twice.
//
// # Memory
//
// Rows stream. A writer holds one row group (about 8 MB of text), a reader one
// page of every column that is read. A larger document is in memory whole.
package table
