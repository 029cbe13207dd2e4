package align

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/aligntest"
	"github.com/commonplace/commonplace/align/fold"
	"github.com/commonplace/commonplace/align/ngrams"
)

// This is a second aligner, by brute force, written from docs/alignment.md and
// sharing nothing with the first: its folding is strings.Fields, its counts are
// maps, its search tries every word of the derived text at every word of the
// source. It knows texts of small letters and spaces, and finds in which letters
// are exchanged but none is lost or added.

// plainText is words and where each begins among the letters.
type plainText struct {
	words  []string
	starts []int
	all    string // the letters
	begin  []int  // byte of the text at which each word begins
}

func plain(text string) *plainText {
	p := &plainText{}
	at, letters := 0, 0
	for _, w := range strings.Fields(text) {
		at += strings.Index(text[at:], w)
		p.words, p.starts, p.begin = append(p.words, w), append(p.starts, letters), append(p.begin, at)
		p.all += w
		at, letters = at+len(w), letters+len(w)
	}
	return p
}

// language is the counts of a collection.
type language struct {
	grams         map[string]float64 // of one to three words, with spaces between
	windows       map[string]int     // of 8 and of 12 letters at word starts
	words, around float64            // words and letters in all
}

func (l *language) count(text string) {
	p := plain(text)
	for i, w := range p.words {
		l.grams[w]++
		if i > 0 {
			l.grams[p.words[i-1]+" "+w]++
		}
		if i > 1 {
			l.grams[p.words[i-2]+" "+p.words[i-1]+" "+w]++
		}
		for _, n := range []int{8, 12} {
			if at := p.starts[i]; at+n <= len(p.all) {
				l.windows[p.all[at:at+n]]++
			}
		}
	}
	l.words, l.around = l.words+float64(len(p.words)), l.around+float64(len(p.all))
}

// chance is p(w | u v), every count one lower; u and v may be empty.
func (l *language) chance(u, v, w string) float64 {
	less := func(gram string) float64 { return max(0, l.grams[gram]-1) }
	p := (less(w) + 0.5) / (l.words + 1)
	discounted := func(seen, all, heaps, p float64) float64 {
		if all < 1 {
			return p
		}
		step := math.Exp2(math.Floor(4*math.Log2(all)+1e-9) / 4) // the successors, in quarters of an octave
		return max(0, min(seen, all)-0.75)/all + 0.75*math.Pow(step, heaps-1)*p
	}
	if v != "" {
		p = discounted(less(v+" "+w), less(v), 0.78, p)
		if u != "" {
			p = discounted(less(u+" "+v+" "+w), less(u+" "+v), 0.85, p)
		}
	}
	return p
}

func (l *language) bits(u, v, w string) float64 { return min(15, -math.Log2(l.chance(u, v, w))) }

// bruteFind is a stretch of whole source words and of as many letters of the derived side.
type bruteFind struct {
	derived, source [2]int // bytes of the texts
	bits            float64
	first, last     int  // source words
	shift           int  // derived letter less source letter
	repeats         bool // a word that says much was said within the eight before: what it says is not checked
}

// bruteForce is every best stretch on a diagonal that says threshold or more.
func (l *language) bruteForce(derived, source string, threshold float64) (out []bruteFind) {
	d, s := plain(derived), plain(source)
	word := make([]int, len(d.all)) // of the derived side that begins at a letter, and one more
	for i, at := range d.starts {
		word[at] = i + 1
	}
	surprise := make([]float64, len(s.words))
	for k, w := range s.words {
		surprise[k] = l.bits(wordBack(s, k, 2), wordBack(s, k, 1), w)
	}
	gain := make([]float64, len(s.words))  // what every word of the source says on a diagonal
	share := make([]float64, len(s.words)) // of its letters that are equal there
	damaged := func(score, share float64) float64 { return score*share - 7*(1-share) }
	for shift := -len(s.all); shift < len(d.all); shift++ {
		n, miss, hopeful := len(s.words), false, false
		for k, w := range s.words {
			at := s.starts[k] + shift
			gain[k], share[k] = -7, 0
			if miss {
				gain[k] = -3.5
			}
			if at >= 0 && at+len(w) <= len(d.all) {
				equal := 0
				for i := range len(w) {
					if d.all[at+i] == w[i] {
						equal++
					}
				}
				share[k] = float64(equal) / float64(len(w))
				// A word in the same place that is no misprint is another word.
				other := share[k] >= 0.5 && share[k] < 1 && word[at] > 0 && len(d.words[word[at]-1]) == len(w) && l.bits("", "", d.words[word[at]-1]) < 14.9
				switch {
				case other && share[k] >= 0.7:
					gain[k] = -2
				case !other && share[k] >= 0.5:
					gain[k] = damaged(surprise[k], share[k])
				}
			}
			miss = gain[k] < 0
			hopeful = hopeful || gain[k] > 5
		}
		if !hopeful {
			continue
		}
		for from := 0; from < n; {
			// The best stretch of the words up to where the sum has fallen by more than it can bear.
			sum, best, first, last, begin := 0.0, 0.0, -1, -1, from
			k := from
			for ; k < n; k++ {
				if sum <= 0 {
					sum, begin = 0, k
				}
				if sum += gain[k]; sum > best+1e-9 {
					best, first, last = sum, begin, k
				}
				if best > 0 && sum < best-15 {
					break
				}
			}
			from = max(k, from+1)
			// How far it goes is decided by letters, 2 for an equal one and -3 for another; then the words at its ends count whole.
			if first >= 0 {
				first, last = s.lettersEnds(d, shift, first, last)
			}
			best = 0
			for i, to := max(0, first), last; i <= to; i++ { // of these the stretch that says most, from a word's beginning to a word's end on both sides
				sum := 0.0
				if at := s.starts[i] + shift; at < 0 || at >= len(d.all) || word[at] == 0 {
					continue
				}
				for k := i; k <= to; k++ {
					end := s.starts[k] + len(s.words[k]) + shift
					if sum += gain[k]; sum > best+1e-9 && (end == len(d.all) || end < len(d.all) && word[end] > 0) {
						best, first, last = sum, i, k
					}
				}
			}
			if first < 0 || last-first < 4 {
				continue
			}
			f := bruteFind{bits: best, first: first, last: last, shift: shift}
			// The first word counts without context and the second with one word, where that says more.
			for i, u := range []string{"", wordBack(s, first+1, 1)} {
				k := first + i
				if gain[k] == damaged(surprise[k], share[k]) {
					f.bits += max(0, damaged(l.bits("", u, s.words[k]), share[k])-gain[k])
				}
			}
			for k := first; k <= last; k++ {
				f.repeats = f.repeats || max(surprise[k], l.bits("", "", s.words[k])) > 6 && slices.Contains(s.words[max(0, k-8):k], s.words[k])
			}
			if f.bits >= threshold {
				end := d.letterEnd(s.starts[last] + len(s.words[last]) + shift)
				f.derived, f.source = [2]int{d.letter(s.starts[first] + shift), end}, [2]int{s.begin[first], s.begin[last] + len(s.words[last])}
				out = append(out, f)
			}
		}
	}
	return out
}

// lettersEnds is the words first..last without those at the ends that no best sum of letters reaches.
func (s *plainText) lettersEnds(d *plainText, shift, first, last int) (int, int) {
	score := func(k, i int) int {
		if at := s.starts[k] + i + shift; at >= 0 && at < len(d.all) && s.words[k][i] == d.all[at] {
			return 2
		}
		return -3
	}
	sum, best, to := 0, 0, first
	for k := first; k <= last; k++ {
		for i := range s.words[k] {
			if sum += score(k, i); sum > best {
				best, to = sum, k
			}
		}
	}
	sum, best = 0, 0
	from := to
	for k := to; k >= first; k-- {
		for i := len(s.words[k]) - 1; i >= 0; i-- {
			if sum += score(k, i); sum > best {
				best, from = sum, k
			}
		}
	}
	return from, to
}

// gapped says whether the letters around a find, 2 for an equal pair, -3 for
// another, -4 for a gap and -1 for each of its letters, align better with gaps than on
// the find's diagonal.
func (f *bruteFind) gapped(dText, sText *plainText) bool {
	const room, low = 60, -1 << 20
	from, to := sText.starts[f.first], sText.starts[f.last]+len(sText.words[f.last])
	straight, best := 0, 0
	for i := from; i < to; i++ {
		if straight -= 3; dText.all[i+f.shift] == sText.all[i] {
			straight += 5
		}
	}
	d := dText.all[max(0, from+f.shift-room):min(len(dText.all), to+f.shift+room)]
	s := sText.all[max(0, from-room):min(len(sText.all), to+room)]
	row, up := make([]int, len(s)+1), make([]int, len(s)+1)
	for j := range up {
		up[j] = low
	}
	for i := range len(d) {
		corner, left := 0, low
		for j := range len(s) {
			up[j+1] = max(up[j+1]-1, row[j+1]-5)
			left = max(left-1, row[j]-5)
			v := corner - 3
			if d[i] == s[j] {
				v = corner + 2
			}
			corner = row[j+1]
			row[j+1] = max(0, v, up[j+1], left)
			best = max(best, row[j+1])
		}
	}
	return best > straight
}

// wordBack is the n-th word before the k-th.
func wordBack(p *plainText, k, n int) string {
	if k < n {
		return ""
	}
	return p.words[k-n]
}

// letter is the byte of the text at which the i-th letter stands.
func (p *plainText) letter(i int) int {
	k, _ := slices.BinarySearch(p.starts, i+1)
	return p.begin[k-1] + i - p.starts[k-1]
}

func (p *plainText) letterEnd(i int) int { return p.letter(i-1) + 1 }

// seeds are the words of a find from which the aligner could come upon it: where
// both sides have a word start and then 8 equal letters, or 12 where the 8 are
// frequent. Of two that begin within 4 letters the source may have either entered,
// so those are left out.
func (f *bruteFind) seeds(l *language, d, s *plainText) (n int) {
	for k := f.first; k <= f.last; k++ {
		at := s.starts[k]
		if len(s.words[k]) < 4 || k > 0 && len(s.words[k-1]) < 4 {
			continue
		}
		for _, c := range [][2]int{{8, 3}, {12, 16}} {
			letters, most := c[0], c[1]
			if at+letters > len(s.all) || at+f.shift < 0 || at+f.shift+letters > len(d.all) {
				continue
			}
			if w := s.all[at : at+letters]; l.windows[w] <= most && d.all[at+f.shift:at+f.shift+letters] == w && slices.Contains(d.starts, at+f.shift) {
				n++
				break
			}
		}
	}
	return n
}

// plainCorpus is books of made words without marks, and a derived text that takes
// passages of one, some with letters exchanged.
var plainCorpus = sync.OnceValues(func() ([]string, *language) {
	r := rand.New(rand.NewPCG(101, 103))
	words := map[string]bool{}
	for len(words) < 2500 {
		w := make([]byte, 2+r.IntN(9))
		for i := range w {
			w[i] = "bcdfghlmnprstvwaeiou"[r.IntN(20)]
		}
		words[string(w)] = true
	}
	var list []string
	for w := range words {
		list = append(list, w)
	}
	slices.Sort(list)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	zipf := rand.NewZipf(r, 1.15, 5, uint64(len(list)-1))
	l := &language{grams: map[string]float64{}, windows: map[string]int{}}
	var books []string
	for range 60 {
		var b strings.Builder
		for range 700 {
			b.WriteString(list[zipf.Uint64()] + " ")
		}
		books = append(books, b.String())
		l.count(b.String())
	}
	return books, l
})

// checkAgainstBruteForce looks for passages of a book that stand in a text, both
// ways, and says how often the finds were the same, and why not.
func checkAgainstBruteForce(t *testing.T, seed uint64, tally map[string]int) {
	books, l := plainCorpus()
	stats, o := plainStats(), Defaults()
	r := rand.New(rand.NewPCG(seed, 7))
	b := r.IntN(len(books))
	source := strings.Fields(books[b])
	var text []string
	for range 2 + r.IntN(3) {
		other := strings.Fields(books[(b+1+r.IntN(len(books)-1))%len(books)]) // of which the part has nothing
		at := r.IntN(len(other) - 40)
		text = append(text, other[at:at+20+r.IntN(20)]...)
		at = r.IntN(len(source) - 40)
		words := slices.Clone(source[at : at+4+r.IntN(16)])
		if every := []int{1 << 30, 25, 12}[r.IntN(3)]; every < 1<<30 {
			words = strings.Fields(aligntest.Damage(r, strings.Join(words, " "), every))
		}
		text = append(text, words...)
	}
	derived := strings.Join(text, " ")
	d, s := plain(derived), plain(books[b])
	threshold := stats.DocumentThreshold(o)
	if want := math.Log2(l.around * 1e6 / 0.025); math.Abs(threshold-want) > 1e-9 {
		t.Fatalf("threshold %v, the definition gives %v", threshold, want)
	}
	p := openPart(t, []commonplace.Document{document(fmt.Sprint(b), books[b])}, stats, o)
	rows := p.Find(document("derived", derived))
	for _, f := range l.bruteForce(derived, books[b], threshold) {
		if f.repeats {
			tally["a word repeated"]++
			continue
		}
		// The find of the aligner that has most of it.
		best, row := 0, commonplace.Alignment{}
		for _, a := range rows {
			have := func(from, to int64, f [2]int) int { return max(0, min(int(to), f[1])-max(int(from), f[0])) }
			if n := min(have(a.DerivedBegin, a.DerivedEnd, f.derived), have(a.SourceBegin, a.SourceEnd, f.source)); n > best {
				best, row = n, a.Alignment
			}
		}
		shared := false // a word, pair or triple has the count of another one too, as large tables of counts without names do
		for _, w := range strings.Fields(derived[f.derived[0]:f.derived[1]] + " " + books[b][f.source[0]:f.source[1]]) {
			shared = shared || math.Abs(stats.counts.WordBits(hashOf(w))-l.bits("", "", w)) > 1.0/ngrams.WeightUnit
		}
		for k := max(1, f.first-1); k <= f.last; k++ { // from the words on that are the context of the first
			v, w := s.words[k-1], s.words[k]
			shared = shared || float64(stats.counts.Gram(ngrams.PairHash(hashOf(v), hashOf(w)))) != l.grams[v+" "+w] ||
				k < f.first && math.Abs(stats.counts.WordBits(hashOf(w))-l.bits("", "", w)) > 1.0/ngrams.WeightUnit
			if u := wordBack(s, k, 2); u != "" {
				shared = shared || float64(stats.counts.Gram(ngrams.TripleHash(hashOf(u), hashOf(v), hashOf(w)))) != l.grams[u+" "+v+" "+w]
			}
		}
		what := fmt.Sprintf("seed %d: %.2f bits (threshold %.2f), %q in %q", seed, f.bits, threshold, derived[f.derived[0]:f.derived[1]], books[b][f.source[0]:f.source[1]])
		switch n := f.seeds(l, d, s); {
		case best == 0 && n < 2:
			tally["missed: fewer than two seeds"]++
		case best == 0 && len(p.findAll(document("derived", derived))) > len(rows):
			tally["missed: an estimate says too little"]++
		case shared:
			tally["a count shared with others"]++
		case best == 0:
			tally["missed"]++
			t.Errorf("missed, with %d seeds: %s", n, what)
		case row.Score < f.bits-0.02 && f.gapped(d, s):
			tally["less: letters aligned better with gaps"]++
		case row.Score < f.bits-0.02 && (len(row.DerivedText) > f.derived[1]-f.derived[0] || len(row.SourceText) > f.source[1]-f.source[0]):
			tally["less: longer, over a gap or into a word"]++ // in whose context it says less
		case row.Score < f.bits-0.02:
			tally["less"]++
			t.Errorf("found with %.2f bits: %s\n\tas %q in %q", row.Score, what, row.DerivedText, row.SourceText)
		case row.Score <= f.bits+0.02:
			if row.DerivedText != derived[f.derived[0]:f.derived[1]] || row.SourceText != books[b][f.source[0]:f.source[1]] {
				t.Errorf("found at another place: %s\n\tas %q in %q", what, row.DerivedText, row.SourceText)
			}
			tally["the same"]++
		case len(row.DerivedText) > f.derived[1]-f.derived[0] || len(row.SourceText) > f.source[1]-f.source[0]:
			tally["more: longer, over a gap or into a word"]++ // which the definition above does not know
		default:
			tally["more"]++
			t.Errorf("found with %.2f bits: %s\n\tas %q in %q", row.Score, what, row.DerivedText, row.SourceText)
		}
	}
}

// plainStats is the aligner's counts of the books, and plainPart an index part over all of them.
var plainStats = sync.OnceValue(func() *Stats {
	books, _ := plainCorpus()
	s := NewStats(Defaults())
	for i, b := range books {
		s.Count(document(fmt.Sprint(i), b))
	}
	return s
})

func hashOf(text string) uint64 {
	h, _ := fold.WordHash(append(lettersIn(text), make([]byte, fold.Padding)...), 0)
	return h
}

// findAll is Find where no estimate keeps a hit from being aligned.
func (p *Part) findAll(derived commonplace.Document) []Candidate {
	c := &search{of: map[int][]int32{}}
	c.begin(p, derived)
	c.m.Slack = 1e9
	c.scan(p)
	return c.rows(p, derived)
}

// What the brute force finds is found, with the same score and ends. Where it is
// not, the cause is one of those that are counted here, and each is shown to be the cause.
func TestBruteForceFindsNoMore(t *testing.T) {
	tally := map[string]int{}
	for seed := range uint64(40) {
		checkAgainstBruteForce(t, seed, tally)
	}
	t.Log(tally)
	same, others := tally["the same"], 0
	for what, n := range tally {
		if what != "the same" && what != "a word repeated" && what != "a count shared with others" {
			others += n
		}
	}
	if same < 60 || others > same/8 {
		t.Errorf("finds of the brute force: %v", tally)
	}
}

func FuzzBruteForce(f *testing.F) {
	for _, seed := range []uint64{1000, 1001, 1002, 1003} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { checkAgainstBruteForce(t, seed, map[string]int{}) })
}
