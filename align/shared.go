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

// sharedPlace is a seed that was entered and the document it is of.
type sharedPlace struct {
	id   string
	seed *entry
}

// see takes a seed that is too frequent.
func (h *sharedSeeds) see(seeds *entries, e entry) {
	for k := max(0, len(h.run)-sharedRun); k < len(h.run); k++ {
		if h.run[k].hash == e.hash { // what repeats itself is an ornament, not a text
			h.run = h.run[:k]
			h.flush(seeds)
			break
		}
	}
	h.run = append(h.run, e)
}

// flush ends a run and enters its seeds, if there are enough.
func (h *sharedSeeds) flush(seeds *entries) {
	if len(h.run) >= sharedRun {
		for _, e := range h.run {
			was, ok := h.at[e.hash]
			switch {
			case !ok:
				h.at[e.hash] = sharedPlace{h.id, seeds.add(e.hash, e.place)}
			case h.id < was.id:
				*was.seed = e
				h.at[e.hash] = sharedPlace{h.id, was.seed}
			}
		}
	}
	h.run = h.run[:0]
}
