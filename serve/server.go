package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Limits of what a browser may ask, and how long it may take.
const (
	headerBytes = 16 << 10
	connections = 64 // of strangers at one time, and as many that have shown the token
	readTimeout = 10 * time.Second
	sendTimeout = time.Minute
	idleTimeout = 2 * time.Minute
)

// Server answers one site's browsers.
type Server struct {
	site     *Site
	token    string
	listener *limited
}

// Listen opens a port of 127.0.0.1, 0 for any that is free, and makes a new token.
func Listen(site *Site, port int) (*Server, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	return &Server{site: site, token: rand.Text(), listener: &limited{Listener: l}}, nil
}

// Address is what a browser opens. Who knows it can read the site.
func (s *Server) Address() string {
	return "http://" + s.listener.Addr().String() + "/" + s.token + "/"
}

// Serve answers until the context ends, which is no error. It closes the port, and every
// connection, also one that is being answered.
func (s *Server) Serve(ctx context.Context) error {
	h := &http.Server{
		Handler:        s,
		MaxHeaderBytes: headerBytes,
		ReadTimeout:    readTimeout,
		WriteTimeout:   sendTimeout,
		IdleTimeout:    idleTimeout,
		ConnContext:    withConnection,
		ErrorLog:       log.New(io.Discard, "", 0), // what strangers send is no news
	}
	defer context.AfterFunc(ctx, func() { h.Close() })()
	err := h.Serve(s.listener)
	if ctx.Err() != nil && errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// refuse answers and ends the connection, so that who has no token keeps none of the
// few that there are.
func refuse(w http.ResponseWriter, why string, status int) {
	w.Header().Set("Connection", "close")
	http.Error(w, why, status)
}

// ServeHTTP refuses a request for another host, by which a hostile page could reach this
// machine under a name of its own (DNS rebinding). Without the token every address is
// one that there is not. With it, the page, its parts and its texts can be read, and nothing else.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store") // the texts stay out of the browser's folders
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	if !ours(r.Host) {
		refuse(w, "this server has another name", http.StatusMisdirectedRequest)
		return
	}
	token, name, inside := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	at, there := s.site.spans[name]
	ofText := name == texts && s.site.text != nil
	switch {
	case !equal(token, s.token) || !inside || !there && !ofText:
		refuse(w, "not found", http.StatusNotFound)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		refuse(w, "this server can only be read", http.StatusMethodNotAllowed)
		return
	}
	if !admit(r) {
		header.Set("Connection", "close")
	}
	if ofText {
		s.serveText(w, r)
		return
	}
	kind := "text/javascript; charset=utf-8"
	if name == page {
		kind = "text/html; charset=utf-8"
	}
	header.Set("Content-Type", kind)
	http.ServeContent(w, r, name, time.Time{}, io.NewSectionReader(s.site.file, at.begin, at.size))
}

// serveText answers with a piece of a text. The id is in the query, since browsers shorten
// paths with an id such as "..".
func (s *Server) serveText(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	piece, err := strconv.ParseUint(query.Get("piece"), 10, 31)
	if err != nil {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	content, err := s.site.text(r.Context(), query.Get("id"), int(piece))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		http.Error(w, "not found", http.StatusNotFound)
	case err != nil:
		http.Error(w, "the text cannot be read; if the run was built again, start serve again", http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		http.ServeContent(w, r, texts, time.Time{}, bytes.NewReader(content))
	}
}

// ours tells whether a host is this machine by its own names. The port may be another:
// that of a tunnel (ssh -L).
func ours(host string) bool {
	if name, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		host = name
	}
	return host == "127.0.0.1" || strings.EqualFold(host, "localhost")
}

// equal compares in a time that says nothing of where or in what length they differ.
func equal(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}
