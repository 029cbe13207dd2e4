package infer

import (
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

// Devices that [Options.Device] takes.
var Devices = []string{"cpu", "cuda", "tensorrt", "auto"}

// addCUDA makes a session run on CUDA. Its memory grows by what is asked for and
// no more, so that the fixed set of shapes bounds it. Products of float32 are
// products of float32: by default they would be rounded to TF32, 10 bits.
func addCUDA(o *ort.SessionOptions) error {
	c, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	defer c.Destroy()
	if err := c.Update(map[string]string{"arena_extend_strategy": "kSameAsRequested", "use_tf32": "0"}); err != nil {
		return err
	}
	return o.AppendExecutionProviderCUDA(c)
}

func addTensorRT(o *ort.SessionOptions) error {
	t, err := ort.NewTensorRTProviderOptions()
	if err != nil {
		return err
	}
	defer t.Destroy()
	if err := o.AppendExecutionProviderTensorRT(t); err != nil {
		return err
	}
	return addCUDA(o) // for what TensorRT does not take
}

// oneLine keeps what an error of ONNX Runtime says and drops where it says it:
// the source's line and function before [ONNXRuntimeError] : number : NAME.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if _, after, found := strings.Cut(text, "[ONNXRuntimeError] : "); found {
		if parts := strings.SplitN(after, " : ", 3); len(parts) == 3 {
			return parts[2]
		}
	}
	return text
}

// outOfMemory says whether a run failed for want of the device's memory. ONNX
// Runtime has no code for it, and onnxruntime_go hands on no code at all: the words
// of the arena, of CUDA and of cuBLAS are all that there is.
func outOfMemory(err error) bool {
	text := err.Error()
	for _, words := range []string{"Failed to allocate memory", "smaller than requested bytes", "out of memory", "CUDA_ERROR_OUT_OF_MEMORY", "CUBLAS_STATUS_ALLOC_FAILED"} {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
