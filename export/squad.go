package export

import "github.com/commonplace/commonplace/table"

// squadFile writes SQuAD 1.1 JSON. Questions of one document that follow one
// another are one article, those of one passage one paragraph; it holds none of
// them.
type squadFile struct {
	to             *file
	title, passage string
	any            bool
	buffer         []byte
}

func newSQuADFile(to *file) *squadFile {
	to.WriteString(`{"version":"1.1","data":[`)
	return &squadFile{to: to}
}

func (f *squadFile) add(q table.Question) error {
	b := f.buffer[:0]
	article, paragraph := !f.any || q.Title != f.title, !f.any || q.Title != f.title || q.Passage != f.passage
	switch {
	case f.any && article:
		b = append(b, "]}]},"...)
	case f.any && paragraph:
		b = append(b, "]},"...)
	case f.any:
		b = append(b, ',')
	}
	if article {
		b = append(b, "\n{\"title\":"...)
		b = append(appendString(b, q.Title), `,"paragraphs":[`...)
	}
	if paragraph {
		b = append(b, `{"context":`...)
		b = append(appendString(b, q.Context), `,"qas":[`...)
	}
	b = append(appendString(append(b, `{"id":`...), q.ID), `,"question":`...)
	b = append(appendString(b, q.Question), `,"answers":[{"text":`...)
	b = append(appendString(b, q.Answer), `,"answer_start":`...)
	b = append(appendInt(b, q.Start), "}]}"...)
	f.any, f.title, f.passage, f.buffer = true, q.Title, q.Passage, b
	_, err := f.to.Write(b)
	return err
}

func (f *squadFile) close() error {
	if f.any {
		f.to.WriteString("]}]}")
	}
	f.to.WriteString("\n]}\n")
	return f.to.close()
}

func (f *squadFile) file() *file {
	if f == nil {
		return nil
	}
	return f.to
}
