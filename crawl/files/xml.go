package files

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/transform"

	commonplace "github.com/commonplace/commonplace"
	"github.com/commonplace/commonplace/bounded"
	"github.com/commonplace/commonplace/crawl"
	"github.com/commonplace/commonplace/crawl/charset"
)

// ReasonXML is the reason for XML that is not well formed.
const ReasonXML = "broken xml"

// readXML reads a TEI file, as of Perseus or of plays, by its plain text: what
// is in <text> (in <body> of other XML, or all), a line break for every
// line, a blank line between paragraphs, speeches, headings and divisions.
// Notes and the header are left out; title, author, date and language are read from
// the header, whose first 1,000 elements are the document's metadata. The date is that of
// the creation, else of the source: the edition that is here may be newer by centuries.
// Offsets are into that text.
func readXML(ctx context.Context, file File, opts Options) (commonplace.Document, error) {
	refuse := refusal(strings.TrimSuffix(file.ID, ".xml"), file.Path)
	raw, reason, err := readAll(ctx, file, opts)
	if err != nil {
		return refuse(reason, err.Error())
	}
	t := &teiText{limits: opts.Limits.WithDefaults(), encoding: "utf-8", reason: charset.ByDeclared} // XML's own default
	text := string(raw)
	if decoded, err := charset.Decode(raw, ""); err == nil && certain(decoded, text) {
		t.decoded, text, t.encoding, t.reason = true, decoded.Text, decoded.Encoding, decoded.Reason
	}
	var over *bounded.Error
	switch err := t.read(strings.NewReader(text)); {
	case errors.As(err, &over):
		return refuse(ReasonLimit, err.Error())
	case errors.Is(err, errEncoding):
		return refuse(ReasonEncoding, err.Error())
	case err != nil:
		return refuse(ReasonXML, err.Error())
	}
	doc := commonplace.Document{
		ID: strings.TrimSuffix(file.ID, ".xml"), Source: opts.Source, URL: file.Rel, SHA256: sum(raw),
		Title: flat(t.title), Author: flat(t.author), Date: flat(t.date.value), Language: t.language,
		Text: t.String(), FrameStatus: StatusAsIs, Encoding: t.encoding, EncodingReason: t.reason,
	}
	doc.Metadata, _ = t.header.sorted()
	if !t.decoded {
		doc.EncodingReason = charset.Undecoded(doc.Text, t.reason)
	}
	if detail := crawl.BadID(doc.ID); detail != "" {
		return refuse(ReasonBadID, detail)
	}
	doc.Characters = int64(utf8.RuneCountInString(doc.Text))
	doc.FrameEnd = doc.Characters
	return doc, blank(doc, refuse)
}

// certain says that the decision on a file's encoding needs no declaration: a mark
// says it, or zeros do, or letters beyond ASCII are valid UTF-8, and the file
// declares something else.
func certain(d charset.Decoded, raw string) bool {
	if d.Reason == charset.ValidUTF8 {
		declared := xmlEncoding.FindStringSubmatch(raw[:min(len(raw), 1024)])
		return declared != nil && !strings.EqualFold(declared[1], "utf-8") && strings.IndexFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
	}
	return strings.HasPrefix(d.Reason, charset.ByBOM) || strings.HasPrefix(d.Encoding, "utf-16")
}

// xmlEncoding is what a file's first line declares.
var xmlEncoding = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// errEncoding is of a declared encoding that nobody can decode.
var errEncoding = errors.New("no decoder")

func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

// teiText gathers the text of a TEI document.
type teiText struct {
	flow
	limits                   bounded.Limits
	title, author, language  string
	date                     teiDate
	encoding, reason         string
	header                   others
	headed                   []string        // the open elements of the header
	said                     strings.Builder // what the last of them has held so far
	decoded                  bool            // whatever is declared
	rooted                   bool
	open                     []string
	inText, inHeader, inNote int
}

func (t *teiText) read(r io.Reader) error {
	d := bounded.NewXML(r, t.limits, func(label string, in io.Reader) (io.Reader, error) {
		if t.decoded {
			return in, nil
		}
		enc, known := charset.Named(label)
		switch {
		case !known:
			return nil, fmt.Errorf("the encoding %q is unknown", label)
		case enc == nil:
			return nil, fmt.Errorf("%w: text in %s cannot be decoded", errEncoding, label)
		}
		t.encoding = strings.ToLower(label)
		return transform.NewReader(in, enc.NewDecoder()), nil
	})
	for {
		token, err := d.Token()
		if err == io.EOF {
			if !t.rooted {
				return errors.New("there is no element")
			}
			return nil
		}
		if err != nil {
			var se *xml.SyntaxError
			if errors.As(err, &se) {
				return fmt.Errorf("line %d: %s", se.Line, se.Msg)
			}
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if t.rooted && len(t.open) == 0 {
				return fmt.Errorf("a second root element, <%s>", token.Name.Local)
			}
			t.rooted = true
			t.open = append(t.open, token.Name.Local)
			t.start(token)
		case xml.EndElement:
			t.open = t.open[:len(t.open)-1]
			t.end(token.Name.Local)
		case xml.CharData:
			if len(t.open) == 0 && len(bytes.TrimSpace(token)) > 0 {
				return errors.New("text stands outside the root element")
			}
			t.words(string(token))
		}
	}
}

func (t *teiText) start(e xml.StartElement) {
	if t.inHeader > 0 {
		t.endField()
		name := e.Name.Local
		if kind := attribute(e, "type"); kind != "" {
			name += ":" + kind
		}
		t.headed = append(t.headed, name)
		t.date.start(t.open, e)
	}
	switch e.Name.Local {
	case "teiHeader":
		t.inHeader++
	case "text", "body":
		t.inText++
		if t.language == "" {
			t.language = attribute(e, "lang")
		}
	case "TEI", "TEI.2":
		t.language = attribute(e, "lang")
	case "note":
		t.inNote++
	}
	t.part(breaksOf(e.Name.Local))
}

// endField takes what an element of the header holds as a field. How the text was
// encoded, and its revisions, say nothing about the work.
func (t *teiText) endField() {
	text := flat(t.said.String())
	t.said.Reset()
	if text != "" && len(t.headed) > 0 && !slices.Contains(t.headed, "encodingDesc") && !slices.Contains(t.headed, "revisionDesc") && len(t.header.fields) < maxFields {
		t.header.add(t.headed[len(t.headed)-1], text)
	}
}

func (t *teiText) end(name string) {
	if t.inHeader > 0 {
		t.endField()
		if len(t.headed) > 0 {
			t.headed = t.headed[:len(t.headed)-1]
		}
	}
	switch name {
	case "teiHeader":
		t.inHeader--
	case "text", "body":
		t.inText--
	case "note":
		t.inNote--
	}
	t.part(breaksOf(name))
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// breaksOf is how many line breaks stand around an element.
func breaksOf(name string) int {
	switch name {
	case "p", "sp", "div", "div1", "div2", "div3", "head", "lg", "quote", "list", "body", "front", "back", "ab", "table", "h1", "h2", "h3", "h4":
		return 2
	case "l", "lb", "speaker", "stage", "item", "row", "pb", "br":
		return 1
	}
	return 0
}

// words takes character data to where it belongs.
func (t *teiText) words(s string) {
	if t.inHeader > 0 {
		t.said.WriteString(s)
		t.date.words(t.open, s)
		if len(t.open) > 1 {
			switch in := t.open[len(t.open)-2] + "/" + t.open[len(t.open)-1]; {
			case in == "titleStmt/title" && t.title == "":
				t.title = s
			case in == "titleStmt/author" && t.author == "":
				t.author = s
			}
		}
		return
	}
	if t.inNote > 0 || t.inText == 0 && len(t.open) > 0 && (t.open[0] == "TEI" || t.open[0] == "TEI.2") {
		return
	}
	t.add(s)
}
