package infer

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
)

// ran is a run of a fake graph: how many texts of how many tokens.
type ran struct{ rows, length int }

// fakeRunner's graph gives each row the sum of its ids, and refuses runs of more
// tokens than a device of little memory holds.
func fakeRunner(runs *[]ran, memory, lanes int) *textRunner {
	var lock sync.Mutex
	r := &textRunner{
		inputs: 2, outputs: 1, splits: true, counts: &counters{}, shapes: shapes{budget: 64, max: 64}, window: 64, encoders: 2,
		graph: func(l *lane, n int, lengths []int) ([]result, error) {
			lock.Lock()
			*runs = append(*runs, ran{n, lengths[0]})
			lock.Unlock()
			if n*lengths[0] > memory {
				return nil, errors.New("Failed to allocate memory for requested buffer of size 12345")
			}
			sums := make([]float32, n)
			for i := range sums {
				for _, id := range l.inputs[0][i*lengths[0] : (i+1)*lengths[0]] {
					sums[i] += float32(id)
				}
			}
			return []result{{sums, []int64{int64(n), 1}}}, nil
		},
	}
	r.open(lanes)
	return r
}

// runFake runs n texts of 1 to longest tokens and holds each text's row to it,
// once.
func runFake(t *testing.T, r *textRunner, n, longest int) error {
	t.Helper()
	got := make([][]float32, n)
	err := r.each(t.Context(), n, func(it *item) error {
		it.encoded.IDs = slices.Repeat([]int64{1}, 1+it.at%longest)
		it.encoded.Mask = it.encoded.IDs
		return nil
	}, func(it *item, out row) error {
		got[it.at] = append(got[it.at], out.values[0][0])
		return nil
	})
	for i, rows := range got {
		if err == nil && !slices.Equal(rows, []float32{float32(1 + i%longest)}) {
			t.Fatalf("text %d has the rows %v, want one of %d tokens", i, rows, 1+i%longest)
		}
	}
	return err
}

// Whatever a batch lacks is filled up, so that kernels see a fixed set of shapes.
func TestBatchesKeepEachTextsOwnRow(t *testing.T) {
	var runs []ran
	r := fakeRunner(&runs, 100, 2)
	if err := runFake(t, r, 3*64+17, 40); err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if run.rows != r.shapes.rows(run.length) {
			t.Errorf("a run of %d texts of %d tokens, want %d", run.rows, run.length, r.shapes.rows(run.length))
		}
	}
}

// Of texts of up to 16 tokens 64 tokens run together, then the half, then the
// quarter; what was too much once is not tried again.
func TestOutOfMemoryHalvesTheBatch(t *testing.T) {
	for _, test := range []struct{ memory, refused int }{{64, 0}, {40, 1}, {20, 2}} {
		var runs []ran
		if err := runFake(t, fakeRunner(&runs, test.memory, 1), 200, 16); err != nil {
			t.Fatal(err)
		}
		refused := slices.DeleteFunc(runs, func(run ran) bool { return run.rows*run.length <= test.memory })
		if len(refused) != test.refused {
			t.Errorf("memory for %d tokens: the runs %v were tried, want %d", test.memory, refused, test.refused)
		}
	}
	var runs []ran
	if err := runFake(t, fakeRunner(&runs, 20, 3), 200, 16); err != nil { // several at once
		t.Fatal(err)
	}
	err := runFake(t, fakeRunner(&runs, 15, 2), 200, 16)
	if err == nil || !strings.Contains(err.Error(), "1 texts of 16 tokens: Failed to allocate") {
		t.Errorf("error %v", err)
	}
}

func TestErrorsOfONNXRuntimeInOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"/onnxruntime_src/onnxruntime/core/session/provider_bridge_ort.cc:2043 onnxruntime::Provider& onnxruntime::ProviderLibrary::Get() [ONNXRuntimeError] : 1 : FAIL : Failed to load library libonnxruntime_providers_cuda.so with error: libcuda.so.1: cannot open": "Failed to load library libonnxruntime_providers_cuda.so with error: libcuda.so.1: cannot open",
		"Error creating session:\n no such operator": "Error creating session: no such operator",
		"[ONNXRuntimeError] : 1":                     "[ONNXRuntimeError] : 1",
	} {
		if got := oneLine(errors.New(text)); got != want {
			t.Errorf("%q", got)
		}
	}
}

func TestOutOfMemoryInItsManyWords(t *testing.T) {
	for text, want := range map[string]bool{
		"BFCArena::AllocateRawInternal Available memory of 1024 is smaller than requested bytes of 4096": true,
		"CUDA failure 2: out of memory ; GPU=0":                                                          true,
		"Failed to allocate memory for requested buffer of size 51380224":                                true,
		"CUBLAS failure 3: CUBLAS_STATUS_ALLOC_FAILED":                                                   true,
		"Non-zero status code returned while running Gather node: indices element":                       false,
	} {
		if got := outOfMemory(errors.New(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestShapesFollowFromTheTextAlone(t *testing.T) {
	s := shapes{budget: 128, max: 200}
	for n, want := range map[int]int{1: 8, 8: 8, 9: 16, 64: 64, 65: 80, 193: 200, 200: 200, 201: 201} {
		if got := s.length(n); got != want {
			t.Errorf("length(%d) = %d, want %d", n, got, want)
		}
	}
	if s.rows(8) != 16 || s.rows(128) != 1 || s.rows(500) != 1 {
		t.Errorf("rows %d %d %d", s.rows(8), s.rows(128), s.rows(500))
	}
}
