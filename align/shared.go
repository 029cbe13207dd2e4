package align

// Text that very many sources share, such as a licence or a running head, would
// fill the index and be reported at every place of it. Its seeds are too frequent
// to be entered; but where they stand in a row they are entered once, at the
// first place by the documents' ids, so that whoever repeats the text is told so once.
const sharedRun = 8 // too frequent long seeds in a row

// sharedSeeds remembers where the seeds of shared text were entered.
type sharedSeeds struct {
	at  map[uint64]sharedPlace
	run []sharedPlace
}

type sharedPlace struct {
	hash  uint64
	id    string
	index int // among the entries; in run, the symbol
}

// enter appends or moves the entries of the shared text in the folded document id.
func (h *sharedSeeds) enter(entries []entry, s *Stats, f *folded, begin uint32, id string, allowed uint16) []entry {
	pad := f.sym[:len(f.sym)+padding]
	flush := func() {
		for _, p := range h.run {
			if len(h.run) < sharedRun {
				break
			}
			e := entry{p.hash, begin + f.pos[p.index]}
			was, ok := h.at[p.hash]
			switch {
			case !ok:
				h.at[p.hash] = sharedPlace{p.hash, id, len(entries)}
				entries = append(entries, e)
			case id < was.id:
				entries[was.index] = e
				h.at[p.hash] = sharedPlace{p.hash, id, was.index}
			}
		}
		h.run = h.run[:0]
	}
	for i := range f.sym {
		if pad[i]&wordStart == 0 {
			continue
		}
		long := seedHashes(pad, i)[1]
		for k := max(0, len(h.run)-sharedRun); k < len(h.run); k++ {
			if h.run[k].hash == long { // what repeats itself is an ornament, not a text
				h.run = h.run[:k]
				flush()
				break
			}
		}
		if s.seeds[long>>(64-seedBits)] > allowed {
			h.run = append(h.run, sharedPlace{hash: long, index: i})
		} else {
			flush()
		}
	}
	flush()
	return entries
}
