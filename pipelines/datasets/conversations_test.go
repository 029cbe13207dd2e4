package datasets

import (
	"strings"
	"testing"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/pipelinetest"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Conversations that say the same are in one split whatever the seed, and the
// others where their ids put them.
func TestConversationsStayTogether(t *testing.T) {
	for name, same := range map[string]map[string]string{ // conversation: its group
		"conversations":         {"r036": "r007", "r037": "r004"},
		"conversations-chinese": {"w030": "w003", "w031": "w008"},
	} {
		t.Run(name, func(t *testing.T) {
			apart := false
			for seed := range int64(10) {
				c := pipelinetest.Dataset(t, name, func(c *config.Config) { c.Label.Split.Seed = seed })
				c.Label.Split.Train, c.Label.Split.Validation, c.Label.Split.Test = 0.4, 0.3, 0.3
				pipelinetest.Build(t, c)
				split, seen, groups := c.Label.Split.Split(), map[string]bool{}, map[string]bool{}
				for _, r := range pipelinetest.Rows(t, c, table.Replies) {
					want := r.ConversationID
					if group, ok := same[want]; ok {
						want, seen[want] = group, true
					}
					groups[r.Group] = true
					if r.Group != want || r.Split != split.Of(want) {
						t.Errorf("seed %d: %s is in group %s and %s, want %s and %s", seed, r.ID, r.Group, r.Split, want, split.Of(want))
					}
				}
				for copied, of := range same {
					apart = apart || seen[copied] && split.Of(copied) != split.Of(of)
				}
				commit, err := table.ReadCommit(t.Context(), storage.Default, c.Out, "replies")
				if err != nil {
					t.Fatal(err)
				}
				if n := commit.Checks["conversation groups_in_one_split"]; n != int64(len(groups)) || commit.Checks["conversation texts_in_one_split"] < n {
					t.Errorf("seed %d: %d groups, held to %v", seed, len(groups), commit.Checks)
				}
			}
			if !apart {
				t.Error("by their ids the copies are never apart: no test of grouping")
			}
		})
	}
}

// What is in two splits is refused, also where the groups do not say so.
func TestRepliesThatLeakAreRefused(t *testing.T) {
	first := commonplace.Reply{ID: "a", ConversationID: "a", Group: "a", Turns: []string{"Nobody answered.", "Wait."}, Label: label.Quo, Split: label.Train}
	for what, leak := range map[string]commonplace.Reply{
		"":                   {ConversationID: "b", Group: "b", Turns: []string{"She paid."}},
		"conversation":       {ConversationID: "a", Group: "b", Turns: []string{"She paid."}},
		"conversation group": {ConversationID: "b", Group: "a", Turns: []string{"She paid."}},
		"conversation text":  {ConversationID: "b", Group: "b", Turns: []string{"nobody answered", "Wait!"}},
	} {
		leak.ID, leak.Label, leak.Split = "b", label.Quo, label.Test
		out := t.TempDir()
		w, err := table.Replies.Create(t.Context(), table.Dir(out, table.Replies.Name), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []commonplace.Reply{first, leak} {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		shard, err := w.Close()
		if err != nil {
			t.Fatal(err)
		}
		_, err = checkReplies(t.Context(), out, table.Commit{Table: table.Replies.Name, Shards: []table.ShardRecord{shard}})
		if what == "" && err != nil || what != "" && (err == nil || !strings.Contains(err.Error(), what+"s are in more than one split")) {
			t.Errorf("a %s in two splits: %v", what, err)
		}
	}
}
