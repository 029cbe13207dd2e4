package charset

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/traditionalchinese"
)

func encoded(t testing.TB, page *charmap.Charmap, s string) string {
	t.Helper()
	out, err := page.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func utf16le(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
		b.WriteByte(byte(r >> 8))
	}
	return b.String()
}

func TestDecode(t *testing.T) {
	french := "« L'été dernier, à Besançon, on était dans la même forêt », dit l'élève. Où ça ? Là-bas."
	header := "Title: X\r\nCharacter set encoding: "
	big5, _ := traditionalchinese.Big5.NewEncoder().String("紅樓夢")
	sjis, _ := japanese.ShiftJIS.NewEncoder().String("吾輩は猫である")
	for _, c := range []struct {
		name, raw, declared, text, encoding, reason string
	}{
		{"ascii", "plain", "", "plain", "utf-8", "valid utf-8"},
		{"empty", "", "", "", "utf-8", "valid utf-8"},
		{"utf-8", "naïve", "", "naïve", "utf-8", "valid utf-8"},
		{"utf-8 said to be latin-1", "naïve", "ISO-8859-1", "naïve", "utf-8", "valid utf-8"},
		{"utf-8 mark", "\xef\xbb\xbfnaïve", "", "naïve", "utf-8", "bom"},
		{"utf-8 mark, then not", "\xef\xbb\xbfna\xefve", "", "naïve", "utf-8", "bom: 1 bytes that are not UTF-8 read as windows-1252"},
		{"utf-16le", "\xff\xfe" + utf16le("naïve"), "", "naïve", "utf-16le", "bom"},
		{"utf-16be", "\xfe\xff\x00n\x00a", "", "na", "utf-16be", "bom"},
		{"utf-16 odd", "\xff\xfea\x00b", "", "a\ufffd", "utf-16le", "bom: 1 characters could not be decoded and are U+FFFD"},
		{"utf-32le", "\xff\xfe\x00\x00a\x00\x00\x00", "", "a", "utf-32le", "bom"},
		{"utf-32be", "\x00\x00\xfe\xff\x00\x00\x00a", "", "a", "utf-32be", "bom"},
		{"utf-16 without mark", utf16le("It was a dark night."), "", "It was a dark night.", "utf-16le", "guessed: no byte order mark"},
		{"declared latin-1", header + "ISO-8859-1\r\n\r\nna\xefve", "", header + "ISO-8859-1\r\n\r\nnaïve", "windows-1252", "declared"},
		{"cp1252 said to be latin-1", header + "ISO Latin-1\n\x93na\xefve\x94", "", header + "ISO Latin-1\n“naïve”", "windows-1252",
			"declared: said to be ISO Latin-1, holds bytes 0x80 to 0x9f of windows-1252"},
		{"latin-1 said to be utf-8", header + "UTF-8\n" + encoded(t, charmap.ISO8859_1, french), "", header + "UTF-8\n" + french, "windows-1252", "guessed: said to be UTF-8"},
		{"latin-1 said to be ascii", header + "ASCII\nna\xefve", "", header + "ASCII\nnaïve", "windows-1252", "guessed: said to be ASCII"},
		{"latin-1, nothing said", encoded(t, charmap.ISO8859_1, french), "", french, "windows-1252", "guessed"},
		{"dos, nothing said", encoded(t, charmap.CodePage850, french), "", french, "ibm850", "guessed"},
		{"mac, nothing said", encoded(t, charmap.Macintosh, french), "", french, "macintosh", "guessed"},
		{"big5 by the caller", big5, "big5", "紅樓夢", "big5", "declared"},
		{"shift-jis in the header", header + "Shift-JIS\n" + sjis, "", header + "Shift-JIS\n吾輩は猫である", "shift_jis", "declared"},
		{"greek in the header", header + "ISO-8859-7\n\xe1\xe2", "", header + "ISO-8859-7\nαβ", "iso-8859-7", "declared"},
		{"stray byte in utf-8", "naïve, élève, forêt, été, là \x96 fin", "", "naïve, élève, forêt, été, là – fin", "utf-8", "guessed: 1 bytes that are not UTF-8 read as windows-1252"},
		{"nul stays", "a\x00b", "", "a\x00b", "utf-8", "valid utf-8"},
		{"marks in big5", "A man\xa1\xa6s \xa1\xa7word\xa1\xa8\xa1Xand more", "", "A man’s “word”—and more", "big5", "guessed"},
		{"spanish is no big5", "\xa1Ven! \xa1Eva! \xa1Elena! Ma\xf1ana", "", "¡Ven! ¡Eva! ¡Elena! Mañana", "windows-1252", "guessed"},
		{"unknown name", "na\xefve", "klingon", "naïve", "windows-1252", "guessed: said to be klingon"},
	} {
		d, err := Decode([]byte(c.raw), c.declared)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if d.Text != c.text || d.Encoding != c.encoding || d.Reason != c.reason {
			t.Errorf("%s: got %+v, want %q, %s, %s", c.name, d, c.text, c.encoding, c.reason)
		}
	}
}

// Whatever the bytes, the result is a valid text and nothing is lost: a byte
// is part of a character or of a U+FFFD.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "a", "\xff\xfe", "\xff\xfea", "\x00\x00\xfe\xff\x00", "\xef\xbb\xbf\xff", "caf\xe9", "na\xefve, \x93x\x94",
		"Character set encoding: Big5\n\xac\xf5\xff", "Character set encoding: UTF-16\n\xe9", "Character set encoding: ISO-2022-JP\n\x1b$B\xe9",
		"\xe9\x00\xe9\x00", "été \x96", "Character set encoding: HZ-GB-2312\n~{\xe9", "Character set encoding: utf-7\n\xe9", "Character set encoding: replacement\n\xe9"} {
		f.Add([]byte(s), "")
		f.Add([]byte(s), "iso-8859-1")
	}
	f.Fuzz(func(t *testing.T, raw []byte, declared string) {
		d, err := Decode(raw, declared)
		if err != nil {
			return
		}
		if !utf8.ValidString(d.Text) {
			t.Fatalf("%q as %s is not valid UTF-8: %q", raw, d.Encoding, d.Text)
		}
		if len(raw) > 4 && d.Text == "" {
			t.Fatalf("%q as %s: nothing is left", raw, d.Encoding)
		}
		if d.Encoding == "" || d.Reason == "" {
			t.Fatalf("%q: no decision recorded: %+v", raw, d)
		}
	})
}

// Of 59 inaugural addresses one has its quotation marks and dashes in Big5, and says so
// nowhere; the others are ASCII or UTF-8.
func TestInauguralAddresses(t *testing.T) {
	archive, err := zip.OpenReader("../../../shared/data/transcripts/inaugural.zip")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("../shared/data/transcripts is not there")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Decode(raw, "")
		big5 := strings.HasSuffix(f.Name, "2005-Bush.txt")
		if err != nil || (d.Encoding == "big5") != big5 || strings.ContainsRune(d.Text, utf8.RuneError) {
			t.Errorf("%s: %s (%s), %v", f.Name, d.Encoding, d.Reason, err)
		}
		if big5 && !strings.Contains(d.Text, "years of sabbatical—and then there came a day of fire") {
			t.Errorf("%s: dashes are lost: %.300s", f.Name, d.Text)
		}
	}
}
