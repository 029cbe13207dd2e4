// Package verify reads a whole run and reports where it is not what its records and
// the descriptions of its tables say: files by their SHA-256 ([Tables] begins there),
// rows by their order, keys and shards, spans by the texts that they are cut from.
//
// What must hold of a row is in the package check; entries of the package table say
// which check is whose.
package verify
