package ingest

import "github.com/commonplace/commonplace/pipelines/engine"

func init() { engine.Register(Crawl{}, Segment{}) }
