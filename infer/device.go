package infer

import (
	"regexp"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

// Devices that [Options.Device] takes. A GPU's number may stand behind cuda and tensorrt:
// cuda:1 is the second.
var Devices = []string{"cpu", "cuda", "tensorrt", "auto"}

var numbered = regexp.MustCompile(`^(cuda|tensorrt):(0|[1-9][0-9]?)$`)

// CheckDevice refuses what is no device.
func CheckDevice(device string) error {
	if numbered.MatchString(device) {
		return nil
	}
	return oneOf("device", device, Devices...)
}

// DeviceKind is a device without its number: what decides a model's outputs.
func DeviceKind(device string) string {
	kind, _, _ := strings.Cut(device, ":")
	return kind
}

// cudaOptions are those of CUDA on a device. Its memory grows by what is asked for and
// no more, so that the fixed set of shapes bounds it. Products of float32 are
// products of float32: by default they would be rounded to TF32, 10 bits.
func cudaOptions(device string) map[string]string {
	o := gpuOptions(device)
	o["arena_extend_strategy"], o["use_tf32"] = "kSameAsRequested", "0"
	return o
}

// gpuOptions say on which GPU a device is, if it has a number.
func gpuOptions(device string) map[string]string {
	o := map[string]string{}
	if _, id, numbered := strings.Cut(device, ":"); numbered {
		o["device_id"] = id
	}
	return o
}

// addCUDA makes sessions run on CUDA.
func addCUDA(device string) func(*ort.SessionOptions) error {
	return func(o *ort.SessionOptions) error {
		c, err := ort.NewCUDAProviderOptions()
		if err != nil {
			return err
		}
		defer c.Destroy()
		if err := c.Update(cudaOptions(device)); err != nil {
			return err
		}
		return o.AppendExecutionProviderCUDA(c)
	}
}

// addTensorRT makes sessions run on TensorRT, and on CUDA what that does not take.
func addTensorRT(device string) func(*ort.SessionOptions) error {
	return func(o *ort.SessionOptions) error {
		t, err := ort.NewTensorRTProviderOptions()
		if err != nil {
			return err
		}
		defer t.Destroy()
		if of := gpuOptions(device); len(of) > 0 {
			if err := t.Update(of); err != nil {
				return err
			}
		}
		if err := o.AppendExecutionProviderTensorRT(t); err != nil {
			return err
		}
		return addCUDA(device)(o)
	}
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
