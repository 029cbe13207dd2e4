package segment

import (
	"iter"
)

// ByProse cuts into passages of about n words that begin and end with sentences. A
// passage holds whole paragraphs, or whole sentences of one long paragraph. A heading
// begins a passage. A sentence longer than 2n words, such as a text without full stops,
// is cut every n words.
func ByProse(n int) Cut {
	return func(text string) iter.Seq[Piece] {
		return func(yield func(Piece) bool) {
			p := &packer{text: text, most: n, yield: yield}
			for paragraph := range paragraphsOf(text) {
				if p.add(paragraph); p.stopped {
					return
				}
			}
			p.flush()
		}
	}
}

// paragraphsOf yields the sentences of each paragraph.
func paragraphsOf(text string) iter.Seq[[]Sentence] {
	return func(yield func([]Sentence) bool) {
		var paragraph []Sentence
		for s := range Sentences(text) {
			if len(paragraph) > 0 && paragraph[0].Paragraph != s.Paragraph {
				if !yield(paragraph) {
					return
				}
				paragraph = paragraph[:0]
			}
			paragraph = append(paragraph, s)
		}
		if len(paragraph) > 0 {
			yield(paragraph)
		}
	}
}

// packer is a passage in the making.
type packer struct {
	text    string
	most    int // words of a passage, about
	yield   func(Piece) bool
	stopped bool
	now     Piece
}

// add takes a paragraph: into the passage so far, or into one or more of its own.
func (p *packer) add(paragraph []Sentence) {
	words := 0
	for _, s := range paragraph {
		words += s.Words
	}
	little := p.now.Words < p.most/4 // such as a heading alone: it stays with what follows
	if !little && (paragraph[0].Heading || p.over(words)) {
		p.flush()
	}
	if p.now.Words+words <= p.most+p.most/4 {
		for _, s := range paragraph {
			p.take(s.Piece)
		}
		return
	}
	if !little {
		p.flush()
	}
	words += p.now.Words
	parts := max(1, (words+p.most/2)/p.most)
	for _, s := range paragraph {
		if p.now.Words > 0 && 2*p.now.Words+s.Words > 2*words/parts {
			p.flush()
		}
		if s.Words <= 2*p.most {
			p.take(s.Piece)
			continue
		}
		for piece := range ByWords(p.most)(p.text[s.Begin:s.End]) {
			p.flush()
			p.take(Piece{s.Begin + piece.Begin, s.Begin + piece.End, piece.Words})
		}
	}
	p.flush()
}

// over says that the passage is nearer to its length without so many words more.
func (p *packer) over(words int) bool { return p.now.Words+words-p.most > p.most-p.now.Words }

func (p *packer) take(piece Piece) {
	if p.now.Words == 0 {
		p.now = piece
		return
	}
	p.now.End, p.now.Words = piece.End, p.now.Words+piece.Words
}

func (p *packer) flush() {
	if p.now.Words > 0 && !p.stopped {
		p.now.Words = Words(p.text[p.now.Begin:p.now.End]) // sentences may share one, as in Japanese
		p.stopped = !p.yield(p.now)
	}
	p.now = Piece{}
}
