package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/commonplace/commonplace/table"
)

// flow is the tables of a run and which was made from which.
type flow struct {
	Nodes         []*node
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

	level int
	row   float64 // mean row of what it was made from
	ahead bool    // a place that an edge passes through, not a table
	from  []*node
}

const (
	nodeWidth, nodeHeight = 150, 66
	gapX, gapY            = 58, 20
)

// flowOf lays out tables from left to right: each a column after the last of
// those that it was made from. Lines that other lines imply are left out, and a
// line that passes a column has a place of its own there (Sugiyama's method).
func flowOf(commits []table.Commit) flow {
	var f flow
	byName := map[string]*node{}
	above := map[string]map[string]bool{} // all that a table was made from, at any remove
	for _, c := range commits {
		n := &node{Table: c.Table, Rows: c.Rows, Rejected: c.Rejected}
		bytes := int64(0)
		for _, s := range c.Shards {
			bytes += s.Bytes
		}
		n.Size = Size(bytes)
		above[c.Table] = map[string]bool{}
		for _, from := range slices.Sorted(maps.Keys(c.Inputs)) {
			if p := byName[from]; p != nil {
				n.From = append(n.From, from)
				n.level = max(n.level, p.level+1)
				maps.Copy(above[c.Table], above[from])
			}
		}
		for _, from := range n.From {
			if !above[c.Table][from] {
				n.from = append(n.from, byName[from])
			}
		}
		for _, from := range n.From {
			above[c.Table][from] = true
		}
		byName[c.Table] = n
		f.Nodes = append(f.Nodes, n)
	}
	f.place()
	for _, n := range f.Nodes {
		for _, from := range n.from {
			f.Edges = append(f.Edges, edge(from, n))
		}
	}
	return f
}

// place gives every table, and every place that a line passes, its row.
func (f *flow) place() {
	var columns [][]*node
	put := func(n *node) {
		for len(columns) <= n.level {
			columns = append(columns, nil)
		}
		columns[n.level] = append(columns[n.level], n)
	}
	for _, n := range f.Nodes {
		for i, from := range n.from {
			for from.level+1 < n.level {
				from = &node{level: from.level + 1, ahead: true, from: []*node{from}}
				put(from)
			}
			n.from[i] = from
		}
		put(n)
	}
	for l, column := range columns {
		for _, n := range column {
			for _, from := range n.from {
				n.row += float64(from.Y) / float64(len(n.from))
			}
		}
		slices.SortStableFunc(column, func(a, b *node) int { return cmp.Compare(a.row, b.row) })
		for i, n := range column {
			n.X, n.Y = l*(nodeWidth+gapX), i*(nodeHeight+gapY)
			f.Width, f.Height = max(f.Width, n.X+nodeWidth), max(f.Height, n.Y+nodeHeight)
		}
	}
}

// edge is a line from the right side of a table to the left side of another,
// through the places between.
func edge(from, to *node) string {
	way := []*node{to}
	for ; from.ahead; from = from.from[0] {
		way = append(way, from)
	}
	middle := func(n *node) int { return n.Y + nodeHeight/2 }
	x, y := from.X+nodeWidth, middle(from)
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", x, y)
	for _, n := range slices.Backward(way) {
		bend := (n.X - x) / 2
		fmt.Fprintf(&b, "C%d %d %d %d %d %d", x+bend, y, n.X-bend, middle(n), n.X, middle(n))
		x, y = n.X, middle(n)
		if n.ahead {
			x += nodeWidth
			fmt.Fprintf(&b, "H%d", x)
		}
	}
	return b.String()
}

// Size writes a number of bytes for people: 12.3 kB, 4.5 MB.
func Size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e5:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
}
