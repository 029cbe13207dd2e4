//go:build !race

package pipelines

const raced = false
