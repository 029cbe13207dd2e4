package label

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/commonplace/commonplace"
)

// WriteCoNLL writes examples as CoNLL columns in IOB2: a word, a tab, and O,
// B-QUOTE or I-QUOTE a line, a blank line after each example, the example's id
// in a comment before it. Words have no white space in them, so nothing needs
// escaping.
func WriteCoNLL(w io.Writer, examples iter.Seq[commonplace.Example]) error {
	out := bufio.NewWriter(w)
	for e := range examples {
		if len(e.Tokens) != len(e.Tags) {
			return fmt.Errorf("example %s has %d tokens and %d tags", e.ID, len(e.Tokens), len(e.Tags))
		}
		fmt.Fprintf(out, "# context_id = %s\n", e.ID)
		for i, t := range e.Tags {
			if t != TagOutside {
				t += "-QUOTE"
			}
			fmt.Fprintf(out, "%s\t%s\n", e.Tokens[i], t)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// squadAnswer is one answer of SQuAD: answer_start counts code points, as the
// public evaluation does in Python.
type squadAnswer struct {
	Text        string `json:"text"`
	AnswerStart int64  `json:"answer_start"`
}

type squadQuestion struct {
	ID       string        `json:"id"`
	Question string        `json:"question"`
	Answers  []squadAnswer `json:"answers"`
}

type squadParagraph struct {
	Context   string          `json:"context"`
	Questions []squadQuestion `json:"qas"`
}

type squadArticle struct {
	Title      string           `json:"title"`
	Paragraphs []squadParagraph `json:"paragraphs"`
}

// WriteSQuAD writes examples as SQuAD 1.1 JSON: the paragraph that holds the
// quote is SQuAD's context, the quote's context is the question, the span the
// answer. Examples of one document must follow one another; they are one
// article, and those of one passage that follow one another one paragraph. It
// holds one article at a time.
func WriteSQuAD(w io.Writer, examples iter.Seq[commonplace.Example]) error {
	out := bufio.NewWriter(w)
	out.WriteString(`{"version": "1.1", "data": [`)
	var article squadArticle
	var passage string
	articles := 0
	flush := func() error {
		if len(article.Paragraphs) == 0 {
			return nil
		}
		if articles > 0 {
			out.WriteByte(',')
		}
		articles++
		var line strings.Builder
		enc := json.NewEncoder(&line)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(article); err != nil {
			return err
		}
		out.WriteString("\n" + strings.TrimSuffix(line.String(), "\n"))
		article, passage = squadArticle{}, ""
		return nil
	}
	for e := range examples {
		if e.DocID != article.Title {
			if err := flush(); err != nil {
				return err
			}
			article.Title = e.DocID
		}
		if e.PassageID != passage {
			article.Paragraphs = append(article.Paragraphs, squadParagraph{Context: e.PassageText})
			passage = e.PassageID
		}
		p := &article.Paragraphs[len(article.Paragraphs)-1]
		p.Questions = append(p.Questions, squadQuestion{ID: e.ID, Question: e.Context, Answers: []squadAnswer{{e.SpanText, e.SpanBegin}}})
	}
	if err := flush(); err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}
