package gutenberg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Edition is the file that was chosen for one eBook of a mirror.
type Edition struct {
	EBook    int64
	Name     string // below the mirror's root, with slashes
	Size     int64
	Encoding string // what the name says: big5 for N-5.txt, else empty
	Others   int    // files of this eBook that were passed over for it
}

// MirrorPath is where mirrors of the main collection keep an eBook: every digit
// but the last is a folder, one-digit numbers stand under 0.
//
//	MirrorPath(12345) == "1/2/3/4/12345"
//	MirrorPath(7) == "0/7"
func MirrorPath(ebook int64) string {
	digits := strconv.FormatInt(ebook, 10)
	if len(digits) == 1 {
		return "0/" + digits
	}
	return strings.Join(strings.Split(digits[:len(digits)-1], ""), "/") + "/" + digits
}

var (
	mainName      = regexp.MustCompile(`^(\d{1,7})(-0|-8|-5)?\.(txt|zip)$`)
	generatedName = regexp.MustCompile(`^pg(\d{1,7})(-0)?\.txt(\.utf-?8)?(\.gz)?$`)
)

// Mirror finds the best file of every eBook in a folder that is a mirror of the
// main collection (1/2/3/4/12345/12345-0.txt), of the generated one
// (cache/epub/12345/pg12345.txt), or of both, in the order of their numbers.
//
// Best is N-0.txt (Unicode), then pgN.txt (generated, UTF-8), N-8.txt (8 bits,
// its encoding in its header), N-5.txt (Big5), N.txt; of the same kind a .txt
// before its .zip. Replaced editions (old/, .yyyymmdd) and HTML folders are not
// looked into. A folder without any such file is an error.
func Mirror(ctx context.Context, mirror fs.FS) ([]Edition, error) {
	best := map[int64]Edition{}
	rank := map[int64]int{}
	err := fs.WalkDir(mirror, ".", func(p string, d fs.DirEntry, err error) error {
		if ended := ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			return err
		}
		if d.IsDir() {
			if p != "." && passOver(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		ebook, quality := Judge(p)
		if quality == 0 || !d.Type().IsRegular() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := Edition{EBook: ebook, Name: p, Size: info.Size(), Encoding: EncodingOf(p)}
		before, ok := best[ebook]
		if ok {
			e.Others = before.Others + 1
		}
		if ok && (rank[ebook] > quality || rank[ebook] == quality && before.Name <= e.Name) {
			before.Others++
			best[ebook] = before
			return nil
		}
		best[ebook], rank[ebook] = e, quality
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("gutenberg: read the mirror: %w", err)
	}
	if len(best) == 0 {
		return nil, errors.New("gutenberg: this is no mirror: it holds no file such as 1/2/3/4/12345/12345-0.txt or cache/epub/12345/pg12345.txt")
	}
	editions := make([]Edition, 0, len(best))
	for _, e := range best {
		editions = append(editions, e)
	}
	slices.SortFunc(editions, func(a, b Edition) int { return int(a.EBook - b.EBook) })
	return editions, nil
}

// passOver names folders of a mirror that hold no current text.
func passOver(name string) bool {
	return name == "old" || name == "images" || name == "files" || strings.HasSuffix(name, "-h") || strings.HasPrefix(name, ".") ||
		strings.HasSuffix(name, "-page-images") || strings.HasSuffix(name, "-readable")
}

// EncodingOf is what a file's name says of its encoding, empty for nothing.
func EncodingOf(name string) string {
	if strings.Contains(path.Base(name), "-5.") {
		return "big5"
	}
	return ""
}

// Judge reads the name of a file below a mirror's root, or of an archive's entry: the
// eBook, and how good the file is of it, 0 for none.
func Judge(name string) (ebook int64, quality int) {
	for dir := range strings.SplitSeq(path.Dir(name), "/") {
		if dir != "." && passOver(dir) {
			return 0, 0
		}
	}
	return judge(path.Base(name), path.Base(path.Dir(name)))
}

// judge reads a file's name in its folder: the eBook and how good the file is, 0 for none.
func judge(name, folder string) (ebook int64, quality int) {
	quality = 2
	m := mainName.FindStringSubmatch(name)
	if m != nil {
		switch m[2] {
		case "-0":
			quality = 10
		case "-8":
			quality = 6
		case "-5":
			quality = 4
		}
		if path.Ext(name) == ".zip" {
			quality--
		}
	} else if m = generatedName.FindStringSubmatch(name); m != nil {
		quality = 8
	} else {
		return 0, 0
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || n == 0 || folder != m[1] || m[1] != strconv.FormatInt(n, 10) {
		return 0, 0 // not in its own folder: something else of that name
	}
	return n, quality
}
