package export

// question is a row as SQuAD has it: a paragraph, a question about it, and the
// answer's words in it. The start counts code points, as the public evaluation
// does in Python.
type question struct {
	title, passage, context string
	id, question            string
	answer                  string
	start                   int64
}

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

func (f *squadFile) add(q question) error {
	b := f.buffer[:0]
	article, paragraph := !f.any || q.title != f.title, !f.any || q.title != f.title || q.passage != f.passage
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
		b = append(appendString(b, q.title), `,"paragraphs":[`...)
	}
	if paragraph {
		b = append(b, `{"context":`...)
		b = append(appendString(b, q.context), `,"qas":[`...)
	}
	b = append(appendString(append(b, `{"id":`...), q.id), `,"question":`...)
	b = append(appendString(b, q.question), `,"answers":[{"text":`...)
	b = append(appendString(b, q.answer), `,"answer_start":`...)
	b = append(appendInt(b, q.start), "}]}"...)
	f.any, f.title, f.passage, f.buffer = true, q.title, q.passage, b
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
