package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// refusal is what one stage refused for one reason.
type refusal struct {
	Stage, Reason string
	Count         int64
	Example       string
}

// maxReasons bounds what is kept, should reasons be made up of texts.
const maxReasons = 200

// readRejects counts what the stages refused, by reason.
func (g *gatherer) readRejects() error {
	counts := map[[2]string]*refusal{}
	for _, t := range table.All() {
		c, ok := g.commits[t.Describe().Name]
		if !ok {
			continue
		}
		for _, shard := range c.Rejects {
			if shard.Rows == 0 {
				continue
			}
			for r, err := range table.Rejects.Rows(g.ctx, storage.Join(table.RejectsDir(g.dir, c.Stage), shard.File)) {
				if err != nil {
					return err
				}
				key := [2]string{r.Stage, r.Reason}
				if counts[key] == nil {
					if len(counts) == maxReasons {
						key[1] = "other reasons"
					}
					if counts[key] == nil {
						example := named(r.ID, oneLine(r.Detail), oneLine(r.Location))
						counts[key] = &refusal{Stage: key[0], Reason: key[1], Example: excerpt(example, 240)}
					}
				}
				counts[key].Count++
			}
		}
	}
	for _, r := range counts {
		g.page.Refusals = append(g.page.Refusals, *r)
	}
	slices.SortFunc(g.page.Refusals, func(a, b refusal) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Reason, b.Reason))
	})
	return nil
}

// thousands is a number with spaces between groups of three digits.
func thousands(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}
