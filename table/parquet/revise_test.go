package parquet

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
)

// ranked are rows of rankings of which the places depend on salt.
func ranked(n, salt, letters int) iter.Seq2[commonplace.Ranking, error] {
	return func(yield func(commonplace.Ranking, error) bool) {
		for i := range n {
			doc := fmt.Sprintf("doc-%03d", i/100)
			r := commonplace.Ranking{
				PassageID: fmt.Sprintf("%s:%d", doc, i%100), DocID: doc, Index: int64(i % 100), Begin: int64(i), End: int64(i + letters),
				Text: strings.Repeat(fmt.Sprint(i, " "), letters/len(fmt.Sprint(i, " "))), Score: float64(i%97) / 97, RankInDocument: int64(i%100 + 1),
				RankOverall: int64((i*7919+salt)%n + 1), Percentile: float64((i*31+salt)%n) / float64(n), QuoteCount: int64(i % 3),
			}
			if i%5 == 0 {
				r.Reasons = []commonplace.Reason{{Feature: "words", Effect: float64(i)}, {Feature: "love", Effect: -1}}
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func writtenRanking(t *testing.T, path string, rows iter.Seq2[commonplace.Ranking, error]) []byte {
	t.Helper()
	w, err := Rankings.CreateFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for r := range rows {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A revised shard has the bytes of one that was written row by row: with no rows,
// one, several row groups, and where it declines because pages would end elsewhere.
func TestARevisedShardIsTheOneThatWouldBeWritten(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		rows, letters int
		revised       bool
	}{{0, 10, true}, {1, 10, true}, {500, 300, true}, {12_000, 900, true}, {40_000, 10, false}} {
		base, full, path := filepath.Join(dir, "base"), filepath.Join(dir, "full"), filepath.Join(dir, "revised")
		writtenRanking(t, base, ranked(c.rows, 1, c.letters))
		want := writtenRanking(t, full, ranked(c.rows, 2, c.letters))
		w, err := Rankings.CreateFile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		done, err := w.Revise(base, sumOfFile(t, base), []string{"rank_overall", "percentile"}, func(yield func(commonplace.Ranking, error) bool) {
			for r := range ranked(c.rows, 2, 10) {
				if !yield(commonplace.Ranking{RankOverall: r.RankOverall, Percentile: r.Percentile}, nil) {
					return
				}
			}
		})
		if err != nil || done != c.revised {
			t.Fatalf("%d rows of %d letters: revised %v, %v; want %v", c.rows, c.letters, done, err, c.revised)
		}
		if !done {
			w.Abort()
			continue
		}
		record, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) || record.Rows != int64(c.rows) || record.Bytes != int64(len(want)) {
			t.Errorf("%d rows of %d letters: other bytes than those of rows written one by one", c.rows, c.letters)
		}
	}
}

func sumOfFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Rows too many or too few and a column that is none are errors, and nothing
// becomes visible.
func TestAShardIsRevisedWholeOrNot(t *testing.T) {
	dir := t.TempDir()
	base, path := filepath.Join(dir, "base"), filepath.Join(dir, "revised")
	writtenRanking(t, base, ranked(200, 1, 50))
	sum := sumOfFile(t, base)
	for name, try := range map[string]func(w *Writer[commonplace.Ranking]) (bool, error){
		"fewer rows": func(w *Writer[commonplace.Ranking]) (bool, error) {
			return w.Revise(base, sum, []string{"rank_overall"}, ranked(199, 2, 10))
		},
		"more rows": func(w *Writer[commonplace.Ranking]) (bool, error) {
			return w.Revise(base, sum, []string{"rank_overall"}, ranked(201, 2, 10))
		},
		"text": func(w *Writer[commonplace.Ranking]) (bool, error) {
			return w.Revise(base, sum, []string{"text"}, ranked(200, 2, 10))
		},
		"a row more": func(w *Writer[commonplace.Ranking]) (bool, error) {
			if done, err := w.Revise(base, sum, []string{"rank_overall"}, ranked(200, 2, 10)); !done || err != nil {
				return true, err
			}
			return false, w.Write(commonplace.Ranking{DocID: "zz"})
		},
	} {
		w, err := Rankings.CreateFile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if done, err := try(w); done || err == nil {
			t.Errorf("%s: %v, %v", name, done, err)
		}
		if _, err := w.Close(); err == nil {
			t.Errorf("%s: the shard was closed", name)
		}
		w.Abort()
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: there is a shard", name)
		}
	}
}

// A base that is not there, was cut or has a byte that is not its own gives
// nothing, wherever the damage is, and the rows can be written one by one.
func TestADamagedShardIsNotRevised(t *testing.T) {
	dir := t.TempDir()
	base, path := filepath.Join(dir, "base"), filepath.Join(dir, "revised")
	whole := writtenRanking(t, base, ranked(200, 1, 50))
	want := writtenRanking(t, path, ranked(200, 2, 50))
	sum := sumOfFile(t, base)
	damage := map[string][]byte{"empty": {}, "gone": nil}
	for at := 0; at < len(whole); at += 1 + len(whole)/40 {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1 << (at % 8)
		damage[fmt.Sprint("flipped at ", at)], damage[fmt.Sprint("cut at ", at)] = flipped, whole[:at]
	}
	for at := len(whole) - 900; at < len(whole); at += 11 { // the footer, which is read before anything is copied
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1 << (at % 8)
		damage[fmt.Sprint("flipped at ", at)] = flipped
	}
	for name, b := range damage {
		os.Remove(base)
		if b != nil {
			if err := os.WriteFile(base, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		os.Remove(path)
		w, err := Rankings.CreateFile(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if done, err := w.Revise(base, sum, []string{"rank_overall", "percentile"}, ranked(200, 2, 10)); done || err != nil {
			t.Fatalf("%s: revised %v, %v", name, done, err)
		}
		for r := range ranked(200, 2, 50) {
			if err := w.Write(r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if _, err := w.Close(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: other bytes after it (%v)", name, err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}
