package files

import (
	"path/filepath"
	"testing"
)

func TestDateOfTEI(t *testing.T) {
	for name, test := range map[string]struct{ header, want string }{
		"attribute": {`<sourceDesc><bibl><date when="1850-03">March</date></bibl></sourceDesc>`, "1850-03"},
		"text": {`<sourceDesc><bibl><date> 18<hi>50</hi>
</date><place>York</place></bibl></sourceDesc>`, "1850"},
		"range":             {`<sourceDesc><date notBefore="1590" notAfter="1595"/></sourceDesc>`, "1590/1595"},
		"manuscript":        {`<sourceDesc><origin><origDate from="1300" to="1310">s. XIV</origDate></origin></sourceDesc>`, "1300/1310"},
		"creation first":    {`<sourceDesc><date>1623</date></sourceDesc><profileDesc><creation><date when="1601"/></creation></profileDesc>`, "1601"},
		"creation empty":    {`<profileDesc><creation><date/></creation></profileDesc><sourceDesc><date>1623</date></sourceDesc>`, "1623"},
		"BC":                {`<profileDesc><creation><date when="-0043"/></creation></profileDesc>`, "-0043"},
		"first of two":      {`<sourceDesc><date>1623</date><date>1632</date></sourceDesc>`, "1623"},
		"of the file alone": {`<publicationStmt><date>2009</date></publicationStmt>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := `<TEI><teiHeader>` + test.header + `</teiHeader><text><body><p>one</p></body></text></TEI>`
			path := filepath.Join(folder(t, map[string]string{"a.xml": text}), "a.xml")
			doc, err := readXML(t.Context(), File{ID: "a.xml", Path: path, Rel: "a.xml"}, Options{})
			if err != nil || doc.Date != test.want {
				t.Errorf("date %q, error %v, want %q", doc.Date, err, test.want)
			}
		})
	}
}
