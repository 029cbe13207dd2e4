// Package runner runs jobs in this process, on Flink or on Dataflow. It is the
// only package that imports Beam's pipelines.
//
// All jobs have one shape: a list of elements, a [Handler] that works on each of
// them alone, and a last step that sees all results.
//
//	elements ─Reshuffle─▶ Handler.Work ─GroupByKey─▶ Handler.Finish
//
// An element names its work and carries no text, so that a runner shuffles a few
// kilobytes however large the collection is. A package that defines a kind of job calls
// [Register] before main, because workers on other machines start from the same
// program and look the handler up by its kind.
package runner
