package table

import (
	"fmt"
	"hash/fnv"
	"io"
	"strings"
)

// ShardOf is the shard that holds the rows of a document: the 64-bit FNV-1a
// hash of the id's UTF-8 bytes, modulo the number of shards. Any tool can
// compute it, so any tool can find a document.
func ShardOf(docID string, of int) int {
	h := fnv.New64a()
	io.WriteString(h, docID)
	return int(h.Sum64() % uint64(of))
}

// ShardName is the file name of shard k of of, such as part-00000-of-00016.parquet.
func ShardName(k, of int) string {
	return fmt.Sprintf("part-%05d-of-%05d.parquet", k, of)
}

// ParseShardName is the inverse of [ShardName]; ok is false for any other name.
func ParseShardName(name string) (k, of int, ok bool) {
	rest, found := strings.CutPrefix(name, "part-")
	if !found {
		return 0, 0, false
	}
	if _, err := fmt.Sscanf(rest, "%d-of-%d.parquet", &k, &of); err != nil {
		return 0, 0, false
	}
	if k < 0 || k >= of || name != ShardName(k, of) {
		return 0, 0, false
	}
	return k, of, true
}
