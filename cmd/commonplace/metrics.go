package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commonplace/commonplace/pipelines/engine"
	"github.com/commonplace/commonplace/storage"
)

// writeMetrics replaces a file of metrics in one step. Everybody may read it, whatever the
// umask: node_exporter is another user, also beside a build whose tables are private.
func writeMetrics(ctx context.Context, path string, status *engine.Status) error {
	f, err := storage.Create(ctx, storage.Default, path)
	if err != nil {
		return err
	}
	_, err = f.Write(metrics(status))
	if err == nil {
		err = f.ForEverybody()
	}
	if err != nil {
		f.Abort()
		return err
	}
	return f.Commit(nil)
}

// metrics are a run's numbers as Prometheus reads them from a file. All are gauges: they
// are of the last build, or of what is there now.
func metrics(status *engine.Status) []byte {
	m := exposition{library: filepath.Base(status.Folder)}
	for _, t := range status.Tables {
		of := []string{"table", t.Table}
		m.add("table_done", "1 where the table is finished and up to date", yes(t.State == engine.TableDone), of...)
		m.add("table_rows", "rows of the table", float64(t.Rows), of...)
		m.add("table_bytes", "bytes of the table", float64(t.Bytes), of...)
		m.add("table_rejected", "inputs that its stage rejected", float64(t.Rejected), of...)
	}
	m.add("whole", "1 where all tables are finished and up to date", yes(status.Whole))
	if r := status.Run; r != nil {
		m.add("run_info", "version and commit of the program that built last", 1, "version", r.Version, "commit", r.Commit)
		m.add("run_started_seconds", "when the last build began, in Unix time", unix(&r.Started))
		if r.Ended != nil {
			m.add("run_ended_seconds", "when the last build ended, in Unix time", unix(r.Ended))
		}
		if r.LastSuccess != nil {
			m.add("run_last_success_seconds", "when a build of all stages was last done, in Unix time", unix(r.LastSuccess))
		}
		if r.ExitStatus != nil {
			m.add("run_exit_status", "exit status of the last build", float64(*r.ExitStatus))
		}
		m.add("run_duration_seconds", "how long the last build took", r.Seconds)
		m.add("run_cpu_seconds", "processor time of the last build's process", r.CPUSeconds)
		m.add("run_peak_bytes", "most memory of the last build's process", float64(r.PeakBytes))
		for _, s := range r.Stages {
			of := []string{"stage", s.Stage}
			m.add("stage_duration_seconds", "how long a stage of the last build took", s.Seconds, of...)
			m.add("stage_cpu_seconds", "processor time of a stage of the last build", s.CPUSeconds, of...)
			m.add("stage_rows_in", "what a stage read", float64(s.RowsIn), of...)
			m.add("stage_rows_out", "rows of a stage's table", float64(s.RowsOut), of...)
			m.add("stage_rejected", "what a stage rejected", float64(s.Rejected), of...)
			m.add("stage_shards_made", "shards that a stage of the last build made", float64(s.Made), of...)
			for name, n := range s.Lost {
				m.add("stage_lost", "inputs of a source or list that the build before had", float64(n), append(of, "of", name)...)
			}
			for name, n := range s.Compared {
				m.add("stage_compared", "a number that compares the table with its version before", float64(n), append(of, "what", name)...)
			}
		}
	}
	return m.bytes()
}

func yes(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

func unix(t *time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// exposition gathers samples by metric, as the text format wants them.
type exposition struct {
	library string
	names   []string
	help    map[string]string
	samples map[string][]string
}

var escapeLabel = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (e *exposition) add(name, help string, value float64, labels ...string) {
	if e.help == nil {
		e.help, e.samples = map[string]string{}, map[string][]string{}
	}
	if e.help[name] == "" {
		e.names = append(e.names, name)
		e.help[name] = help
	}
	line := fmt.Sprintf(`commonplace_%s{library="%s"`, name, escapeLabel.Replace(e.library))
	for i := 0; i < len(labels); i += 2 {
		line += fmt.Sprintf(`,%s="%s"`, labels[i], escapeLabel.Replace(labels[i+1]))
	}
	e.samples[name] = append(e.samples[name], line+"} "+strconv.FormatFloat(value, 'f', -1, 64))
}

func (e *exposition) bytes() []byte {
	var b bytes.Buffer
	for _, name := range e.names {
		fmt.Fprintf(&b, "# HELP commonplace_%s %s\n# TYPE commonplace_%s gauge\n", name, e.help[name], name)
		slices.Sort(e.samples[name])
		for _, s := range e.samples[name] {
			fmt.Fprintln(&b, s)
		}
	}
	return b.Bytes()
}
