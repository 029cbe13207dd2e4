// Package ranking scores passages with models and ranks them. [Score] runs a model
// over every passage, [Rank] puts all scores in order, [Recommend] ranks the
// passages of a document for a context, and [FeatureStats] compares the features
// of the most with those of the least quoted passages.
//
// It also holds what looks at rankings afterwards: evaluation against quote counts,
// the search for weights ([Tune]), and the difference between two rankings ([Diff]).
package ranking
