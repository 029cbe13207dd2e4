package export

import (
	"cmp"
	"context"
	"hash/fnv"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

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

// rights says whose text may be given on.
type rights struct {
	sources  []*source
	withheld []uint64 // hashes of the ids of documents whose text is left out, sorted
	all      bool     // none is: the text of every document may be given on
	quotes   bool     // so may the words of all quote lists

	conversations bool // and all conversations
}

// allows says whether a document's text stays in the export.
func (r *rights) allows(ids ...string) bool {
	if r.all {
		return true
	}
	for _, id := range ids {
		if id == "" {
			continue
		}
		if _, found := slices.BinarySearch(r.withheld, hashOf(id)); found {
			return false
		}
	}
	return true
}

// hashOf stands for an id where a collection's ids would be too many to hold.
func hashOf(id string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, id)
	return h.Sum64()
}

// readRights reads what documents and quotes say of themselves. given are
// statements by the name of a source or quote list: they take the place of what
// its rows say. Without withhold every text stays.
func readRights(ctx context.Context, run string, commits map[string]table.Commit, given map[string]string, withhold bool) (*rights, error) {
	r := &rights{quotes: true, conversations: true}
	byName := map[string]*source{}
	of := func(name string) *source {
		if byName[name] == nil {
			byName[name] = &source{Name: name, Rights: []string{}, Languages: []string{}, Open: true}
		}
		return byName[name]
	}
	add := func(s *source, statement string) bool {
		if g, ok := given[s.Name]; ok {
			statement = g
		}
		if at, found := slices.BinarySearch(s.Rights, statement); !found {
			s.Rights = slices.Insert(s.Rights, at, statement)
		}
		free := Open(statement)
		s.Open = s.Open && free
		return free
	}
	for _, path := range commits[table.Documents.Name].ShardPaths(run) {
		for d, err := range table.Documents.Rows(path, "doc_id", "source", "rights", "language", "characters") {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			s := of(d.Source)
			s.Documents++
			s.Characters += d.Characters
			if at, found := slices.BinarySearch(s.Languages, d.Language); !found && d.Language != "" {
				s.Languages = slices.Insert(s.Languages, at, d.Language)
			}
			if !add(s, d.Rights) && withhold {
				r.withheld = append(r.withheld, hashOf(d.ID))
			}
		}
	}
	for _, path := range commits[table.Quotes.Name].ShardPaths(run) {
		for q, err := range table.Quotes.Rows(path, "source", "rights") {
			if err := cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			s := of(q.Source)
			s.Quotes++
			if !add(s, q.Rights) && withhold {
				r.quotes = false
			}
		}
	}
	if c := commits[table.Conversations.Name]; c.Rows > 0 {
		s := of("conversations") // the files do not say whose they are
		s.Conversations = c.Rows
		r.conversations = add(s, "") || !withhold
	}
	slices.Sort(r.withheld)
	r.all = len(r.withheld) == 0
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		r.sources = append(r.sources, byName[name])
	}
	return r, nil
}

var openStatement = regexp.MustCompile(`^(public domain\b.*|pd|pdus|pddl|cc0\b.*|cc[- ]zero|cc[- ]by([- ]sa)?([- ]\d.*)?|creative commons (zero|attribution(-?share-?alike)?)\b( \d.*)?|no known copyright.*)$`)

// Open says whether a rights statement allows the text to be given on as it is,
// in whole and in part, by anyone: the public domain, CC0, CC BY and CC BY-SA,
// and HathiTrust's codes for them. What is not known is not allowed, and no
// more are licences with conditions on use (NC) or on parts (ND).
func Open(statement string) bool {
	s := strings.ToLower(strings.Join(strings.Fields(statement), " "))
	return openStatement.MatchString(strings.TrimSuffix(s, "."))
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
