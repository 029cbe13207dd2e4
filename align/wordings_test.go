package align

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/ngrams"
)

// wordings are four versions of a text: every tenth sentence or so of one is put otherwise.
func wordings(r *rand.Rand, text string) []string {
	made := []string{text}
	for range 3 {
		parts := strings.SplitAfter(text, ". ")
		for i := range parts {
			if r.IntN(8) == 0 {
				words := strings.Fields(parts[i])
				r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
				parts[i] = strings.Join(words, " ") + ". "
			}
		}
		made = append(made, strings.Join(parts, ""))
	}
	return made
}

// Boilerplate whose copies differ a little, in wording and by damage, is told to
// be boilerplate and reported once; and which of its copies is reported does not
// depend on how the sources are cut into parts.
func TestWordingsOfBoilerplateAreOne(t *testing.T) {
	c := made()
	o := Defaults()
	r := rand.New(rand.NewPCG(17, 23))
	versions := wordings(r, licence(t)[600:4600])
	for _, every := range []int{1 << 30, 250, 60} {
		stats := NewStats(o)
		var docs []commonplace.Document
		for i := range 80 {
			book := c.books[i%len(c.books)].Text
			text := strings.ToValidUTF8(book[i*300:i*300+5000], "") + "\n\n" + aligntest.Damage(r, versions[i%4], every)
			docs = append(docs, document(fmt.Sprintf("vol-%02d", (i*37)%80), text))
			stats.Count(docs[i])
		}
		splits := map[int][]*Part{}
		for _, n := range []int{1, 2, 3, 7, 80} {
			for p := range n {
				splits[n] = append(splits[n], openPart(t, docs[len(docs)*p/n:len(docs)*(p+1)/n], stats, o))
			}
		}
		for k, text := range []string{versions[0], versions[2], aligntest.Damage(r, versions[1], 100), versions[3][1000:1800]} {
			derived := essay(r, c, 0)
			derived.Text += "\n\n" + text + "\n\n" + derived.Text
			var want []commonplace.Alignment
			for _, n := range []int{1, 2, 3, 7, 80} {
				var found []Candidate
				for _, p := range splits[n] {
					found = append(found, p.Find(derived)...)
				}
				rows := Merge(found, o)
				if n == 1 {
					want = rows
				} else if !reflect.DeepEqual(rows, want) {
					t.Errorf("damage 1 in %d, text %d: %d parts give other rows: %d, one gives %d", every, k, n, len(rows), len(want))
				}
			}
			shared := slices.DeleteFunc(slices.Clone(want), func(a commonplace.Alignment) bool { return a.Places <= ngrams.LongLimit })
			for _, a := range want {
				t.Logf("damage 1 in %d, text %d: %s, %d places, %.0f bits, similarity %.3f, %d of %d", every, k, a.SourceID, a.Places, a.Score, a.Similarity, a.DerivedEnd-a.DerivedBegin, len(text))
			}
			if len(want) != 1 || len(shared) != 1 {
				t.Errorf("damage 1 in %d, text %d: boilerplate of 80 documents is reported %d times of %d finds", every, k, len(shared), len(want))
			}
		}
	}
}
