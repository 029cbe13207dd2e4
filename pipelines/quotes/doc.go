// Package quotes finds who quotes what. [Quotes] reads lists of quotations, and
// [Spans] reads spans that files say are quoted. [Match] finds where derived
// documents quote the sources, [Align] finds the lists' quotations in the sources
// and adds the matches, and [Count] counts the quotations of every passage.
//
// Package align does the finding. This package keeps its word statistics, index
// parts and matches in the cache.
package quotes
