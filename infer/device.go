package infer

import (
	"fmt"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

// Devices that [Options.Device] takes.
var Devices = []string{"cpu", "cuda", "tensorrt", "auto"}

// addDevice makes a session run on a device and says which it is and why. auto
// takes CUDA where it works and the CPU where it does not; a device that is
// asked for by name and is not there is an error.
func addDevice(o *ort.SessionOptions, device string) (name, reason string, err error) {
	switch device {
	case "", "cpu":
		return "cpu", "the CPU was asked for", nil
	case "cuda":
		if err := addCUDA(o); err != nil {
			return "", "", fmt.Errorf("device cuda is not available: %s", oneLine(err))
		}
		return "cuda", "CUDA was asked for", nil
	case "tensorrt":
		if err := addTensorRT(o); err != nil {
			return "", "", fmt.Errorf("device tensorrt is not available: %s", oneLine(err))
		}
		return "tensorrt", "TensorRT was asked for", nil
	case "auto":
		if err := addCUDA(o); err != nil {
			return "cpu", "CUDA is not available: " + oneLine(err), nil
		}
		return "cuda", "CUDA is available", nil
	}
	return "", "", oneOf("device", device, Devices...)
}

func addCUDA(o *ort.SessionOptions) error {
	c, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	defer c.Destroy()
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

// oneLine keeps what an error of ONNX Runtime says and drops where it says it.
func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}

// outOfMemory says whether a run failed for want of the device's memory.
func outOfMemory(err error) bool {
	text := err.Error()
	return strings.Contains(text, "Failed to allocate memory") || strings.Contains(text, "out of memory") || strings.Contains(text, "CUDA_ERROR_OUT_OF_MEMORY")
}
