//go:build race

package pipelines

// raced says that the tests run under the race detector, which keeps a shadow of
// several times the memory that the program uses.
const raced = true
