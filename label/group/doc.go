// Package group finds what must stay together when examples are split, so that no text
// of one split is in another.
//
//   - [WorkFinder] joins documents that are editions of one work, by sketches of their
//     words; [KeepAuthors] joins works of one author.
//   - [Grouper] joins quotes that are near-duplicates, and the quoted regions of sources
//     ([Regions]) that overlap or say the same.
//   - [ConversationGrouper] joins conversations that repeat one another.
//
// Each compares all rows with all others through temporary files, so memory does not
// grow with their text. Names of groups depend on what is in them alone: a new book
// moves no other example.
package group
