// Package join reads sorted tables side by side. A [Reader] hands out the rows of
// one document after another, and refuses rows that no document asks for, because
// they would be lost. [EachDocument] walks documents with their passages and
// alignments. [EachBatch] joins sources with the documents that quote them, some
// sources at a time.
package join
