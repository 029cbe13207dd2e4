// Command commonplace turns libraries into quotation data.
//
// # What goes where
//
// Results go to standard output, everything else to standard error. On a
// terminal a stage shows a progress bar; in a pipe it logs a line each minute and one
// when it is done, each with its time, or JSON with --log json. Messages are lower case without a full stop; an error says what
// is wrong, where, and what to do next, and ends the program with one of the
// statuses in [exitStatuses]. The log is silent unless -v.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"github.com/commonplace/commonplace/pipelines"
)

func main() {
	collectSooner(garbagePart)
	limitMemory(memlimit.FromCgroup)
	pipelines.ServeWorker() // does not return when a runner started us as a worker
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	root := rootCommand()
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = helpless(root)
	}
	stop()
	pprof.StopCPUProfile() // nothing without --cpuprofile
	if err != nil {
		if format, _ := root.PersistentFlags().GetString("log"); format == logJSON {
			jsonLog(stderr).Error(message(err), "exit_status", exitStatus(err))
		} else {
			fmt.Fprintln(stderr, "commonplace:", message(err))
		}
	}
	os.Exit(exitStatus(err))
}
