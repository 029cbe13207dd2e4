package infer

import (
	"maps"
	"testing"
)

func TestDeviceNumbers(t *testing.T) {
	for device, id := range map[string]string{"cpu": "", "auto": "", "cuda": "", "tensorrt": "", "cuda:0": "0", "cuda:1": "1", "tensorrt:12": "12"} {
		if err := CheckDevice(device); err != nil {
			t.Errorf("%s: %v", device, err)
		}
		want := map[string]string{"arena_extend_strategy": "kSameAsRequested", "use_tf32": "0"}
		if id != "" {
			want["device_id"] = id
		}
		if got := cudaOptions(device); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", device, got, want)
		}
	}
	for _, device := range []string{"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda:100", "cpu:0", "auto:1", "cuda:1:2", " cuda"} {
		if CheckDevice(device) == nil {
			t.Errorf("%q is a device", device)
		}
	}
	if DeviceKind("cuda:1") != "cuda" || DeviceKind("cpu") != "cpu" {
		t.Error("a device's kind has no number")
	}
}
