package datasets

import (
	"context"
	"path"

	"github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/align/pairs"
	"github.com/commonplace/commonplace/label/cluster"
	"github.com/commonplace/commonplace/pipelines/cache"
	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/pipelines/join"
	"github.com/commonplace/commonplace/table"
)

// clustersRevision also names what is kept of this stage's work.
const clustersRevision = 5

// Clusters gathers the copies of a passage that many documents have.
type Clusters struct{}

func (Clusters) Identity() engine.Identity {
	return engine.Identity{
		Name: "cluster", Table: "clusters", Revision: clustersRevision, Group: "label",
		Keys:  map[string]string{"metadata": "align.metadata"},
		Short: "gather the copies of passages that many documents have",
		Unit:  "copies",
		Cache: []string{"clusters"},
	}
}

func (Clusters) Enabled(c *config.Config) bool {
	return c.HasSources() && config.Makes(config.DataClusters)(c)
}

// clusterSettings are the settings that decide this stage's rows.
type clusterSettings struct {
	Metadata []string `json:"metadata,omitempty"`
}

func (Clusters) Settings(c *config.Config) any { return clusterSettings{c.Align.Metadata} }

// Plan makes a shard depend on the copies that its own documents have.
func (Clusters) Plan(ctx context.Context, p *engine.Planner) (engine.Deps, error) {
	inputs := engine.And(engine.SameShard("documents"), engine.Whole("documents", "alignments"))
	return p.Partitioned(ctx, inputs, []string{"documents", "alignments"}, clustersPath, func(t engine.Task) (*cache.Partitions, error) { return partitionClusters(ctx, t) })
}

func (Clusters) Prune(ctx context.Context, c *config.Config, t engine.Task) error {
	return cache.Prune(ctx, cache.Dir(t.Out), map[string]bool{path.Base(clustersPath(t)): true}, "clusters")
}

// clustersPath is the file with the copies as they are partitioned by their documents.
func clustersPath(t engine.Task) string {
	return cache.Path(t.Out, "clusters", clustersRevision, t.Of, t.InputsKey("documents")+t.InputsKey("alignments"))
}

// partitionClusters partitions the copies by the shards of their documents.
func partitionClusters(ctx context.Context, t engine.Task) (*cache.Partitions, error) {
	return cache.Partition(ctx, clustersPath(t), t.Of, func() (cache.RowsByShard, error) {
		var f cluster.Finder
		for _, path := range t.Paths("alignments") {
			for a, err := range table.Alignments.Rows(ctx, path, "derived_id", "derived_begin", "derived_end", "source_id", "source_begin", "source_end", "similarity") {
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return nil, err
				}
				f.Add(a)
			}
		}
		days := map[string]cluster.Days{}
		for _, path := range t.Paths("documents") {
			for doc, err := range table.Documents.Rows(ctx, path, "doc_id", "date") {
				if err != nil {
					return nil, err
				}
				if first, last, known := pairs.Days(doc.Date); known {
					days[doc.ID] = cluster.Days{First: first, Last: last, Known: true}
				}
			}
		}
		rows := f.Clusters(func(id string) cluster.Days { return days[id] })
		return func(put func(int, any) error) error {
			for _, c := range rows {
				if err := put(table.ShardOf(c.DocID, t.Of), c); err != nil {
					return err
				}
			}
			return nil
		}, nil
	})
}

func (Clusters) Make(ctx context.Context, t engine.Task) (table.TaskRecord, error) {
	var s clusterSettings
	if err := t.Decode(&s); err != nil {
		return table.TaskRecord{}, err
	}
	d, err := partitionClusters(ctx, t)
	if err != nil {
		return table.TaskRecord{}, err
	}
	columns := []string{"doc_id", "author", "date", "text", "characters"}
	if len(s.Metadata) > 0 {
		columns = append(columns, "source", "title", "genre", "language", "rights", "url", "metadata")
	}
	return engine.WriteShard(ctx, t, table.Clusters, func(o *engine.Output[commonplace.Cluster]) error {
		copies := join.OpenRows(d.Path, cache.Rows[commonplace.Cluster](ctx, d, t.Shard), func(c *commonplace.Cluster) string { return c.DocID })
		defer copies.Stop()
		for doc, err := range table.Documents.Rows(ctx, t.Path("documents"), columns...) {
			if err != nil {
				return err
			}
			of, err := copies.Of(doc.ID)
			if err != nil {
				return err
			}
			if len(of) == 0 {
				continue
			}
			offsets, fields := commonplace.NewOffsets(doc.Text), doc.FieldsNamed(s.Metadata)
			for _, c := range of {
				o.In++
				o.Taken++
				c.Text = offsets.Slice(commonplace.Span{Begin: int(c.Begin), End: int(c.End)})
				c.Date, c.Author, c.Metadata = doc.Date, doc.Author, fields
				if err := o.Put(c); err != nil {
					return err
				}
			}
		}
		return copies.End()
	})
}
