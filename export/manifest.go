package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// program is what an export says it was written by.
const program = "commonplace"

// manifest says what the export was made from. It holds no clock and no path of
// the machine.
type manifest struct {
	Program string            `json:"program"`
	Version string            `json:"version"`
	Export  exportSettings    `json:"export"`
	Sources []*source         `json:"sources"`
	RELiC   *relicCounts      `json:"relic,omitempty"`
	Tagged  *taggedCounts     `json:"token_classification,omitempty"`
	For     []purposeCounts   `json:"for,omitempty"`
	Reuse   *reusedCounts     `json:"text_reuse,omitempty"`
	Configs []manifestConfig  `json:"configs"`
	Tables  []table.Commit    `json:"tables"` // commit records of all tables of the run, with their settings
	Tree    map[string]string `json:"fingerprints"`
}

type exportSettings struct {
	Title       string            `json:"title"`
	Formats     []string          `json:"formats"`
	WithoutText bool              `json:"without_text"`
	Rights      map[string]string `json:"rights"`
	Licence     string            `json:"licence"`
}

type manifestConfig struct {
	Config   string           `json:"config"`
	Rows     map[string]int64 `json:"rows"` // by split
	Withheld int64            `json:"withheld"`
}

func (j *job) manifest(all []*gathered) (string, error) {
	m := manifest{Program: program, Version: commonplace.Version, Sources: j.rights.sources, Tables: []table.Commit{}, Tree: map[string]string{}}
	m.Export = exportSettings{Title: j.options.Title, WithoutText: j.options.WithoutText, Rights: j.options.Rights, Licence: j.options.Licence}
	if m.Export.Rights == nil {
		m.Export.Rights = map[string]string{}
	}
	for _, f := range Formats() {
		if j.formats[f] {
			m.Export.Formats = append(m.Export.Formats, f)
		}
	}
	if j.relic != nil {
		m.RELiC = &j.relic.stats
	}
	m.Tagged = j.tagged
	for _, x := range j.purposes {
		m.For = append(m.For, x.Stats)
	}
	if j.reused != nil {
		m.Reuse = &j.reused.stats
	}
	for _, g := range all {
		rows := map[string]int64{}
		for _, s := range g.Splits {
			rows[s.Name] = s.Rows
		}
		m.Configs = append(m.Configs, manifestConfig{g.Name, rows, g.Withheld})
	}
	for _, t := range table.All() {
		if c, ok := j.commits[t.Describe().Name]; ok {
			m.Tables = append(m.Tables, c)
			m.Tree[c.Table] = c.Fingerprint()
		}
	}
	return indented(m)
}

// statistics are the card's in numbers, distributions whole.
func statistics(all []*gathered) (string, error) {
	type numbers struct {
		What   string  `json:"what"`
		N      int64   `json:"n"`
		Mean   float64 `json:"mean"`
		Median float64 `json:"median"`
		Least  float64 `json:"least"`
		Most   float64 `json:"most"`
		// Counts are pairs of a number and how often it occurs, where at most a
		// thousand different ones do; similarity and noise in thousandths.
		Counts [][2]int64 `json:"counts,omitempty"`
	}
	type one struct {
		Config        string                      `json:"config"`
		Distributions []numbers                   `json:"distributions"`
		Tallies       map[string]map[string]int64 `json:"tallies"`
	}
	list := []one{}
	for _, g := range all {
		o := one{Config: g.Name, Distributions: []numbers{}, Tallies: map[string]map[string]int64{}}
		for _, d := range g.Distributions {
			n := numbers{What: d.What, N: d.N, Mean: d.Mean(), Median: d.Median(), Least: d.Least(), Most: d.Most()}
			for _, x := range slices.Sorted(maps.Keys(d.Counts)) {
				if len(d.Counts) > 1000 {
					break
				}
				n.Counts = append(n.Counts, [2]int64{x, d.Counts[x]})
			}
			o.Distributions = append(o.Distributions, n)
		}
		for _, t := range g.Tallies {
			o.Tallies[t.What] = t.Of
		}
		list = append(list, o)
	}
	return indented(list)
}

func indented(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return "", fmt.Errorf("manifest: %w", err)
	}
	return b.String(), nil
}

// citation is a CITATION.cff of the dataset, with the papers whose datasets were
// regenerated among its references.
func (j *job) citation(all byName) string {
	var b strings.Builder
	fmt.Fprintf(&b, `cff-version: 1.2.0
message: If you use this dataset, please cite it, and the papers whose datasets it follows.
type: dataset
title: %s
version: %s
abstract: >-
  Quotation data made with Commonplace %s. The version is the beginning of the
  SHA-256 of the tables that it was exported from.
keywords:
  - quotations
  - text reuse
authors:
  - name: Commonplace
`, quoted(j.options.Title), quoted(j.version()), commonplace.Version)
	if id, _ := j.licence(); !slices.Contains([]string{"other", "unknown"}, id) {
		fmt.Fprintf(&b, "license: %s\n", spdx(id))
	}
	any := false
	for _, p := range papers {
		if all[p.Kind] == nil {
			continue
		}
		if !any {
			b.WriteString("references:\n")
			any = true
		}
		fmt.Fprintf(&b, "  - type: article\n    title: %s\n    authors:\n", quoted(p.Title))
		for _, a := range p.Authors {
			fmt.Fprintf(&b, "      - name: %s\n", quoted(a))
		}
	}
	return b.String()
}
