package runner

import (
	"context"
	"errors"
	"flag"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn1x1[string, error](&failFn{})
}

// failFn fails with the element that it gets.
type failFn struct {
	Calls int // how often this copy was called
}

func (f *failFn) ProcessElement(element string) error {
	if f.Calls++; f.Calls > 1 {
		return errors.New(element)
	}
	return nil
}

// A process takes Beam's flags once: a build that brings others is refused, and not
// run with the first one's.
func TestBeamTakesFlagsOnce(t *testing.T) {
	if err := prepareBeam(nil); err != nil {
		t.Fatal(err)
	}
	if err := prepareBeam([]string{"--job_name=another"}); err == nil || !strings.Contains(err.Error(), "takes flags once") {
		t.Errorf("other flags than the first: %v", err)
	}
	if err := prepareBeam([]string{"--job_name=" + flag.Lookup("job_name").Value.String()}); err != nil {
		t.Errorf("flags that are so already: %v", err)
	}
}

// What the embedded runner does not know it refuses, and does not leave out.
func TestTheEmbeddedRunnerRefusesOtherGraphs(t *testing.T) {
	if err := prepareBeam(nil); err != nil {
		t.Fatal(err)
	}
	p := beam.NewPipeline()
	one := beam.CreateList(p.Root(), []string{"a"})
	beam.ParDo0(p.Root(), &failFn{}, one)
	beam.ParDo0(p.Root(), &failFn{}, one)
	if _, err := runEmbedded(context.Background(), p, 1); err == nil || !strings.Contains(err.Error(), "does not follow") {
		t.Errorf("of a list that two steps read it says %v", err)
	}
	p = beam.NewPipeline()
	beam.ParDo0(p.Root(), &failFn{}, beam.Flatten(p.Root(), beam.CreateList(p.Root(), []string{"a"})))
	beam.CreateList(p.Root(), []string{"b"})
	if _, err := runEmbedded(context.Background(), p, 1); err == nil {
		t.Error("two lists in one graph were taken for one")
	}
}

// Each of the workers at once has its own copy of the functions, and the first
// that fails ends the job.
func TestEmbeddedWorkers(t *testing.T) {
	if err := prepareBeam(nil); err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, elements []string, atOnce int) (*failFn, error) {
		p := beam.NewPipeline()
		f := &failFn{}
		beam.ParDo0(p.Root(), f, beam.Reshuffle(p.Root(), beam.CreateList(p.Root(), elements)))
		_, err := runEmbedded(ctx, p, atOnce)
		return f, err
	}
	f, err := run(context.Background(), []string{"first", "second", "third"}, 1)
	if err == nil || !strings.Contains(err.Error(), "second") || strings.Contains(err.Error(), "third") {
		t.Errorf("the error is %v, want the second element's alone", err)
	}
	if f.Calls != 0 {
		t.Error("the function that was submitted was used, and not a copy")
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := run(stopped, []string{"first", "second"}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that is stopped says %v", err)
	}
}
