package lineage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
)

// Types of events.
const (
	start    = "START"
	complete = "COMPLETE"
	fail     = "FAIL"
	abort    = "ABORT"
)

var types = map[string]string{
	engine.RunRunning: start, engine.RunDone: complete, engine.RunFailed: fail, engine.RunStopped: abort,
}

// sink takes events and does not keep the build waiting.
type sink interface {
	send(line []byte)
	close() error // says what was lost
}

// Events reports builds of one config, one after the other.
type Events struct {
	config    *config.Config
	namespace string
	job       string  // of the builds
	outer     *parent // that started the program; nil: nobody says
	to        sink

	build string // id of the build's run
	stage string // id of that of the stage at work

	// refused is how a build ended that only asks whether other settings may be used.
	// If they may, it goes on as the same run.
	refused *event
}

// Record reports a change of a build's record.
func (e *Events) Record(r engine.Recorded) {
	if r.Stage != nil {
		e.recordStage(r)
		return
	}
	if r.Build.Status == engine.RunRunning {
		if e.refused != nil {
			e.refused = nil
			return
		}
		e.build = newUUID()
	}
	v := e.event(r.Build.Status, r, run{ID: e.build, Facets: facets{}}, job{e.namespace, e.job, jobFacets("BUILD")})
	if e.outer != nil {
		v.Run.Facets["parent"] = e.outer.facet()
	}
	if errors.Is(r.Err, engine.ErrSettings) {
		e.refused = &v
		return
	}
	e.send(v)
}

func (e *Events) recordStage(r engine.Recorded) {
	s := r.Stage
	if s.Status == engine.RunRunning {
		e.stage = newUUID()
	}
	above := parent{job{Namespace: e.namespace, Name: e.job}, e.build}
	v := e.event(s.Status, r, run{ID: e.stage, Facets: facets{"parent": above.facet()}}, job{e.namespace, e.job + "." + s.Stage, jobFacets("STAGE")})
	for _, at := range e.config.ReadBy(s.Stage) {
		if d := place(at); !slices.ContainsFunc(v.Inputs, func(has dataset) bool { return has.Namespace == d.Namespace && has.Name == d.Name }) {
			v.Inputs = append(v.Inputs, d)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Reads)) {
		v.Inputs = append(v.Inputs, tableOf(e.config.Out, name, r.Reads[name]))
	}
	made := tableOf(e.config.Out, s.Table, r.Contents)
	if s.Status == engine.RunDone {
		made.OutputFacets = facets{"outputStatistics": facet{"rowCount": s.RowsOut, "size": s.Bytes, "fileCount": r.Files}.of("1-0-2", "OutputStatisticsOutputDatasetFacet")}
	}
	v.Outputs = append(v.Outputs, made)
	e.send(v)
}

// event is what all have in common.
func (e *Events) event(status string, r engine.Recorded, of run, j job) event {
	of.Facets["processing_engine"] = processingEngine()
	if r.Err != nil {
		of.Facets["errorMessage"] = errorMessage(words(r.Err))
	}
	return event{
		Type: types[status], Time: r.At.UTC().Format("2006-01-02T15:04:05.000Z"), Run: of, Job: j,
		Inputs: []dataset{}, Outputs: []dataset{}, Producer: producer, Schema: schemaURL,
	}
}

// words are an error as the user reads it.
func words(err error) string {
	if stopped := (*engine.Stopped)(nil); !errors.As(err, &stopped) && errors.Is(err, context.Canceled) {
		return "interrupted"
	}
	return err.Error()
}

func (e *Events) send(v event) {
	var line bytes.Buffer
	text := json.NewEncoder(&line)
	text.SetEscapeHTML(false)
	if err := text.Encode(v); err != nil {
		panic(err) // it is made of strings and numbers
	}
	e.to.send(line.Bytes())
}

// Close waits a moment for what is on its way, and says what was lost of the events.
func (e *Events) Close() error {
	if e.refused != nil {
		e.send(*e.refused)
		e.refused = nil
	}
	return e.to.close()
}
