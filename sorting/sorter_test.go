package sorting

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSorter(t *testing.T) {
	held, merged := HeldBytes, MergedRuns
	HeldBytes, MergedRuns = 2000, 3 // so that records go through files, and these through several merges
	t.Cleanup(func() { HeldBytes, MergedRuns = held, merged })
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 20, 1000, 3000, -3000} {
		type record struct{ key, value []byte }
		var want []record
		s := Sorter{Distinct: n < 0}
		n = max(n, -n)
		for range n {
			b := make([]byte, r.IntN(12))
			for i := range b {
				b[i] = byte(r.IntN(3)) // equal keys, and keys that begin others
			}
			k := r.IntN(len(b) + 1)
			want = append(want, record{b[:k], b[k:]})
			if err := s.Add(b[:k], b[k:]); err != nil {
				t.Fatal(err)
			}
		}
		slices.SortFunc(want, func(a, b record) int { return cmp.Or(bytes.Compare(a.key, b.key), bytes.Compare(a.value, b.value)) })
		if s.Distinct {
			want = slices.CompactFunc(want, func(a, b record) bool { return bytes.Equal(a.key, b.key) && bytes.Equal(a.value, b.value) })
			n = len(want)
		}
		for range 2 { // the second time as the first
			i := 0
			err := s.Each(func(key, value []byte) error {
				if !bytes.Equal(key, want[i].key) || !bytes.Equal(value, want[i].value) {
					t.Fatalf("record %d of %d: %q %q, want %q", i, n, key, value, want[i])
				}
				i++
				return nil
			})
			if err != nil || i != n {
				t.Fatalf("%d of %d, %v", i, n, err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Records that are equal hundreds of times lie in the files some times.
func TestEqualRecordsAreKeptOnce(t *testing.T) {
	held := HeldBytes
	HeldBytes = 100_000
	t.Cleanup(func() { HeldBytes = held })
	const records, times = 1770, 300
	s := Sorter{Distinct: true}
	defer s.Close()
	for range times {
		for i := range records {
			if err := s.Add(binary.BigEndian.AppendUint64(nil, uint64(i)), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	size, n := int64(0), 0
	for _, f := range slices.Concat(s.levels...) {
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if err := s.Each(func(_, _ []byte) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	if n != records || size == 0 || size > 40*10*records {
		t.Errorf("%d records, want %d, in %d bytes", n, records, size)
	}
}
