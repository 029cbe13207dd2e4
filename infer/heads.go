package infer

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace"
)

// heads is the table of all heads. Each is a value in its own file; all other code
// asks this table, so that a new head is one file and one entry here.
var heads = []*head{&featuresHead, &quotabilityHead, &sequenceHead, &rankHead, &yesNoHead, &seq2seqHead, &spanHead, &tagHead, &embedHead, &choiceHead}

// Parts are the parts of model.yaml that belong to some heads only.
type Parts struct {
	Features *FeatureSet `yaml:"features,omitempty"`
	Tokens   *Tokens     `yaml:"tokens,omitempty"`
	Embed    *Pooling    `yaml:"embed,omitempty"`
	Tag      *Labels     `yaml:"tag,omitempty"`
	YesNo    *Question   `yaml:"yes_no,omitempty"`
	Choice   *Choice     `yaml:"choice,omitempty" json:",omitempty"`
}

// head is a kind of model: what model.yaml says of it, what its graph takes and
// gives, and how a model that has it is asked.
type head struct {
	name  string
	doc   headDoc
	part  string    // its own part of model.yaml, a key of [Parts]; usually none
	graph graphKind // what its graph takes and gives, and what runs it

	// What a model with this head can be asked; nil for what it cannot do.
	score func(m *Model, ctx context.Context, passages []commonplace.Passage, out []output) error
	pairs *pairing
	spans func(m *Model, ctx context.Context, pairs []Pair, k int) ([]Proposal, error)
	tag   func(m *Model, ctx context.Context, pairs []Pair) ([]Tagging, error)
	embed func(m *Model, ctx context.Context, texts []string) ([][]float32, []bool, error)

	when       bool // it says when to quote
	neighbours bool // a passage's score depends on the passages around it
}

// headDoc is a head's row of the table in docs/model-format.md, which a test holds
// to these.
type headDoc struct{ input, output, result, parts string }

// graphKind is what the graphs of several heads have in common.
type graphKind interface {
	// part is the part of model.yaml that all of them need.
	part() string
	// check refuses a manifest that does not fit the head, and fills in defaults.
	check(m *Manifest) error
	// ports are what the graph of a manifest takes and gives; unknown is nil.
	ports(m Manifest) (takes, gives []port)
	// choose names the outputs of a graph that the head reads; none where the graph
	// does not serve.
	choose(inputs, outputs []ort.InputOutputInfo) []string
	// bind refuses a graph that does not fit the manifest, and makes what runs it.
	bind(dir string, m Manifest, inputs, outputs []ort.InputOutputInfo) (runner, error)
}

// runner runs the graph of one model.
type runner interface {
	open(s *ort.DynamicAdvancedSession, device string, o Options, counts *counters)
	window() int // passages or texts that one call best brings
	close()
}

// Task is what a model can be asked to do. Its head decides.
type Task string

const (
	ScorePassages Task = "score single passages" // [Model.Score]
	ScorePairs    Task = "score pairs"           // [Model.ScorePairs]
	RankPairs     Task = "rank pairs"            // [Model.Rank]
	ProposeSpans  Task = "propose spans"         // [Model.Spans]
	TagPassages   Task = "tag passages"          // [Model.Tag]
	EmbedTexts    Task = "embed texts"           // [Model.Embed]
	SayWhen       Task = "say when to quote"     // [Model.QuoteProbabilities]
)

func (h *head) can(t Task) bool {
	switch t {
	case ScorePassages:
		return h.score != nil
	case ScorePairs:
		return h.pairs != nil
	case RankPairs:
		return h.pairs != nil || h.spans != nil || h.tag != nil
	case ProposeSpans:
		return h.spans != nil
	case TagPassages:
		return h.tag != nil
	case EmbedTexts:
		return h.embed != nil
	case SayWhen:
		return h.when
	}
	return false
}

// Heads are the names of all heads, in the order of docs/model-format.md.
func Heads() []string {
	names := make([]string, len(heads))
	for i, h := range heads {
		names[i] = h.name
	}
	return names
}

// HeadsFor are the names of the heads that can do a task.
func HeadsFor(t Task) []string {
	return slices.DeleteFunc(Heads(), func(name string) bool { return !headNamed(name).can(t) })
}

// headNamed is the head of a name, nil if there is none.
func headNamed(name string) *head {
	i := slices.IndexFunc(heads, func(h *head) bool { return h.name == name })
	if i < 0 {
		return nil
	}
	return heads[i]
}

// Can is nil for a model that can do a task; its error names the heads that can.
func (m *Model) Can(t Task) error {
	if m.head.can(t) {
		return nil
	}
	return fmt.Errorf("model %s has the head %s, which does not %s: the heads %s do", m.manifest.Name, m.head.name, t, strings.Join(HeadsFor(t), ", "))
}

// checkParts refuses a part of model.yaml that belongs to other heads, and the
// lack of one that this head needs.
func (h *head) checkParts(p Parts) error {
	v := reflect.ValueOf(p)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		needed, given := name == h.part || name == h.graph.part(), !v.Field(i).IsNil()
		if needed && !given {
			return fmt.Errorf("head %s needs %s", h.name, name)
		}
		if given && !needed {
			return fmt.Errorf("%s does not belong to head %s", name, h.name)
		}
	}
	return nil
}
