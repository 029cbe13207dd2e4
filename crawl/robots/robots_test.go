package robots

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// check is one question of the conformance list.
type check struct {
	section, body, agent, address string
	allowed                       bool
}

// conformance reads the list.
func conformance(t testing.TB) []check {
	raw, err := os.ReadFile("testdata/conformance.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []check
	section, body := "", ""
	for n, line := range strings.Split(string(raw), "\n") {
		switch {
		case strings.HasPrefix(line, "#") || line == "":
		case strings.HasPrefix(line, "== "):
			section, body = line[3:], ""
		case strings.HasPrefix(line, ">"):
			s, err := strconv.Unquote(`"` + strings.ReplaceAll(line[1:], `"`, `\"`) + `"`)
			if err != nil {
				t.Fatalf("line %d: %v", n+1, err)
			}
			body += s + "\n"
		default:
			f := strings.Fields(line)
			if len(f) != 3 || f[2] != "yes" && f[2] != "no" {
				t.Fatalf("line %d: %q", n+1, line)
			}
			all = append(all, check{section, body, f[0], f[1], f[2] == "yes"})
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d cases", len(all))
	}
	return all
}

// TestConformance holds the rules of RFC 9309, case by case.
func TestConformance(t *testing.T) {
	all := conformance(t)
	passed := 0
	for _, c := range all {
		body := strings.TrimSuffix(c.body, "\n") // also files without a last line end
		for _, b := range []string{c.body, body} {
			if got := Parse([]byte(b)).Allows(c.agent, c.address); got != c.allowed {
				t.Errorf("%s: %s %s: %v, want %v, by\n%s", c.section, c.agent, c.address, got, c.allowed, b)
				passed--
				break
			}
		}
		passed++
	}
	t.Logf("%d of %d cases passed", passed, len(all))
}

// TestLimits reads 500 KiB and no half rule behind them (2.5).
func TestLimits(t *testing.T) {
	filler := strings.Repeat("# a line of twenty-nine bytes\n", MaxBytes/30-2)
	late := filler + "User-agent: *\nDisallow: /a\n"
	if Parse([]byte(late)).Allows("x", "http://a.org/a") {
		t.Errorf("a rule at byte %d of %d is not read", len(late), MaxBytes)
	}
	cut := "User-agent: *\nDisallow: /a\n" + strings.Repeat("#", MaxBytes-27-len("\nDisallow: /")) + "\nDisallow: /open\n"
	if !Parse([]byte(cut)).Allows("x", "http://a.org/other") {
		t.Error("half of a rule is followed")
	}
	if Parse([]byte(cut)).Allows("x", "http://a.org/a") {
		t.Error("the rule before the cut is not followed")
	}
	if AllowAll().Allows("x", "http://a.org/") != true || DisallowAll().Allows("x", "http://a.org/") || !DisallowAll().Allows("x", "http://a.org/robots.txt") {
		t.Error("all or nothing")
	}
	if Parse(nil).Allows("x", "http://a.org/%zz") {
		t.Error("what is no address is allowed")
	}
}

func TestDelay(t *testing.T) {
	for _, c := range []struct {
		body string
		want time.Duration
	}{
		{"", 0},
		{"User-agent: *\nCrawl-delay: 10", 10 * time.Second},
		{"User-agent: *\nCrawl-delay: 0.5", 500 * time.Millisecond},
		{"User-agent: *\nCrawl-delay: 3600", MaxDelay},
		{"User-agent: *\nCrawl-delay: 1e300", MaxDelay},
		{"User-agent: *\nCrawl-delay: -1", 0},
		{"User-agent: *\nCrawl-delay: NaN", 0},
		{"User-agent: *\nCrawl-delay: soon", 0},
		{"User-agent: *\nCRAWL-DELAY : 2 # slowly", 2 * time.Second},
		{"Crawl-delay: 10", 0},
		{"User-agent: other\nCrawl-delay: 10", 0},
		{"User-agent: other\nUser-agent: commonplace\nCrawl-delay: 10", 10 * time.Second},
		{"User-agent: *\nCrawl-delay: 10\nUser-agent: Commonplace/1.0\nCrawl-delay: 2", 2 * time.Second},
		{"User-agent: *\nCrawl-delay: 10\nUser-agent: commonplace\nDisallow: /x", 0},
		{"User-agent: commonplace\nDisallow: /x\nCrawl-delay: 4\nUser-agent: *\nCrawl-delay: 9", 4 * time.Second},
	} {
		if got := Parse([]byte(c.body)).Delay("commonplace"); got != c.want {
			t.Errorf("%q: %v, want %v", c.body, got, c.want)
		}
	}
}

// FuzzParse takes any file and any address.
func FuzzParse(f *testing.F) {
	seen := map[string]bool{}
	for _, c := range conformance(f) {
		if !seen[c.body] {
			seen[c.body] = true
			f.Add([]byte(c.body), c.agent, c.address)
		}
	}
	f.Add([]byte("User-agent: *\nCrawl-delay: 1e999\nDisallow: /*$*$"), "commonplace", "http://a.org/?#")
	f.Fuzz(func(t *testing.T, body []byte, agent, address string) {
		r := Parse(body)
		first := r.Allows(agent, address)
		if again := r.Allows(agent, address); again != first {
			t.Fatal("it depends on when one asks")
		}
		if d := r.Delay(agent); d < 0 || d > MaxDelay {
			t.Fatalf("a delay of %v", d)
		}
	})
}

func ExampleRules_Allows() {
	rules := Parse([]byte("User-agent: *\nDisallow: /\nAllow: /books/\n"))
	fmt.Println(rules.Allows("commonplace", "https://example.org/books/1.txt"), rules.Allows("commonplace", "https://example.org/search"))
	// Output: true false
}
