package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl/files"
	"github.com/commonplace/commonplace/label"
	"github.com/commonplace/commonplace/label/group"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/ingest"
	"github.com/commonplace/commonplace/pipelines/worker"
	"github.com/commonplace/commonplace/segment"
	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// Conversations reads conversations.
type Conversations struct{}

func (Conversations) Identity() engine.Identity {
	return engine.Identity{
		Name: "conversations", Formerly: "talk", Table: "conversations", Revision: 2, Group: "label",
		Short:   "read the conversations",
		Unit:    "conversations",
		Guarded: true,
	}
}

func (Conversations) Enabled(c *config.Config) bool { return len(c.Conversations) > 0 }

func (Conversations) Settings(c *config.Config) any { return c.Conversations }

func (Conversations) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	return listTalks(ctx, p.Config)
}

// Size is how long the files are.
func (Conversations) Size(ctx context.Context, c *config.Config) (int64, error) {
	var bytes int64
	for _, f := range c.Conversations {
		if n, err := storage.Default.Size(ctx, f.Path); err == nil { // else the stage says so when it lists them
			bytes += n
		}
	}
	return bytes, ctx.Err()
}

func (Conversations) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{}, nil
}

// Replies makes examples of when and what to quote.
type Replies struct{}

func (Replies) Identity() engine.Identity {
	return engine.Identity{
		Name: "reply", Table: "replies", Revision: 4, Group: "label",
		Keys:  map[string]string{"": "label"},
		Short: "make examples from conversations",
		Unit:  "conversations",
	}
}

func (Replies) Enabled(c *config.Config) bool {
	return len(c.Conversations) > 0 && config.Makes(config.DataReplies)(c)
}

func (Replies) Settings(c *config.Config) any {
	return replySettings{c.Label.Replies, c.Label.Split}
}

func (Replies) External(ctx context.Context, p *engine.Planner) (engine.External, error) {
	e, named, err := namedDictionary(ctx, p.Config)
	if err != nil {
		return e, err
	}
	return withSplits(ctx, p.Config, e, named)
}

func (Replies) Plan(context.Context, *engine.Planner) (engine.Deps, error) {
	return engine.Deps{Inputs: engine.Whole("conversations")}, nil
}

func (Replies) Check(ctx context.Context, out string, c table.Commit) (engine.Checks, error) {
	return checkReplies(ctx, out, c)
}

type replySettings struct {
	Replies config.Replies `json:"replies"`
	Split   config.Split   `json:"split"`
}

// talkFile is one file of conversations as a task carries it.
type talkFile struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

func listTalks(ctx context.Context, c *config.Config) (engine.External, error) {
	var list []talkFile
	var contents strings.Builder
	parts := engine.Parts{}
	for i, t := range c.Conversations {
		sum, err := storage.SumOf(ctx, t.Path)
		if err != nil {
			return engine.External{}, fmt.Errorf("%w: %s: conversations[%d].path: %w", config.ErrInvalid, c.File(), i, err)
		}
		list = append(list, talkFile{t.Name, t.Path, sum})
		fmt.Fprintf(&contents, "%q %s\n", t.Name, sum)
		parts.Add("file of conversations", t.Name, sum)
	}
	return engine.External{
		Count: func(ctx context.Context) (map[string]int64, error) {
			count := map[string]int64{}
			for i, f := range list {
				n, err := countTalk(ctx, f.Path, c.Conversations[i].Limits)
				if err != nil {
					return nil, err
				}
				count[f.Name] = n
			}
			return count, nil
		},
		Version:  storage.Key(contents.String()),
		Contents: func(int, int) string { return contents.String() },
		Parts:    parts,
		Extra:    func(int, int) json.RawMessage { return storage.MustJSON(list) },
	}, nil
}

// countTalk counts the lines of a file of conversations, readable or not.
func countTalk(ctx context.Context, path string, l bounded.Limits) (n int64, err error) {
	name, done, err := storage.OnDisk(ctx, path)
	if err != nil {
		return 0, err
	}
	defer done()
	for _, err := range files.ReadConversations(ctx, name, l) {
		if _, err := refusedTalk(path, err); err != nil {
			return 0, err
		}
		n++
	}
	return n, ctx.Err()
}

// refusedTalk is the reject of a line. It is an error where the file breaks off.
func refusedTalk(path string, err error) (*commonplace.Reject, error) {
	if files.BreaksOff(err) {
		return nil, fmt.Errorf("%s: %w; nothing is taken of a file that breaks off", path, err)
	}
	return commonplace.Refused(err)
}

// Make takes the lines whose conversation belongs to the shard; a
// line without an id is refused by the first.
func (Conversations) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var list []talkFile
	if err := json.Unmarshal(t.Extra, &list); err != nil {
		return table.TaskRecord{}, err
	}
	var settings []config.Conversations
	if err := t.Decode(&settings); err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Conversations, func(o *engine.Output[commonplace.Conversation]) error {
		var rows []commonplace.Conversation
		seen := map[string]bool{}
		for i, f := range list {
			name, done, err := storage.OnDisk(ctx, f.Path)
			if err != nil {
				return err
			}
			defer done()
			if err := engine.Unchanged(ctx, f.Path, name, f.SHA256); err != nil {
				return err
			}
			l := settings[i].Limits
			refused, budget := engine.NewRejectLimit(l), bounded.Budget{Most: l.WithDefaults().Memory}
			for c, err := range files.ReadConversations(ctx, name, l) {
				reject, err := refusedTalk(f.Path, err)
				if err != nil {
					return err
				}
				id := c.ID
				if reject != nil {
					id = reject.ID
				}
				if table.ShardOf(id, t.Of) != t.Shard {
					continue
				}
				o.In++
				if reject == nil && seen[c.ID] {
					reject = &commonplace.Reject{ID: c.ID, Reason: files.ReasonDuplicate, Detail: "an earlier conversation has this id"}
				}
				if reject != nil && !refused.Add(reject.Reason) {
					continue
				}
				if reject != nil {
					reject.Location = f.Name + ": " + strings.Replace(reject.Location, name, filepath.Base(name), 1)
					o.Reject(*reject)
					continue
				}
				if err := budget.Hold(heldBy(c)); err != nil {
					return fmt.Errorf("%s: %w", f.Path, err)
				}
				seen[c.ID] = true
				rows = append(rows, c)
				o.Taken++
			}
			refused.Rest(func(r commonplace.Reject, count int64) {
				r.Location = f.Name + ": " + filepath.Base(name)
				o.Reject(r)
				o.Unrecorded += count - 1
			})
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := engine.Unchanged(ctx, f.Path, name, f.SHA256); err != nil {
				return err
			}
		}
		slices.SortFunc(rows, func(a, b commonplace.Conversation) int { return strings.Compare(a.ID, b.ID) })
		for _, c := range rows {
			if err := o.Put(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// heldBy is about what a conversation holds in memory.
func heldBy(c commonplace.Conversation) int64 {
	n := int64(2*len(c.ID) + len(c.Quotation) + ingest.ItemBytes)
	for _, turn := range c.Turns {
		n += int64(len(turn)) + 16
	}
	return n
}

var (
	lastQuotations   worker.Memo[*label.QuotationList]
	conversationSets worker.Memo[map[string]string]
)

// conversationGroups groups all conversations of a task's inputs.
func conversationGroups(ctx context.Context, t engine.Task) (map[string]string, error) {
	return conversationSets.Get(ctx, t.InputsKey("conversations"), func() (_ map[string]string, err error) {
		grouper := group.NewConversationGrouper(storage.TempDir(ctx))
		defer func() { err = errors.Join(err, grouper.Close()) }()
		for _, path := range t.Paths("conversations") {
			for c, err := range table.Conversations.Rows(ctx, path, "conversation_id", "turns") {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				if err := grouper.Add(c.ID, group.Thread(c.Turns)); err != nil {
					return nil, storage.Mark(err)
				}
			}
		}
		groups, err := grouper.Group(ctx)
		return groups, storage.Mark(err)
	})
}

// quotationsOf is the closed list: the quotations of the training split.
func quotationsOf(ctx context.Context, t engine.Task, o label.ConversationOptions) (*label.QuotationList, error) {
	return lastQuotations.Get(ctx, t.InputsKey("conversations")+string(storage.MustJSON(o.Split)), func() (*label.QuotationList, error) {
		var train []commonplace.Conversation // the first of each quotation
		seen := map[string]bool{}
		for _, path := range t.Paths("conversations") {
			for c, err := range table.Conversations.Rows(ctx, path, "conversation_id", "quotation") {
				if err != nil {
					return nil, err
				}
				if !seen[c.Quotation] && o.Split.Of(o.GroupOf(c.ID), c.ID) == label.Train {
					seen[c.Quotation] = true
					train = append(train, c)
				}
			}
		}
		return label.NewQuotationList(train), nil
	})
}

func (Replies) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s replySettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	o := label.ConversationOptions{Units: sentenceUnits, Target: 1, Added: s.Replies.Added, Seed: s.Split.Seed}
	dictionary, err := taskDictionary(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	byCharacter := s.Replies.Language == "zh" && dictionary == nil // where white space does not help
	if s.Replies.Language == "zh" {
		o.Units, o.Target = dictionary.Units, 4
	}
	if o.Split, err = splitOf(ctx, t, s.Split); err != nil {
		return table.TaskRecord{}, err
	}
	if o.Groups, err = conversationGroups(ctx, t); err != nil {
		return table.TaskRecord{}, err
	}
	list, err := quotationsOf(ctx, t, o)
	if err != nil {
		return table.TaskRecord{}, err
	}
	return engine.WriteShard(ctx, t, table.Replies, func(out *engine.Output[commonplace.Reply]) error {
		for c, err := range table.Conversations.Rows(ctx, t.Paths("conversations")[t.Shard]) {
			if err != nil {
				return err
			}
			out.In++
			rows, reject := list.Replies(c, o)
			if reject != nil && reject.Reason == label.ReasonNotListed && o.Split.Of(o.GroupOf(c.ID), c.ID) != label.Train {
				// The list is closed by the training split: asked for, no fault of the input.
				out.Count("quotation_not_in_training", 1)
				out.Taken++
				continue
			}
			if reject != nil {
				out.Reject(*reject)
				continue
			}
			if byCharacter && label.UndividedHan(c.Turns) {
				out.Count(characterWords, 1)
			}
			slices.SortFunc(rows, func(a, b commonplace.Reply) int { return strings.Compare(a.ID, b.ID) })
			for _, r := range rows {
				out.Count("in_"+r.Split, 1)
				if err := out.Put(r); err != nil {
					return err
				}
			}
			out.Taken++
		}
		return nil
	})
}

// characterWords counts conversations of which every Han character was taken as a word.
const characterWords = "han_characters_as_words"

// Notes warns of splits that came out small, and of Chinese without word bounds.
func (Replies) Notes(_ context.Context, _ string, c table.Commit) ([]string, error) {
	notes := thinSplits(c)
	if n := c.Counts[characterWords]; n > 0 {
		notes = append(notes, fmt.Sprintf("warning: %d conversations have Chinese without white space, and every character of them counts as a word: contexts can end inside words. Name a dictionary in label.replies.dictionary", n))
	}
	return notes, nil
}

// sentenceUnits are the sentences of a turn.
func sentenceUnits(turn string) []commonplace.Span {
	offsets := commonplace.NewOffsets(turn)
	var spans []commonplace.Span
	for p := range segment.BySentences(turn) {
		spans = append(spans, commonplace.Span{Begin: offsets.Point(p.Begin), End: offsets.Point(p.End)})
	}
	return spans
}
