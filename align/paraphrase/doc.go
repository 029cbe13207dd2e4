// Package paraphrase finds sentences of a document that say the same in other words.
//
// An encoder gives each sentence a vector; sentences of one meaning have vectors of nearly
// one direction. [Closest] finds the most similar sentence of a document, and how far it
// stands out from the next ones: its margin. A cosine alone would prefer formulas such as
// "And he said unto them", which resemble many sentences. The margin is that of M. Artetxe
// and H. Schwenk, "Margin-based Parallel Corpus Mining with Multilingual Sentence
// Embeddings" (ACL 2019), in its form "distance", taken on one side and within one
// document.
//
// Nothing is approximated: every pair of sentences is compared.
package paraphrase
