package export

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

//go:embed card.md
var cardText string

var cardTemplate = template.Must(template.New("card").Funcs(template.FuncMap{"thousands": thousands, "cell": cell}).Parse(cardText))

// card is what the template gets. Strings that come from data have passed
// through cell.
type card struct {
	FrontMatter, Title, Program, Papers string
	WithoutText                         bool
	Withheld                            int64
	Configs                             []cardConfig
	Absent                              string
	Loads, Tagged                       bool
	First, Variable                     string
	Other                               []string
	Sources                             []cardSource
	Checks                              []cardCheck
	Dates                               []cardDates
	Held                                []cardTally
	Uncounted                           string
	Numbers                             []cardNumbers
	Tallies                             []cardTally
	Plots                               []plot
	Beside                              []cardPaper
	Tables                              []cardTable
}

type cardConfig struct {
	Name, What, Rows string
	Columns          []table.Column
}

type cardSource struct {
	*source
	Statement, Kept string
}

type cardCheck struct{ What, Config, Keys, Result string }

type cardDates struct {
	Split string
	span
}

type cardNumbers struct{ Config, What, N, Mean, Median, Least, Most string }

type cardTally struct{ Config, What, Rows string }

type cardPaper struct {
	Name    string
	Figures []figure
}

type cardTable struct {
	table.Commit
	Print string
}

// describe writes everything that is not rows.
func (j *job) describe(all []*gathered) error {
	named := byName{}
	for _, g := range all {
		named[g.Name] = g
	}
	plots, err := j.plots(named)
	if err != nil {
		return err
	}
	numbers, err := statistics(all)
	if err != nil {
		return err
	}
	made, err := j.manifest(all)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := cardTemplate.Execute(&text, j.card(all, named, plots)); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	for _, f := range []struct{ name, content string }{
		{"README.md", text.String()}, {"statistics.json", numbers}, {manifestFile, made}, {"CITATION.cff", j.citation(named)},
	} {
		if err := j.folder.write(f.name, f.content); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) card(all []*gathered, named byName, plots []plot) card {
	c := card{Title: cell(j.options.Title), Program: commonplace.Version, WithoutText: j.options.WithoutText, Plots: plots,
		First: j.first, Variable: j.first, Loads: j.formats[HF] || j.formats[JSONL], Tagged: named["examples"] != nil,
		FrontMatter: j.frontMatter(all), Other: j.others(named),
		Absent: j.absent(), Uncounted: uncounted(j.commits[table.QuoteCounts.Name])}
	for i, g := range all {
		c.add(j.kinds[i], g)
	}
	c.Papers, c.Beside = cardPapers(named)
	for _, s := range j.rights.sources {
		c.Sources = append(c.Sources, j.cardSource(s))
	}
	for _, t := range table.All() {
		if commit, ok := j.commits[t.Describe().Name]; ok {
			c.Tables = append(c.Tables, cardTable{commit, commit.Fingerprint()[:12]})
		}
	}
	return c
}

// add takes what was gathered of one table.
func (c *card) add(k kind, g *gathered) {
	c.Withheld += g.Withheld
	c.Configs = append(c.Configs, cardConfig{g.Name, k.Row, rowsBySplit(g), k.features().documented()})
	c.Checks = append(c.Checks, g.checks()...)
	for _, s := range slices.SortedFunc(maps.Keys(g.Dates), splitOrder) {
		c.Dates = append(c.Dates, cardDates{s, g.Dates[s]})
	}
	if len(g.Commit.Checks) > 0 {
		held := counted(g.Commit.Checks, func(what string) string { return strings.TrimSuffix(what, "_in_one_split") })
		c.Held = append(c.Held, cardTally{Config: g.Name, Rows: held})
	}
	for _, d := range g.Distributions {
		if d.N > 0 {
			c.Numbers = append(c.Numbers, cardNumbers{g.Name, d.What, thousands(d.N), short(d.Mean()), short(d.Median()), short(d.Least()), short(d.Most())})
		}
	}
	for _, t := range g.Tallies {
		c.Tallies = append(c.Tallies, cardTally{g.Name, t.What, counted(t.Of, func(what string) string { return what })})
	}
}

// checks says of each key, and of the days, what is in two splits.
func (g *gathered) checks() []cardCheck {
	var list []cardCheck
	for _, k := range g.Keys {
		if k.Why == "" || k.Weak && k.What != "quote_id" {
			continue
		}
		result := "none"
		switch n := thousands(k.Leaks()); {
		case k.Leaks() > 0 && k.Weak:
			result = fmt.Sprintf("%s; the run was asked to split by %s", n, splitBy(g.Commit))
		case k.Leaks() > 0:
			result = "**" + n + "**"
		}
		list = append(list, cardCheck{k.Why, g.Name, thousands(k.Keys()), result})
	}
	if warning := g.thin(); warning != "" {
		list = append(list, cardCheck{"no split is empty, or under 2 % of the rows", g.Name, thousands(int64(len(g.Splits))) + " splits", "**" + warning + "**"})
	}
	if len(g.Dates) > 0 {
		result := "none"
		if two := g.Dates.overlap(); two != "" {
			result = "**" + two + " overlap**"
		}
		list = append(list, cardCheck{"no day is in two splits (Quotus)", g.Name, thousands(int64(len(g.Dates))) + " splits", result})
	}
	return list
}

// counted is counts on one line, in the order of what is counted.
func counted(counts map[string]int64, name func(what string) string) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, cell(name(what))+" "+thousands(counts[what]))
	}
	return strings.Join(parts, " · ")
}

// cardPapers are the titles of the papers whose data is exported, and their figures beside ours.
func cardPapers(named byName) (titles string, beside []cardPaper) {
	var list []string
	for _, p := range papers {
		if named[p.Kind] == nil {
			continue
		}
		list = append(list, "*"+p.Title+"*")
		if p.figures != nil {
			beside = append(beside, cardPaper{p.Name, p.figures(named)})
		}
	}
	return strings.Join(list, ", "), beside
}

func (j *job) cardSource(s *source) cardSource {
	c := cardSource{source: s, Kept: "here"}
	var statements []string
	for i, r := range s.Rights {
		if i == 5 {
			statements = append(statements, fmt.Sprintf("and %d more", len(s.Rights)-i))
			break
		}
		if r == "" {
			r = "unknown"
		}
		statements = append(statements, cell(r))
	}
	c.Statement = strings.Join(statements, "; ")
	if j.options.WithoutText && !s.Open {
		c.Kept = "left out"
		if slices.ContainsFunc(s.Rights, Open) {
			c.Kept = "left out where the rights do not allow it"
		}
	}
	return c
}

// absent names the tables that the run has and that have no rows.
func (j *job) absent() string {
	var none []string
	for _, k := range kinds() {
		if c, ok := j.commits[k.Name]; ok && c.Rows == 0 && len(j.options.Tables) == 0 {
			none = append(none, "`"+k.Name+"`")
		}
	}
	return strings.Join(none, ", ")
}

// others are the files that are not Parquet.
func (j *job) others(named byName) []string {
	var lines []string
	if j.formats[JSONL] && j.formats[HF] {
		lines = append(lines, "`jsonl/`: a JSON object a line, classes by their names")
	}
	if j.formats[SQuAD] {
		line := "`squad/`: SQuAD 1.1; the paragraph that holds the quote is the context, the quote's context the question"
		if j.options.Paraphrased {
			line += "; those of `examples` are paraphrases, and examples without one are left out"
		}
		lines = append(lines, line)
	}
	if j.formats[CoNLL] {
		lines = append(lines, "`conll/`: a word, a tab and its IOB2 tag a line, a blank line after each row, in the order of the rows")
	}
	if j.relic != nil {
		n := j.relic.stats
		line := fmt.Sprintf("`relic/`: RELiC's layout, %s by `doc_id` of the source", numberOf(n.Written, "window"))
		if n.Long > 0 {
			line += fmt.Sprintf("; %s of more than %d sentences, which its evaluation does not read, are left out", thousands(n.Long), relicSentences)
		}
		if n.Short > 0 {
			line += fmt.Sprintf("; %s of sources with fewer, on which it ends, too", thousands(n.Short))
		}
		lines = append(lines, line)
	}
	for _, x := range j.purposes {
		lines = append(lines, fmt.Sprintf("`%s/`: %s ([how to train on it](%s/README.md))", x.name, purposeTexts[x.name].row, x.name))
	}
	if j.reused != nil {
		lines = append(lines, j.reused.describe()...)
	}
	if j.options.WithoutText && len(lines) > 0 {
		lines = append(lines, "rows whose texts are left out are not in `squad/`, `conll/`, `relic/`, `passim/`, `textpair/` and the folders of training rows")
	}
	return lines
}

// uncounted says which alignments were found and not counted.
func uncounted(counts table.Commit) string {
	var parts []string
	for _, reason := range [][2]string{
		{"boilerplate", "boilerplate (words that stand at more than 16 places of the sources)"},
		{"of_adaptations", "of documents that adapt the source"},
		{"below_min_confidence", "below the confidence that was asked for"},
	} {
		if n := counts.Counts[reason[0]]; n > 0 {
			parts = append(parts, thousands(n)+" "+reason[1])
		}
	}
	return strings.Join(parts, ", ")
}

func rowsBySplit(g *gathered) string {
	var parts []string
	for _, s := range g.Splits {
		parts = append(parts, s.Name+" "+thousands(s.Rows))
	}
	return strings.Join(parts, " · ")
}

// documented are the columns with their classes, for the card.
func (f features) documented() []table.Column {
	var columns []table.Column
	for _, c := range f.columns {
		if names := f.labels[c.Name]; names != nil {
			var parts []string
			for i, n := range names {
				parts = append(parts, fmt.Sprintf("%d %s", i, n))
			}
			c.Type = strings.Replace(c.Type, "int64", "class ("+strings.Join(parts, ", ")+")", 1)
		}
		c.Type, c.Doc = cell(c.Type), cell(c.Doc)
		columns = append(columns, c)
		dot := map[bool]string{true: "[].", false: "."}[strings.HasPrefix(c.Type, "list")]
		for _, f := range c.Fields {
			columns = append(columns, table.Column{Name: c.Name + dot + f.Name, Type: cell(f.Type), Doc: cell(f.Doc)})
		}
	}
	return columns
}

// version is the beginning of a hash of the tables that are exported.
func (j *job) version() string {
	h := sha256.New()
	for _, k := range j.kinds {
		fmt.Fprintln(h, j.commits[k.Name].Fingerprint())
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// cell is text from data in a cell of a Markdown table: on one line, and nothing
// in it is Markdown or HTML.
func cell(s string) string {
	return markdown.Replace(strings.Join(strings.Fields(s), " "))
}

var markdown = strings.NewReplacer("|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "`", "&#96;", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "!", `\!`, `\`, `\\`)

// thousands is a number with commas between groups of three digits.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// numberOf is a number with the noun of what is counted, which is given in the singular.
func numberOf(n int64, noun string) string { return thousands(n) + " " + commonplace.NounOf(n, noun) }

// short is a number with three digits, or as many as are before its point.
func short(x float64) string {
	if x >= 1000 {
		return thousands(int64(x + 0.5))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
