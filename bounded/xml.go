package bounded

import (
	"encoding/xml"
	"io"
)

// XML reads the tokens of XML within limits. Names are as they are written: a decoder that
// looks up their name spaces keeps all that are declared in open elements, however many.
type XML struct {
	decoder *xml.Decoder
	depth   int64
	open    []xml.Name
}

// NewXML reads XML in UTF-8, or in what it declares if charset, which may be nil, decodes that.
func NewXML(r io.Reader, l Limits, charset func(label string, in io.Reader) (io.Reader, error)) *XML {
	l = l.WithDefaults()
	x := &XML{decoder: xml.NewDecoder(&Tags{From: r, Limits: l}), depth: l.Depth}
	x.decoder.Entity = xml.HTMLEntity
	if charset != nil {
		x.decoder.CharsetReader = func(label string, in io.Reader) (io.Reader, error) {
			decoded, err := charset(label, in)
			return &Tags{From: decoded, Limits: l}, err
		}
	}
	return x
}

// Token is the next token, which holds until the one after it. The end is [io.EOF].
func (x *XML) Token() (xml.Token, error) {
	token, err := x.decoder.RawToken()
	if token == nil && err == io.EOF && len(x.open) > 0 {
		return nil, x.broken("unexpected EOF")
	}
	if token == nil {
		return nil, err
	}
	switch t := token.(type) {
	case xml.StartElement:
		if int64(len(x.open)) >= x.depth {
			return nil, Over("depth", x.depth, "elements are nested more than %d deep", x.depth)
		}
		x.open = append(x.open, t.Name)
	case xml.EndElement:
		if len(x.open) == 0 {
			return nil, x.broken("unexpected end element </" + t.Name.Local + ">")
		}
		last := x.open[len(x.open)-1]
		if last != t.Name {
			return nil, x.broken("element <" + last.Local + "> closed by </" + t.Name.Local + ">")
		}
		x.open = x.open[:len(x.open)-1]
	}
	return token, nil
}

func (x *XML) broken(message string) error {
	line, _ := x.decoder.InputPos()
	return &xml.SyntaxError{Msg: message, Line: line}
}
