package hathitrust

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/commonplace/commonplace/bounded"
)

// METSPage is what a METS file says of one page.
type METSPage struct {
	File     string // name of the OCR file in the zip
	Order    int
	Label    string // printed page number (ORDERLABEL)
	Features string // LABEL, such as "FRONT_COVER, TITLE"
}

// ReadMETS reads the physical order of a volume's pages: which OCR file each
// page has (fileGrp USE="ocr"), in the order of the structure map.
func ReadMETS(r io.Reader, l bounded.Limits) ([]METSPage, error) {
	l = l.WithDefaults()
	counted := io.LimitedReader{R: r, N: min(l.Line, math.MaxInt64-1) + 1}
	d := bounded.NewXML(&counted, l, nil)
	budget := bounded.Budget{Most: l.Memory}
	files := map[string]string{} // file id to name
	var pages []METSPage
	var file string // id of the open file in the OCR group
	inOCR, inPage := false, false
	for depth := 0; ; {
		token, err := d.Token()
		held := int64(0)
		if e, ok := token.(xml.StartElement); ok {
			held = heldBy(e)
		}
		if err == io.EOF && counted.N > 0 {
			break
		}
		if counted.N <= 0 {
			err = bounded.Over("line", l.Line, "the file has more than %d bytes", l.Line)
		}
		if err == nil {
			err = budget.Hold(held)
		}
		if err != nil {
			return nil, fmt.Errorf("hathitrust: METS: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > 64 {
				return nil, fmt.Errorf("hathitrust: METS: elements are nested more than 64 deep")
			}
			switch t.Name.Local {
			case "fileGrp":
				inOCR = attr(t, "USE") == "ocr"
			case "file":
				file = attr(t, "ID")
			case "FLocat":
				if inOCR {
					files[file] = attr(t, "href")
				}
			case "div":
				inPage = attr(t, "TYPE") == "page"
				if inPage {
					order, err := strconv.Atoi(attr(t, "ORDER"))
					if err != nil || order < 0 {
						return nil, fmt.Errorf("hathitrust: METS: a page's ORDER is %q, not a number", attr(t, "ORDER"))
					}
					pages = append(pages, METSPage{Order: order, Label: attr(t, "ORDERLABEL"), Features: attr(t, "LABEL")})
				}
			case "fptr":
				if name := files[attr(t, "FILEID")]; inPage && name != "" {
					pages[len(pages)-1].File = name
				}
			}
		case xml.EndElement:
			depth--
			if t.Name.Local == "fileGrp" {
				inOCR = false
			}
		}
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("hathitrust: METS: the structure map names no page")
	}
	slices.SortStableFunc(pages, func(a, b METSPage) int { return cmp.Compare(a.Order, b.Order) })
	return pages, nil
}

// heldBy is at most what is kept of an element.
func heldBy(e xml.StartElement) int64 {
	n := int64(128)
	for _, a := range e.Attr {
		n += int64(len(a.Value))
	}
	return n
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
