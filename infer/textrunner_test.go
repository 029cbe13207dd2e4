package infer

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fakeRunner's graph gives each row the sum of its ids, and refuses runs of more
// rows than a device of little memory holds.
func fakeRunner(rows *[]int, memory int) *textRunner {
	var lock sync.Mutex
	r := &textRunner{
		inputs: 2, outputs: 1, splits: true, counts: &counters{}, shapes: shapes{budget: 64, max: 64}, window: 64, encoders: 2,
		graph: func(l *lane, n int, lengths []int) ([]result, error) {
			lock.Lock()
			*rows = append(*rows, n)
			lock.Unlock()
			if n > memory {
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
	r.open(2)
	return r
}

func runFake(t *testing.T, r *textRunner, n int) ([]float32, error) {
	got := make([]float32, n)
	err := r.each(t.Context(), n, func(it *item) error {
		it.encoded.IDs = slices.Repeat([]int64{1}, 1+it.at%40)
		it.encoded.Mask = it.encoded.IDs
		return nil
	}, func(it *item, out row) error {
		got[it.at] = out.values[0][0]
		return nil
	})
	return got, err
}

func TestBatchesKeepEachTextsOwnRow(t *testing.T) {
	const n = 3*64 + 17
	var rows []int
	got, err := runFake(t, fakeRunner(&rows, 100), n)
	if err != nil {
		t.Fatal(err)
	}
	for i, sum := range got {
		if want := float32(1 + i%40); sum != want {
			t.Fatalf("text %d has the row of %v tokens, want %v", i, sum, want)
		}
	}
}

func TestOutOfMemoryHalvesTheBatch(t *testing.T) {
	var all, rows []int
	want, err := runFake(t, fakeRunner(&all, 100), 100)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runFake(t, fakeRunner(&rows, 3), 100)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("halved runs differ (%v)", err)
	}
	if slices.Max(rows) <= 3 || slices.Min(rows) > 3 {
		t.Errorf("runs of %v rows", rows)
	}
	if _, err := runFake(t, fakeRunner(&rows, 0), 5); err == nil || !strings.Contains(err.Error(), "Failed to allocate") {
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
