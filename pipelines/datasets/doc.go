// Package datasets turns alignments into training data. All of its stages run
// under the command label.
//
// [Works] and [Group] decide what must not cross splits. [Examples], [Queries],
// [Windows], [Replies] and [PositionTokens] each make the main table of one
// dataset, and the other stages add to these: negatives, paraphrases, spans, pairs,
// sequences, term weights. Before a table is committed, independent checks look
// for leaks between its splits.
package datasets
