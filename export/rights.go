package export

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/table"
)

// source is where documents, or quotations, came from and what may be done with them.
type source struct {
	Name          string   `json:"name"`
	Documents     int64    `json:"documents"`
	Quotes        int64    `json:"quotes"` // of a list
	Conversations int64    `json:"conversations"`
	Characters    int64    `json:"characters"`
	Rights        []string `json:"rights"` // statements; an empty one is unknown
	Open          bool     `json:"open"`   // all of them allow the text to be given on
	Languages     []string `json:"languages"`
}

// kinds are what has its name.
func (s *source) kinds() (list []string) {
	for _, k := range []struct {
		rows int64
		name string
	}{{s.Documents, "a source"}, {s.Quotes, "a quote list"}, {s.Conversations, "the conversations"}} {
		if k.rows > 0 {
			list = append(list, k.name)
		}
	}
	return list
}

// rights is an allow-list: whose text may be given on. What it does not know it
// does not allow.
type rights struct {
	sources []*source

	everything bool    // nothing was asked to be withheld
	documents  allowed // by doc_id
	quotes     allowed // by quote_id
	all        bool    // every document may be given on

	conversations bool // so may all conversations
}

// Documents says whether the text of a document stays in the export, and of all
// others that are named.
func (r *rights) Documents(ids ...string) bool { return r.everything || r.documents.all(ids...) }

// Quote says the same of the words of a quote list.
func (r *rights) Quote(id string) bool { return r.everything || r.quotes.all(id) }

// Conversations says it of the conversations' turns.
func (r *rights) Conversations() bool { return r.conversations }

// AllDocuments says whether the texts of all documents stay.
func (r *rights) AllDocuments() bool { return r.everything || r.all }

// allowed are ids by their hashes, which stand for them where a collection's ids
// would be too many to hold: sorted, for allows to find them.
type allowed []digest

type digest [16]byte

func digestOf(id string) (d digest) {
	sum := sha256.Sum256([]byte(id)) // nobody can make an id whose text is then taken for another's
	copy(d[:], sum[:])
	return d
}

func compareDigests(a, b digest) int { return bytes.Compare(a[:], b[:]) }

// all says whether every one of the ids is allowed.
func (a allowed) all(ids ...string) bool {
	for _, id := range ids {
		if _, found := slices.BinarySearchFunc(a, digestOf(id), compareDigests); !found {
			return false
		}
	}
	return len(ids) > 0
}

// readRights reads what documents and quotes say of themselves. given are
// statements by the name of a source or quote list: they take the place of what
// its rows say. Without withhold every text stays.
func readRights(ctx context.Context, run string, commits map[string]table.Commit, given map[string]string, withhold bool) (*rights, error) {
	r := &rights{everything: !withhold, all: commits[table.Documents.Name].Rows > 0}
	sources := statedSources{given: given, byName: map[string]*source{}}
	err := eachRow(ctx, run, commits, table.Documents, []string{"doc_id", "source", "rights", "language", "characters"}, func(d *commonplace.Document) {
		s := sources.of(d.Source)
		s.Documents++
		s.Characters += d.Characters
		if at, found := slices.BinarySearch(s.Languages, d.Language); !found && d.Language != "" {
			s.Languages = slices.Insert(s.Languages, at, d.Language)
		}
		if !sources.state(s, d.Rights) {
			r.all = false
		} else if withhold {
			r.documents = append(r.documents, digestOf(d.ID))
		}
	})
	if err != nil {
		return nil, err
	}
	err = eachRow(ctx, run, commits, table.Quotes, []string{"quote_id", "source", "rights"}, func(q *commonplace.Quote) {
		s := sources.of(q.Source)
		s.Quotes++
		if sources.state(s, q.Rights) && withhold {
			r.quotes = append(r.quotes, digestOf(q.ID))
		}
	})
	if err != nil {
		return nil, err
	}
	if c := commits[table.Conversations.Name]; c.Rows > 0 {
		s := sources.of("conversations") // the files do not say whose they are
		s.Conversations = c.Rows
		r.conversations = sources.state(s, "")
	}
	r.conversations = r.conversations || r.everything
	slices.SortFunc(r.documents, compareDigests)
	slices.SortFunc(r.quotes, compareDigests)
	for _, name := range slices.Sorted(maps.Keys(sources.byName)) {
		r.sources = append(r.sources, sources.byName[name])
	}
	return r, nil
}

// statedSources are sources and what is said of their rights.
type statedSources struct {
	given  map[string]string // statements of the user's, by a source's name
	byName map[string]*source
}

func (s statedSources) of(name string) *source {
	if s.byName[name] == nil {
		s.byName[name] = &source{Name: name, Rights: []string{}, Languages: []string{}, Open: true}
	}
	return s.byName[name]
}

// state adds what a row says of its rights, and says whether its text may be given on.
func (s statedSources) state(of *source, statement string) bool {
	if g, ok := s.given[of.Name]; ok {
		statement = g
	}
	if at, found := slices.BinarySearch(of.Rights, statement); !found {
		of.Rights = slices.Insert(of.Rights, at, statement)
	}
	free := Open(statement)
	of.Open = of.Open && free
	return free
}

// eachRow reads some columns of a whole table.
func eachRow[T any](ctx context.Context, run string, commits map[string]table.Commit, t *table.Table[T], columns []string, look func(*T)) error {
	commit := commits[t.Name]
	for i, path := range commit.ShardPaths(run) {
		rows := int64(0)
		for row, err := range t.Rows(ctx, path, columns...) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			rows++
			look(&row)
		}
		if err := sameRows(path, rows, commit.Shards[i].Rows); err != nil {
			return err
		}
	}
	return nil
}

// Words that may follow a statement without taking anything back: a closed list, since any
// other word may be a condition or a misspelt one ("CC BY-NCSA", "CC BY revoked").
const (
	// The places by which licences of Creative Commons 3.0 and earlier were ported, and
	// what the others are called.
	ported = `international|intl|unported|generic|universal|igo|am|ar|at|au|az|be|bg|br|ca|ch|cl|cn|co|cr|cz|de|dk|ec|ee|eg|es|fi|fr|ge|gr|gt|` +
		`hk|hr|hu|ie|il|in|it|jp|kr|lu|mk|mt|mx|my|ni|nl|no|nz|pe|ph|pl|pr|pt|ro|rs|se|sg|si|th|tw|ug|uk|us|ve|vn|za`
	countries = `u\.?s\.?|u\.?s\.?a\.?|united states( of america)?|u\.?k\.?|united kingdom|european union|e\.?u\.?|most countries|` +
		`australia|austria|belgium|canada|denmark|france|germany|india|ireland|italy|japan|netherlands|new zealand|norway|poland|portugal|russia|spain|sweden|switzerland`
	places = `( (in|within) (the )?(` + countries + `))?`
)

// openStatement has the statements that allow it, from their first word to their
// last; conditions are words that take back what the others say.
var (
	openStatement = regexp.MustCompile(`^(` + strings.Join([]string{
		`(dedicated to the )?public domain( (mark|dedication))?( 1\.0)?` + places,
		`pd|pdus|pddl([- ]1\.0)?`,
		`cc0([- ]1\.0)?( universal)?( public domain( dedication)?)?`,
		`cc[- ]zero([- ]1\.0)?`,
		`cc[- ]by([- ]sa)?([- ]\d\.\d([- ](` + ported + `))?)?`,
		`creative commons (zero|attribution([- ]share[- ]?alike)?)( \d\.\d( (` + ported + `))?)?( licen[cs]e)?`,
		`no known copyright( restrictions?)?( exists?)?` + places,
	}, "|") + `)$`)
	conditions = regexp.MustCompile(`\b(nc|nd|not|non\w*|noderiv\w*|all|rights|reserved|but|except\w*|only|unless|until|elsewhere|outside|or|some|parts?|permission|private|personal)\b`)
)

// Open says whether a rights statement allows the text to be given on as it is,
// in whole and in part, by anyone: the public domain, CC0, CC BY and CC BY-SA,
// and HathiTrust's codes for them. What is not known is not allowed, and no
// more are licences with conditions on use (NC) or on parts (ND).
func Open(statement string) bool {
	s := strings.ToLower(strings.Join(strings.Fields(statement), " "))
	return openStatement.MatchString(strings.TrimSuffix(s, ".")) && !conditions.MatchString(s)
}

// licence is the card's: an identifier of the Hugging Face hub, and a name where
// that is "other".
func (r *rights) licence() (id, name string) {
	all := map[string]bool{}
	for _, s := range r.sources {
		for _, statement := range s.Rights {
			all[hubLicence(statement)] = true
		}
	}
	if len(all) == 1 {
		for id := range all {
			if id == "public-domain" {
				return "other", id
			}
			return id, ""
		}
	}
	return "other", "mixed"
}

var version = regexp.MustCompile(`\d\.\d`)

// hubLicence is the nearest identifier of the hub.
func hubLicence(statement string) string {
	s := strings.ToLower(strings.Join(strings.Fields(statement), " "))
	switch {
	case s == "":
		return "unknown"
	case !Open(statement):
		return "other"
	case strings.HasPrefix(s, "cc0"), strings.HasSuffix(s, "zero"), strings.Contains(s, "commons zero"):
		return "cc0-1.0"
	case strings.HasPrefix(s, "cc"), strings.HasPrefix(s, "creative"):
		id := "cc-by"
		if strings.Contains(s, "sa") || strings.Contains(s, "share") {
			id += "-sa"
		}
		return id + "-" + cmp.Or(version.FindString(s), "4.0")
	}
	return "public-domain"
}
