package main

import (
	"context"
	"encoding/json"

	"github.com/commonplace/commonplace/export"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ranking"
)

// contextOf is how much of a context is read: by the config that is named, else by what the
// run's recommendations or choices were made with, else all.
func contextOf(ctx context.Context, args []string, run string) (config.Context, error) {
	if len(args) == 1 && !isFolder(args[0]) {
		c, err := config.Load(ctx, args[0])
		if err != nil {
			return config.Context{}, err
		}
		return c.Recommend.Context, nil
	}
	made := config.Recommend{Context: config.DefaultContext()}
	found, err := engine.SettingsOf(ctx, run, ranking.Recommend{}.Identity().Name, &made)
	if err == nil && !found { // the run recommends nothing, and may have choices
		_, err = engine.SettingsOf(ctx, run, "negatives", &made.Context)
	}
	return made.Context, err
}

// questionsOf are the contexts of a run, for rows that models are trained on.
func questionsOf(dir string, read config.Context, wrong, nearest float64) export.Asking {
	return func(ctx context.Context, datasets []string, leave func(string) bool, do func(export.Question) error) error {
		return ranking.Questions(ctx, dir, ranking.Asking{Context: read, Datasets: datasets, Wrong: wrong, Nearest: nearest, Leave: leave}, func(q ranking.Question) error {
			trained, err := json.Marshal(q.Trained)
			if err != nil {
				return err
			}
			return do(export.Question{
				Dataset: q.Dataset, ID: q.ID, DocID: q.DocID, Split: q.Split, Context: q.Context, Title: q.Title, Body: q.Body,
				Right: answersOf(q.Right), Wrong: answersOf(q.Wrong), Elsewhere: q.Elsewhere, Missing: q.Missing, Trained: trained,
			})
		})
	}
}

func answersOf(all []ranking.Answer) []export.Answer {
	var out []export.Answer
	for _, a := range all {
		out = append(out, export.Answer{ID: a.ID, Text: a.Text, Begin: a.Span.Begin, End: a.Span.End, CutBegin: a.CutBegin, CutEnd: a.CutEnd})
	}
	return out
}

// trainingLines are those of a run's documents.
func trainingLines(dir string) func(context.Context) export.Lines {
	return func(ctx context.Context) export.Lines {
		return func(yield func([]byte, error) bool) {
			for d, err := range ranking.TrainedOn(ctx, dir) {
				var line []byte
				if err == nil {
					line, err = json.Marshal(d)
				}
				if !yield(line, err) || err != nil {
					return
				}
			}
		}
	}
}
