// Package lineage reports a build as OpenLineage run events (openlineage.io, spec 2-0-2),
// to a file or to an address:
//
//	events, err := lineage.Open(lineage.Settings{To: "events.jsonl"}, config)
//	err = engine.Build(ctx, engine.Request{Config: config, Recorded: events.Record})
//	lost := events.Close()
//
// The build is a job, and each stage that works is a job whose parent it is. A stage
// whose table is up to date does not work, and has no event. Tables and what stages read
// beside them are datasets. The parent has none: every table would have two makers.
//
// No event is waited for while a build works, and what is lost of them is an error of
// [Events.Close] alone.
package lineage
