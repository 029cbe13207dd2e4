// Package engine runs stages. It knows tables, shards and tasks, and no word of
// what the tables hold.
//
// A [Stage] makes one table. [Build] goes through the stages that a config asks
// for. For each it reads the external inputs, plans one [Task] for every shard of
// the table, and hands the tasks whose shards are stale to the runner. A task
// calls the stage's Make, which writes its shard with [WriteShard]. The last step
// of the job commits the table.
//
// A task's fingerprint covers the settings, the stage's revision and the SHA-256
// of every input shard. A shard whose record bears the same fingerprint is not
// made again. Resuming after a crash, skipping fresh stages and rebuilding only
// what a changed book touches all follow from this one rule.
//
// Stages are registered from above, with [Register].
package engine
