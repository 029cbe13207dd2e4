package infer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/infer/features"
)

// featureRows and termRows are the one batch size that feature graphs run in,
// those that read terms as well in the smaller. The last batch is filled up with
// zeros, so that every row goes through the same kernels and its score does not
// depend on how many others there are.
const (
	featureRows = 512
	termRows    = 32
)

// Terms of one passage that a graph takes at most, and reasons that are kept of
// its score.
const (
	mostTerms   = 512
	mostReasons = 6
)

var featuresHead = head{
	name:  "features",
	doc:   headDoc{"the [features](features.md) of a passage, and its terms", "`[n, 1]`, and optionally reasons", "a score per passage, and its reasons", "`features: {version, names, terms, computed}`"},
	graph: featureGraph{},
	score: func(m *Model, ctx context.Context, passages []commonplace.Passage, out []output) error {
		defer m.counts.texts.Add(int64(len(passages)))
		return m.run.(*featureModel).score(ctx, passages, out)
	},
}

// FeatureSet names the features that a model reads, in the order of its input.
type FeatureSet struct {
	Version int      `yaml:"version"` // of [features.Version]
	Names   []string `yaml:"names"`   // some or all of [features.Names]

	Terms    *Terms   `yaml:"terms,omitempty"`    // n-grams that the graph reads as well
	Computed []string `yaml:"computed,omitempty"` // names of what the graph computes itself, behind the features in its reasons
}

// Terms is the list of n-grams that a model knows.
type Terms struct {
	File   string `yaml:"file"`             // in the model's folder, for [features.ParseVocabulary]
	SHA256 string `yaml:"sha256"`           // of it, in hex
	Lemmas int    `yaml:"lemmas,omitempty"` // of [features.Lemmas]: its words are lemmas, of these rules; 0: words as they stand
	Forms  *Forms `yaml:"forms,omitempty"`  // its words are the lemmas of these forms
}

// Forms is the list of words of a language other than English that have another lemma.
type Forms struct {
	File   string `yaml:"file"`   // in the model's folder, for [features.ParseForms]
	SHA256 string `yaml:"sha256"` // of it, in hex
}

// featureGraph is a graph that reads features; see [featureModel].
type featureGraph struct{}

func (featureGraph) part() string { return "features" }

func (featureGraph) check(m *Manifest) error {
	if m.Features.Version != features.Version {
		return fmt.Errorf("the model was fitted on version %d of the features, this program computes version %d: fit it again with models/shipped/train.py", m.Features.Version, features.Version)
	}
	if len(m.Features.Names) == 0 {
		return errors.New("features.names is empty")
	}
	seen := map[string]bool{}
	for _, name := range m.Features.Names {
		if !slices.Contains(features.Names, name) {
			return fmt.Errorf("there is no feature %q", name)
		}
		if seen[name] {
			return fmt.Errorf("feature %q is named twice", name)
		}
		seen[name] = true
	}
	inputs, says := 1, 2
	if t := m.Features.Terms; t != nil {
		inputs, says = 3, 3
		if err := checkFileName("features.terms.file", t.File); err != nil {
			return err
		}
		if t.Forms != nil {
			if t.Lemmas != 0 {
				return errors.New("features.terms has both lemmas and forms: lemmas are of English, forms of another language")
			}
			if err := checkFileName("features.terms.forms.file", t.Forms.File); err != nil {
				return err
			}
		}
		if t.Lemmas != 0 && t.Lemmas != features.Lemmas {
			return fmt.Errorf("the model was fitted on lemmas of number %d, this program has number %d: fit it again", t.Lemmas, features.Lemmas)
		}
	}
	if len(m.Inputs) != inputs || len(m.Outputs) != 1 && len(m.Outputs) != says {
		return fmt.Errorf("head features has %d inputs and 1 or %d outputs here, the manifest names %d and %d", inputs, says, len(m.Inputs), len(m.Outputs))
	}
	return nil
}

func (featureGraph) ports(m Manifest) (takes, gives []port) {
	f := m.Features
	if f == nil {
		return nil, nil
	}
	says := len(m.Outputs) > 1
	takes = []port{{dtype: floats, shape: []int64{-1, int64(len(f.Names))}}}
	gives = []port{{dtype: floats, shape: []int64{-1, 1}}}
	if says {
		gives = append(gives, port{dtype: floats, shape: []int64{-1, int64(len(f.Names) + len(f.Computed))}})
	}
	if f.Terms != nil {
		takes = append(takes, port{dtype: longs, shape: []int64{-1, mostTerms}}, port{dtype: floats, shape: []int64{-1, mostTerms}})
		if says {
			gives = append(gives, port{dtype: floats, shape: []int64{-1, mostTerms}})
		}
	}
	return takes, gives
}

func (featureGraph) choose(inputs, outputs []ort.InputOutputInfo) []string {
	features := port{dtype: floats, shape: []int64{-1, anyFixed}}
	scores := port{dtype: floats, shape: []int64{-1, 1}}
	if len(inputs) != 1 && len(inputs) != 3 || len(outputs) == 0 || !features.takes(inputs[0]) || !scores.takes(outputs[0]) {
		return nil
	}
	return namesOf(outputs[:min(len(outputs), 3)])
}

// featureModel scores a passage by its features: the graph takes [rows, features]
// float32 and gives [rows, 1] float32. With terms in the manifest it also takes
// [rows, 512] int64, the terms of the model's vocabulary that the passage has, 0
// behind the last, and [rows, 512] float32, how often it has each. A graph that
// says why gives two more: what each feature added to the output, and each term.
type featureModel struct {
	session    *ort.DynamicAdvancedSession
	names      []string // of the features, and those that the graph computes
	vocabulary *features.Vocabulary
	says       bool               // why
	free       chan *featureSpace // kept between calls; tensors are C memory, so a pool that forgets would leak
	inputs     int                // features
	rows       int                // of a batch
}

// featureSpace is the memory of one batch.
type featureSpace struct {
	reader          *features.Reader
	bag             *features.Bag // nil without terms
	inputs, outputs []ort.Value
	matrix, score   []float32
	terms           []int64
	times           []float32
	why, whyTerms   []float32
	given           []float32 // one vector
}

func (g featureGraph) bind(dir string, m Manifest, inputs, outputs []ort.InputOutputInfo) (runner, error) {
	f := m.Features
	h := &featureModel{free: make(chan *featureSpace, runtime.GOMAXPROCS(0)), names: slices.Concat(f.Names, f.Computed), inputs: len(f.Names), rows: featureRows, says: len(m.Outputs) > 1}
	if f.Terms != nil {
		h.rows = termRows
		v, err := readVocabulary(dir, f.Terms)
		if err != nil {
			return nil, err
		}
		h.vocabulary = v
	}
	takes, gives := g.ports(m)
	if err := checkPorts("input", inputs, m.Inputs, takes); err != nil {
		return nil, err
	}
	if err := checkPorts("output", outputs, m.Outputs, gives); err != nil {
		return nil, err
	}
	if len(inputs) != len(takes) {
		return nil, fmt.Errorf("the graph has %d inputs (%s), this manifest's head features gives %d", len(inputs), portNames(inputs), len(takes))
	}
	return h, nil
}

func (h *featureModel) open(s *ort.DynamicAdvancedSession, _ string, _ Options, _ *counters) {
	h.session = s
}

func (h *featureModel) window() int { return 2 * featureRows }

// readVocabulary reads the list of terms, and that of forms.
func readVocabulary(dir string, t *Terms) (*features.Vocabulary, error) {
	data, err := readNamed(dir, t.File, t.SHA256)
	if err != nil {
		return nil, err
	}
	v, err := features.ParseVocabulary(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.File, err)
	}
	v.Lemmas = t.Lemmas != 0
	if t.Forms == nil {
		return v, nil
	}
	if data, err = readNamed(dir, t.Forms.File, t.Forms.SHA256); err != nil {
		return nil, err
	}
	if v.Forms, err = features.ParseForms(string(data)); err != nil {
		return nil, fmt.Errorf("%s: %w", t.Forms.File, err)
	}
	return v, nil
}

func (h *featureModel) space() (*featureSpace, error) {
	select {
	case s := <-h.free:
		return s, nil
	default:
	}
	s := &featureSpace{
		matrix: make([]float32, h.rows*h.inputs),
		score:  make([]float32, h.rows),
		given:  make([]float32, h.inputs),
	}
	var err error
	if s.reader, err = features.NewReader(h.names[:h.inputs]); err != nil {
		return nil, err
	}
	keep := func(to *[]ort.Value) func(ort.Value, error) {
		return func(v ort.Value, failed error) {
			switch {
			case failed == nil:
				*to = append(*to, v)
			case err == nil:
				err = failed
			}
		}
	}
	in, out := keep(&s.inputs), keep(&s.outputs)
	in(tensorOver(h.rows, s.matrix, h.inputs))
	out(tensorOver(h.rows, s.score, 1))
	if h.says {
		s.why = make([]float32, h.rows*len(h.names))
		out(tensorOver(h.rows, s.why, len(h.names)))
	}
	if h.vocabulary != nil {
		s.bag = features.NewBag(h.vocabulary)
		s.terms, s.times = make([]int64, h.rows*mostTerms), make([]float32, h.rows*mostTerms)
		in(tensorOver(h.rows, s.terms, mostTerms))
		in(tensorOver(h.rows, s.times, mostTerms))
		if h.says {
			s.whyTerms = make([]float32, h.rows*mostTerms)
			out(tensorOver(h.rows, s.whyTerms, mostTerms))
		}
	}
	if err != nil {
		s.destroy()
		return nil, err
	}
	return s, nil
}

// tensorOver is a batch in Go's memory.
func tensorOver[T ort.TensorData](rows int, memory []T, columns int) (ort.Value, error) {
	return ort.NewTensor(ort.NewShape(int64(rows), int64(columns)), memory)
}

func (h *featureModel) giveBack(s *featureSpace) {
	select {
	case h.free <- s:
	default:
		s.destroy()
	}
}

func (s *featureSpace) destroy() {
	for _, v := range slices.Concat(s.inputs, s.outputs) {
		v.Destroy()
	}
}

func (h *featureModel) score(ctx context.Context, passages []commonplace.Passage, out []output) error {
	s, err := h.space()
	if err != nil {
		return err
	}
	defer h.giveBack(s)
	for begin := 0; begin < len(passages); begin += h.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := passages[begin:min(begin+h.rows, len(passages))]
		clear(s.matrix)
		clear(s.terms)
		clear(s.times)
		for i := range batch {
			truncated, err := s.fill(i, &batch[i])
			if err != nil {
				return atInput(begin+i, err)
			}
			out[begin+i].truncated = truncated
		}
		if err := h.session.Run(s.inputs, s.outputs); err != nil {
			return fmt.Errorf("passages %s to %s: %w", batch[0].ID, batch[len(batch)-1].ID, err)
		}
		for i := range batch {
			out[begin+i].value = float64(s.score[i])
			if h.says {
				out[begin+i].reasons = h.reasons(s, i)
			}
		}
	}
	return nil
}

// fill writes a passage into row i of the batch. More terms than the graph takes
// are cut off behind the first.
func (s *featureSpace) fill(i int, p *commonplace.Passage) (truncated bool, err error) {
	if math.IsNaN(p.Position) || p.Position < 0 || p.Position > 1 {
		return false, fmt.Errorf("position is %v, expected 0 to 1", p.Position)
	}
	if s.bag == nil {
		err = s.reader.Read(p, s.given)
	} else {
		err = s.bag.Read(s.reader, p, s.given)
	}
	if err != nil {
		return false, err
	}
	copy(s.matrix[i*len(s.given):], s.given)
	if s.bag == nil {
		return false, nil
	}
	for k, id := range s.bag.Terms() {
		if k == mostTerms {
			return true, nil
		}
		s.terms[i*mostTerms+k], s.times[i*mostTerms+k] = int64(id), float32(s.bag.Times(id))
	}
	return false, nil
}

// reasons are what moved the score of row i most, up or down.
func (h *featureModel) reasons(s *featureSpace, i int) []commonplace.Reason {
	var all []commonplace.Reason
	add := func(name string, by float32) {
		if by != 0 {
			all = append(all, commonplace.Reason{Feature: name, Effect: float64(by)})
		}
	}
	for k, name := range h.names {
		add(name, s.why[i*len(h.names)+k])
	}
	if h.vocabulary != nil {
		for k, id := range s.terms[i*mostTerms : (i+1)*mostTerms] {
			if id == 0 {
				break
			}
			add("“"+h.vocabulary.Term(int32(id))+"”", s.whyTerms[i*mostTerms+k])
		}
	}
	slices.SortStableFunc(all, func(a, b commonplace.Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return slices.Clone(all[:min(mostReasons, len(all))])
}

func (h *featureModel) close() {
	for {
		select {
		case s := <-h.free:
			s.destroy()
		default:
			return
		}
	}
}
