// Package inspect prints tables: [Rows] yields the rows of a committed table that a
// [Selection] asks for, and [ParseWhere] reads its conditions.
package inspect
