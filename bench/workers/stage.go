package main

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// running is a task under way.
type running struct {
	end    float64
	began  float64
	worker int
	task   float64 // seconds on a worker of speed 1
}

type byEnd []running

func (h byEnd) Len() int           { return len(h) }
func (h byEnd) Less(i, j int) bool { return h[i].end < h[j].end }
func (h byEnd) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byEnd) Push(x any)        { *h = append(*h, x.(running)) }
func (h *byEnd) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// stage gives each free worker the next task. When a worker dies, all tasks under
// way begin again after a while; what is finished stays.
func stage(tasks, speeds []float64, r *rand.Rand) outcome {
	queue := append([]float64(nil), tasks...)
	free := make([]int, len(speeds))
	for i := range free {
		free[i] = i
	}
	rate := float64(len(speeds)) / between
	death := r.ExpFloat64() / rate
	var under byEnd
	var o outcome
	now := 0.0
	for len(queue) > 0 || len(under) > 0 {
		for len(free) > 0 && len(queue) > 0 {
			w := free[len(free)-1]
			free = free[:len(free)-1]
			took := queue[0] / speeds[w]
			o.longest = math.Max(o.longest, took)
			heap.Push(&under, running{now + took, now, w, queue[0]})
			queue = queue[1:]
		}
		if death < under[0].end {
			for _, t := range under {
				o.busy += math.Max(0, death-t.began)
				o.lost += math.Max(0, death-t.began)
				queue = append(queue, t.task)
				free = append(free, t.worker)
			}
			under = under[:0]
			now = death + afterDeath
			death = now + r.ExpFloat64()/rate
			continue
		}
		t := heap.Pop(&under).(running)
		now = t.end
		o.busy += t.end - t.began
		free = append(free, t.worker)
	}
	o.wall = now
	return o
}
