package report

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync/atomic"
	"testing"
)

// A page that is served loads its parts and texts, and runs nothing that its port answers:
// when the server has ended, another user of the machine may have taken the port.
func TestAServedPageRunsNoAnswers(t *testing.T) {
	t.Parallel()
	ctx, _ := browser(t)
	dir, left, _, _ := textsRun(t)
	texts, err := NewTexts(t.Context(), dir, anyone)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	o := Options{Open: anyone, PageSize: 2000, TextsAt: "text", Part: func(content []byte) (string, error) {
		name := fmt.Sprintf("part-%d.js", len(files))
		files[name] = bytes.Clone(content)
		return name, nil
	}}
	files[""] = []byte(writeReuse(t, dir, o))
	var others atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := r.URL.Path[1:]; {
		case others.Load():
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, "window.harm = 1; commonplaceText([window.harm = 1])\n")
		case name == o.TextsAt:
			piece, _ := strconv.Atoi(r.FormValue("piece"))
			script, err := texts.Piece(r.Context(), r.FormValue("id"), piece)
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Write(script)
		default:
			w.Write(files[name])
		}
	}))
	defer s.Close()
	both := "#texts?source=a&target=" + url.QueryEscape(hostileID)
	do(t, ctx, navigate(s.URL+"/"+both)...)
	wait(t, ctx, `document.querySelectorAll(".whole").length === 2`)
	if !value[bool](t, ctx, `document.querySelectorAll(".whole")[0].textContent === `+quoted(t, left.Text)) {
		t.Error("it is not the text")
	}
	do(t, ctx, navigate(s.URL+"/")...)
	wait(t, ctx, `document.getElementById("view").textContent.length > 0`)
	others.Store(true)
	run(t, ctx, `location.hash = `+quoted(t, both))
	wait(t, ctx, `window.harm !== undefined || document.getElementById("view").textContent.includes("cannot be loaded")`)
	if value[bool](t, ctx, `window.harm !== undefined`) {
		t.Error("what another program answered ran as a script")
	}
}
