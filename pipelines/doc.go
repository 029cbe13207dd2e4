// Package pipelines builds a run: it lists all stages and hands them to package
// engine. Its inner packages depend on each other in this order only:
//
//	config    the YAML file
//	cache     files named by their contents
//	runner    jobs in this process, on Flink, on Dataflow
//	engine    stages, tasks, builds
//	lineage   a build's record as OpenLineage events
//	join      sorted tables read side by side
//	ingest    stages that read sources
//	quotes    stages that find quotations
//	datasets  stages that make training data
//	ranking   stages that score and rank
package pipelines

import (
	"github.com/commonplace/commonplace/pipelines/runner"
	_ "github.com/commonplace/commonplace/storage/cloud" // a run may lie in a bucket
)

// ServeWorker runs the program as a worker and does not return, if a runner
// started it as one. Call it first in main.
func ServeWorker() { runner.ServeWorker() }
