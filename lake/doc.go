// Package lake publishes a table of a run as a table of Apache Iceberg in a folder of this
// machine, so that Spark, Trino, DuckDB and pyiceberg read whole versions of it:
//
//	DIR/data/SHA256.parquet            the shards: second names of the run's files, or copies
//	DIR/metadata/vN.metadata.json      schema, snapshots, and which of them readers get
//	DIR/metadata/ID-list.avro          a snapshot: the list of its manifests
//	DIR/metadata/ID-manifest.avro      its files
//	DIR/metadata/ID-files.json         the same files, for the next publish
//	DIR/metadata/version-hint.text     N; replaced last
//
// Every file is complete before another names it, and no file that a kept snapshot needs
// is written again. So readers get the earlier snapshot until the last step, also where
// a publish fails or is killed.
//
// The metadata is of format version 2: https://iceberg.apache.org/spec/
package lake
