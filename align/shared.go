package align

// Text that very many sources share, such as a licence or a running head, would
// fill the index and be reported at every place of it. Its seeds are too frequent
// to be entered; but where they stand in a row they are entered once, at the
// first place by the documents' ids, so that whoever repeats the text is told so once.
const sharedRun = 8 // too frequent long seeds in a row

// sharedSeeds remembers where the seeds of shared text were entered.
type sharedSeeds struct {
	id    string // the document at hand, and its first byte in the part
	begin uint32
	run   []entry // the seeds in a row that were too frequent to be entered
	at    map[uint64]sharedPlace
}

// sharedPlace is the document of an entry and its index among the entries.
type sharedPlace struct {
	id    string
	index int
}

// see takes a seed that is too frequent.
func (h *sharedSeeds) see(entries []entry, hash uint64, place uint32) []entry {
	for k := max(0, len(h.run)-sharedRun); k < len(h.run); k++ {
		if h.run[k].hash == hash { // what repeats itself is an ornament, not a text
			h.run = h.run[:k]
			entries = h.flush(entries)
			break
		}
	}
	h.run = append(h.run, entry{hash, place})
	return entries
}

// flush ends a run and enters its seeds, if there are enough.
func (h *sharedSeeds) flush(entries []entry) []entry {
	if len(h.run) >= sharedRun {
		for _, e := range h.run {
			was, ok := h.at[e.hash]
			switch {
			case !ok:
				h.at[e.hash] = sharedPlace{h.id, len(entries)}
				entries = append(entries, e)
			case h.id < was.id:
				entries[was.index] = e
				h.at[e.hash] = sharedPlace{h.id, was.index}
			}
		}
	}
	h.run = h.run[:0]
	return entries
}
