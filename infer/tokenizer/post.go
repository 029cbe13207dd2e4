package tokenizer

// sequence is one text's ids before special tokens are put around them.
type sequence struct {
	ids        []int32
	begin, end []int32
	spaces     []spaces // of added tokens that were found, by place
	over       error    // why the ids are not all: the text was too much
}

// spaces counts the white space at the ends of the token at a place.
type spaces struct{ at, lead, trail int32 }

func (s *sequence) reset() {
	s.ids, s.begin, s.end, s.spaces = s.ids[:0], s.begin[:0], s.end[:0], s.spaces[:0]
	s.over = nil
}

func (s *sequence) add(id, begin, end int32) {
	s.ids = append(s.ids, id)
	s.begin = append(s.begin, begin)
	s.end = append(s.end, end)
}

// keep leaves n ids, the first ones or the last.
func (s *sequence) keep(n int, last bool) {
	from := 0
	if last {
		from = len(s.ids) - n
	}
	s.ids, s.begin, s.end = s.ids[from:from+n], s.begin[from:from+n], s.end[from:from+n]
	kept := s.spaces[:0]
	for _, x := range s.spaces {
		if x.at -= int32(from); x.at >= 0 && x.at < int32(n) {
			kept = append(kept, x)
		}
	}
	s.spaces = kept
}

// slot is one element of a template: a special token, or a sequence.
type slot struct {
	sequence int // 0, 1, or -1 for special
	ids      []int32
	typeID   int32
}

// postprocessor puts special tokens around one text or a pair.
type postprocessor struct {
	single, pair []slot
	trims        []trimmer
}

// plainSlots are the templates of a file without special tokens.
var plainSingle, plainPair = []slot{{sequence: 0}}, []slot{{sequence: 0}, {sequence: 1, typeID: 1}}

// added is how many special tokens the template puts in.
func added(template []slot) int {
	n := 0
	for _, s := range template {
		if s.sequence < 0 {
			n += len(s.ids)
		}
	}
	return n
}

// trimmer takes the white space of byte-level tokens out of their offsets.
type trimmer struct {
	prefix      bool    // a space was put before the text
	lead, trail []int32 // by id
}

func (t trimmer) trim(s *sequence) {
	more := s.spaces
	for i, id := range s.ids {
		lead, trail := int32(0), int32(0)
		if int(id) < len(t.lead) {
			lead, trail = t.lead[id], t.trail[id]
		}
		if len(more) > 0 && int(more[0].at) == i {
			lead, trail = more[0].lead, more[0].trail
			more = more[1:]
		}
		if lead == 0 && trail == 0 {
			continue
		}
		if lead > 0 {
			if first := i == 0 || s.begin[i] == 0; first && t.prefix && lead == 1 {
				lead = 0
			}
			s.begin[i] = min(s.begin[i]+lead, s.end[i])
		}
		if trail > 0 && s.end[i] >= trail {
			s.end[i] = max(s.end[i]-trail, s.begin[i])
		}
	}
}
