package infer

// shapes is the fixed set of shapes that graphs over text run in. A text's shape
// follows from its own length alone, and a batch is filled up to the shape's
// number of rows, so that a score never depends on what stands beside it.
type shapes struct {
	budget int // tokens of one run
	max    int // longest input
}

// cpuBudget is small: on a CPU long texts gain nothing from being batched, and
// padding costs what it holds. Only short texts share a run.
const cpuBudget = 128

// gpuBudget keeps a GPU busy; its memory holds far more.
const gpuBudget = 16384

// gpuOutput is how many numbers one run on a GPU gives back, 256 MB of the
// machine's memory: a language model says something of its whole vocabulary at
// every token, 3 GB and more at gpuBudget, as often as there are runs at once.
const gpuOutput = 1 << 26

// gpuTokens is the budget of a graph with outputs of a shape.
func gpuTokens(shape []int64) int {
	if width := shape[len(shape)-1]; len(shape) == 3 && width > 0 {
		return min(gpuBudget, max(1, gpuOutput/int(width)))
	}
	return gpuBudget
}

// length rounds a number of tokens up: to 8, above 64 to 16.
func (s shapes) length(n int) int {
	step := 8
	if n > 64 {
		step = 16
	}
	return min(max(n+step-1, step)/step*step, max(s.max, n))
}

// rows is how many texts of a (rounded) length run together.
func (s shapes) rows(length int) int { return max(1, s.budget/length) }
