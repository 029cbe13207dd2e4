package config

// How many shards the tables of a run get where the config does not say it.
//
// A night with few new documents makes the shards that have one, and looks at all others.
// The first costs less with more shards, and the second more. Their sum is least where
// the number grows with the square root of the text: four times the text, twice the shards.
const (
	fewestShards = 16       // so that a small run, too, uses some processors
	shardsFrom   = 32 << 20 // bytes of text from which there are more than the fewest
)

// ShardsFor is the number of shards for so many bytes of text: a power of two, 16 below
// 32 MiB, and twice as many whenever the text is four times as much, up to 4096.
func ShardsFor(bytes int64) int {
	n := fewestShards
	for limit := int64(shardsFrom); n < mostShards && bytes >= limit; limit *= 4 {
		n *= 2
	}
	return n
}
