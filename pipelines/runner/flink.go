package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/graphx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/metricsx"
	jobpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/jobmanagement_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/runnerlib"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// Flink runs a stage's job through Beam's job server, which translates it and
// hands it to the cluster. It is not Beam's own Flink runner: that one cannot
// name the cluster, stages 50 MB of program for every job, and leaves the job
// running when the user stops waiting.
//
// The task managers start the program from the run's folder (worker.go), which
// they must see under the same path as the submitting machine.

// A lost task manager costs the job one attempt; finished shards are not made
// again, so an attempt goes on where the last one broke.
const (
	flinkRetries    = 4
	flinkRetryDelay = 2 * time.Second
)

// reachFlink readies the config for Flink, if that is its runner: workers need
// absolute paths, and it is as parallel as Flink has slots.
func reachFlink(ctx context.Context, c *config.Config) error {
	c.Runner.FlinkMaster = strings.TrimPrefix(c.Runner.FlinkMaster, "http://")
	slots, err := flinkSlots(ctx, c.Runner)
	if err != nil {
		return err
	}
	c.Runner.Parallelism = cmp.Or(c.Runner.Parallelism, slots)
	return c.Absolute()
}

// flinkSlots asks Flink how many tasks it can run at once, and finds out whether
// there is a Flink and a job server before anything is done.
func flinkSlots(ctx context.Context, c config.Runner) (int, error) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	cc, err := grpcx.Dial(ctx, c.JobServer, 10*time.Second)
	if err == nil {
		_, err = jobpb.NewJobServiceClient(cc).GetJobs(ctx, &jobpb.GetJobsRequest{})
		cc.Close()
	}
	if err != nil {
		return 0, config.Refusef("no job server of Beam answers at %s (%s): start one (make flink-up), or name it with --job-server", c.JobServer, cause(err.Error()))
	}
	return overviewSlots(ctx, c)
}

// overviewSlots reads Flink's own account of itself.
func overviewSlots(ctx context.Context, c config.Runner) (int, error) {
	var overview struct {
		Slots int `json:"slots-total"`
	}
	if err := askFlink(ctx, c, http.MethodGet, "/overview", &overview); err != nil {
		return 0, config.Refusef("no Flink answers at %s (%w): start one (make flink-up), or name it with --flink-master", c.FlinkMaster, err)
	}
	if overview.Slots < max(1, c.Parallelism) {
		return 0, config.Refusef("Flink at %s has %d slots where %d are asked for: start more task managers, or lower --parallelism", c.FlinkMaster, overview.Slots, max(1, c.Parallelism))
	}
	return overview.Slots, nil
}

// runFlink submits a job, waits for it and returns its counters. When the context
// ends, the job is cancelled.
func runFlink(ctx context.Context, c config.Runner, worker *shipped, name string, p *beam.Pipeline) (map[string]int64, error) {
	pipeline, err := flinkPipeline(ctx, worker, p)
	if err != nil {
		return nil, err
	}
	options, err := tools.OptionsToProto(map[string]any{
		"beam:option:go_options:v1":                  map[string]any{"options": map[string]string{}},
		"beam:option:app_name:v1":                    name,
		"beam:option:experiments:v1":                 append(jobopts.GetExperiments(), "beam_fn_api"),
		"beam:option:flink_master:v1":                c.FlinkMaster,
		"beam:option:parallelism:v1":                 c.Parallelism,
		"beam:option:number_of_execution_retries:v1": flinkRetries,
		"beam:option:execution_retry_delay:v1":       flinkRetryDelay.Milliseconds(),
	})
	if err != nil {
		return nil, err
	}
	cc, err := grpcx.Dial(ctx, c.JobServer, 10*time.Second)
	if err != nil {
		return nil, noJobServer(c, err)
	}
	defer cc.Close()
	client := jobpb.NewJobServiceClient(cc)
	prepared, err := client.Prepare(ctx, &jobpb.PrepareJobRequest{Pipeline: pipeline, PipelineOptions: options, JobName: name})
	if err != nil {
		return nil, noJobServer(c, err)
	}
	// There is nothing to stage, but the job server waits for the one who stages.
	token, err := runnerlib.Stage(ctx, prepared.GetPreparationId(), prepared.GetArtifactStagingEndpoint().GetUrl(), "", prepared.GetStagingSessionToken())
	if err != nil {
		return nil, noJobServer(c, err)
	}
	id, err := runnerlib.Submit(ctx, client, prepared.GetPreparationId(), token)
	if err != nil {
		return nil, noJobServer(c, err)
	}
	err = runnerlib.WaitForCompletion(ctx, client, id)
	after, stop := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
	defer stop()
	if ctx.Err() != nil {
		if err := cancelFlink(after, c, id); err != nil {
			return nil, err
		}
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s; Flink's page http://%s and the logs tell more", flinkFailure(err, worker.Command, lastFailure(after, c, id)), c.FlinkMaster)
	}
	state, err := client.GetState(after, &jobpb.GetJobStateRequest{JobId: id})
	if err != nil {
		return nil, noJobServer(c, err)
	}
	if state.GetState() != jobpb.JobState_DONE {
		return nil, fmt.Errorf("the job ended %s; Flink's page http://%s tells more", strings.ToLower(state.GetState().String()), c.FlinkMaster)
	}
	found, err := client.GetJobMetrics(after, &jobpb.GetJobMetricsRequest{JobId: id})
	if err != nil {
		return nil, nil // the tables are there; only their counters are not
	}
	m := found.GetMetrics()
	return counters(*metricsx.FromMonitoringInfos(pipeline, m.GetAttempted(), m.GetCommitted())), nil
}

// cancelFlink cancels a job on the cluster itself: the job server's own cancel,
// as of 2.62, lets go of the job and leaves it running.
func cancelFlink(ctx context.Context, c config.Runner, id string) error {
	job, err := flinkJob(ctx, c, id)
	if err != nil || job == "" {
		return err
	}
	return askFlink(ctx, c, http.MethodPatch, job+"?mode=cancel", nil)
}

// flinkJob is the path of a job in Flink's REST service, by the job server's id. It is
// empty where Flink does not know the job.
func flinkJob(ctx context.Context, c config.Runner, id string) (path string, err error) {
	var all struct {
		Jobs []struct{ JID, Name, State string }
	}
	if err := askFlink(ctx, c, http.MethodGet, "/jobs/overview", &all); err != nil {
		return "", err
	}
	for _, j := range all.Jobs {
		// The job server's id is Flink's name of the job and a number of its own.
		if at := strings.LastIndex(id, "_"); at > 0 && j.Name == id[:at] {
			return "/jobs/" + j.JID, nil
		}
	}
	return "", nil
}

// taskFailure is what Flink says of a task's failure. The zero value says nothing.
type taskFailure struct {
	Manager string `json:"endpoint"`
	Trace   string `json:"stacktrace"`
}

// flinkFailure says why a job failed, and on which task manager. Each of them starts the
// program from the run's folder before it does anything else: so one that has another
// folder there, or none, is found out in the first job.
func flinkFailure(err error, program string, f taskFailure) string {
	manager := "a task manager"
	if f.Manager != "" {
		manager = "the task manager " + f.Manager
	}
	if strings.Contains(f.Trace, "Cannot run program") {
		return manager + " cannot start " + program + ": mount the run's folder on every machine under the same path, for the user of the task managers, too"
	}
	return cause(err.Error()) + " (on " + manager + ")"
}

// lastFailure is the last failure of a job's task of which Flink says where it was.
func lastFailure(ctx context.Context, c config.Runner, id string) (last taskFailure) {
	job, err := flinkJob(ctx, c, id)
	if err != nil || job == "" {
		return last
	}
	var failed struct {
		History struct {
			Entries []taskFailure `json:"entries"` // the latest first
		} `json:"exceptionHistory"`
	}
	if askFlink(ctx, c, http.MethodGet, job+"/exceptions", &failed) != nil {
		return last
	}
	for _, f := range failed.History.Entries {
		if f.Manager != "" {
			return f
		}
	}
	return last
}

// mostAnswered is how many bytes an answer of Flink's may have.
const mostAnswered = 16 << 20

// askFlink asks Flink's REST service and decodes its answer.
func askFlink(ctx context.Context, c config.Runner, method, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+c.FlinkMaster+path, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("status %s", answer.Status)
	}
	if into == nil {
		return nil
	}
	// Anybody may have the port where Flink is expected.
	raw, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswered+1))
	if err == nil && len(raw) > mostAnswered {
		err = fmt.Errorf("its answer has more than %d bytes", mostAnswered)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// flinkPipeline is the job in the runners' common form. Its environment is the
// program itself, started by the task manager.
func flinkPipeline(ctx context.Context, worker *shipped, p *beam.Pipeline) (*pipepb.Pipeline, error) {
	edges, _, err := p.Build()
	if err != nil {
		return nil, err
	}
	environment, err := graphx.CreateEnvironment(ctx, graphx.URNEnvProcess, func(context.Context) string {
		return string(storage.MustJSON(worker))
	})
	if err != nil {
		return nil, err
	}
	environment.Dependencies = nil
	return graphx.Marshal(edges, &graphx.Options{Environment: environment})
}

// noJobServer says that the job server refused.
func noJobServer(c config.Runner, err error) error {
	return fmt.Errorf("the job server at %s: %s", c.JobServer, cause(err.Error()))
}

var javaCause = regexp.MustCompile(`(?m)^\s*(?:Caused by: )?((?:[a-z0-9_$]+\.)+)([A-Z][A-Za-z$]*(?:Exception|Error))(?:: (.*))?$`)

// cause is the last cause in a Java stack trace, on one line; what is none of
// them is cut at its first line.
func cause(trace string) string {
	text, _, _ := strings.Cut(strings.TrimSpace(trace), "\n")
	if all := javaCause.FindAllStringSubmatch(trace, -1); len(all) > 0 {
		last := all[len(all)-1]
		text = last[2]
		if last[3] != "" {
			text = last[3]
		}
	}
	if r := []rune(text); len(r) > 300 {
		text = string(r[:300]) + " …"
	}
	return text
}
