package hathitrust

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/records"
)

// Matches are the volumes whose number of matches with a primary source fits.
type Matches map[string]bool

// ReadMatches reads a CSV file with the columns htid and matches, a line for
// each primary source that a volume matches, and keeps the volumes that have for
// one of them at least least and, unless most is 0, at most most (RELiC,
// Appendix A: few matches are no literary scholarship, hundreds another edition
// of the source itself). A line that cannot be read is an error: without it a
// volume would be lost.
func ReadMatches(ctx context.Context, r io.Reader, least, most int64, l bounded.Limits) (Matches, error) {
	l.Line = 1 << 20
	in := records.NewLines(ctx, r, l)
	budget := bounded.Budget{Most: l.WithDefaults().Memory}
	kept := Matches{}
	id, matches := -1, -1
	for {
		row, line, err := records.Next(in, ',')
		switch {
		case errors.Is(err, io.EOF) && id >= 0:
			return kept, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", line, err)
		case id < 0:
			row[0] = strings.TrimPrefix(row[0], "\ufeff")
			id, matches = slices.Index(row, "htid"), slices.Index(row, "matches")
			if id < 0 || matches < 0 {
				return nil, fmt.Errorf("the header must have the columns htid and matches; it has %s", strings.Join(row, ", "))
			}
			continue
		case len(row) <= max(id, matches):
			return nil, fmt.Errorf("line %d: %d columns, too few", line, len(row))
		}
		n, err := strconv.ParseInt(strings.TrimSpace(row[matches]), 10, 64)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("line %d: matches is %q, not a number", line, row[matches])
		}
		if n >= least && (most == 0 || n <= most) {
			if err := budget.Hold(int64(len(row[id])) + 64); err != nil {
				return nil, fmt.Errorf("line %d: %w", line, err)
			}
			kept[strings.Clone(row[id])] = true // else it would keep the line
		}
	}
}
