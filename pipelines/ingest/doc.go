// Package ingest brings sources into a run. [Crawl] reads files, archives, lists,
// mirrors and fetched answers into the table documents; a source that is fetched
// is first fetched into the run's archive. [Segment] segments documents into
// passages.
//
// A kind of source is a reader in this package beside its keys in package config.
package ingest
