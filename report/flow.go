package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/commonplace/commonplace/table"
)

// flow is the tables of a run and which was made from which, laid out in columns.
type flow struct {
	Nodes         []node
	Edges         []string // paths
	Width, Height int
}

// node is one table.
type node struct {
	Table    string
	Rows     int64
	Rejected int64
	Size     string
	From     []string
	X, Y     int // left upper corner
}

const (
	nodeWidth, nodeHeight = 150, 66
	gapX, gapY            = 54, 22
)

// flowOf lays out tables from left to right: each a column after the last of
// those that it was made from.
func flowOf(commits []table.Commit) flow {
	var f flow
	level, at := map[string]int{}, map[string]int{}
	used := map[int]int{}
	for _, c := range commits {
		n := node{Table: c.Table, Rows: c.Rows, Rejected: c.Rejected}
		bytes := int64(0)
		for _, s := range c.Shards {
			bytes += s.Bytes
		}
		n.Size = size(bytes)
		for _, from := range slices.Sorted(maps.Keys(c.Inputs)) {
			if l, ok := level[from]; ok {
				n.From = append(n.From, from)
				level[c.Table] = max(level[c.Table], l+1)
			}
		}
		l := level[c.Table]
		level[c.Table] = l
		n.X = l * (nodeWidth + gapX)
		n.Y = used[l] * (nodeHeight + gapY)
		used[l]++
		f.Width, f.Height = max(f.Width, n.X+nodeWidth), max(f.Height, n.Y+nodeHeight)
		at[c.Table] = len(f.Nodes)
		for _, from := range n.From {
			f.Edges = append(f.Edges, edge(f.Nodes[at[from]], n))
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f
}

// edge is a curve from the right side of one node to the left side of another.
func edge(a, b node) string {
	x0, y0, x1, y1 := a.X+nodeWidth, a.Y+nodeHeight/2, b.X, b.Y+nodeHeight/2
	bend := (x1 - x0) / 2
	return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x0, y0, x0+bend, y0, x1-bend, y1, x1, y1)
}

func size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e5:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
}
