package lineage

import (
	"github.com/commonplace/commonplace"
)

// event is a RunEvent.
type event struct {
	Type     string    `json:"eventType"`
	Time     string    `json:"eventTime"`
	Run      run       `json:"run"`
	Job      job       `json:"job"`
	Inputs   []dataset `json:"inputs"`
	Outputs  []dataset `json:"outputs"`
	Producer string    `json:"producer"`
	Schema   string    `json:"schemaURL"`
}

type run struct {
	ID     string `json:"runId"`
	Facets facets `json:"facets,omitempty"`
}

type job struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Facets    facets `json:"facets,omitempty"`
}

type dataset struct {
	Namespace    string `json:"namespace"`
	Name         string `json:"name"`
	Facets       facets `json:"facets,omitempty"`
	OutputFacets facets `json:"outputFacets,omitempty"`
}

// parent is a run of a job that started another.
type parent struct {
	job job
	run string
}

// facets are by the names that the spec gives them.
type facets map[string]facet

// facet is one of them. It says itself who made it, and by which schema.
type facet map[string]any

const (
	schemaURL = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
	facetsURL = "https://openlineage.io/spec/facets/"
	codeURL   = "https://github.com/commonplace/commonplace"
	producer  = codeURL + "/tree/v" + commonplace.Version
)

// of fills in what every facet has. The schema is a version and a name, such as
// 1-0-1/ErrorMessageRunFacet.
func (f facet) of(version, name string) facet {
	f["_producer"], f["_schemaURL"] = producer, facetsURL+version+"/"+name+".json#/$defs/"+name
	return f
}

func (p *parent) facet() facet {
	return facet{
		"run": map[string]string{"runId": p.run},
		"job": map[string]string{"namespace": p.job.Namespace, "name": p.job.Name},
	}.of("1-2-0", "ParentRunFacet")
}

func errorMessage(text string) facet {
	return facet{"message": text, "programmingLanguage": "GO"}.of("1-0-1", "ErrorMessageRunFacet")
}

func processingEngine() facet {
	return facet{"name": "commonplace", "version": commonplace.Version}.of("1-1-1", "ProcessingEngineRunFacet")
}

// jobFacets say what kind of job it is, and of which code: a checkout with changes is
// that of no commit.
func jobFacets(kind string) facets {
	f := facets{"jobType": facet{"processingType": "BATCH", "integration": "COMMONPLACE", "jobType": kind}.of("2-0-4", "JobTypeJobFacet")}
	if commit := commonplace.Commit(); commit != "" && commit[len(commit)-1] != '+' {
		f["sourceCodeLocation"] = facet{"type": "git", "url": codeURL + "/tree/" + commit, "repoUrl": codeURL, "version": commit}.of("1-1-0", "SourceCodeLocationJobFacet")
	}
	return f
}
