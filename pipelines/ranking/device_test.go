package ranking

import (
	"reflect"
	"testing"

	"github.com/commonplace/commonplace/pipelines/config"
)

// Processes of one build may use a GPU each: its number is no setting of the scores.
func TestNumberOfAGPUIsNoSetting(t *testing.T) {
	settings := func(device string) any {
		c := &config.Config{}
		c.Score.Device = device
		return Score{}.Settings(c)
	}
	if !reflect.DeepEqual(settings("cuda:0"), settings("cuda:1")) || reflect.DeepEqual(settings("cuda"), settings("cpu")) {
		t.Error("a GPU's number is a setting, or the kind of device is none")
	}
}
