// Package reuse has the forms in which other programs for text reuse write their
// results, so that people can read ours with their notebooks and pages: passim's (uid,
// cluster, src, padded alignments) and TextPAIR's. What they call a source is what
// is quoted; a target quotes.
//
// Field names and types are those of passim 2 (seriatim.py) and of TextPAIR
// (aligner/output.py); testdata has a record of each.
package reuse
