package serve

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
)

// limited accepts connections at once, so that nobody waits for a place. A connection is a
// stranger's until it has shown the token. Of these there are few: each one too many ends
// the oldest, so that who says nothing keeps nobody out.
type limited struct {
	net.Listener
	lock      sync.Mutex
	strangers []*connection // oldest first
	known     int           // connections that have shown the token
}

type connection struct {
	net.Conn
	of    *limited
	known bool
	ended sync.Once
}

func (l *limited) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: accepted, of: l}
	l.lock.Lock()
	l.strangers = append(l.strangers, c)
	var oldest *connection
	if len(l.strangers) > connections {
		oldest = l.strangers[0]
	}
	l.lock.Unlock()
	if oldest != nil {
		oldest.Close()
	}
	return c, nil
}

func (c *connection) Close() error {
	c.ended.Do(func() {
		c.of.lock.Lock()
		defer c.of.lock.Unlock()
		if c.known {
			c.of.known--
			return
		}
		if at := slices.Index(c.of.strangers, c); at >= 0 {
			c.of.strangers = slices.Delete(c.of.strangers, at, at+1)
		}
	})
	return c.Conn.Close()
}

// connectionKey finds the connection of a request in its context.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// admit makes the connection of a request one that has shown the token, and reports whether
// there are few enough of these to keep it.
func admit(r *http.Request) (keep bool) {
	c, ok := r.Context().Value(connectionKey{}).(*connection)
	if !ok {
		return true
	}
	c.of.lock.Lock()
	defer c.of.lock.Unlock()
	if at := slices.Index(c.of.strangers, c); at >= 0 { // else it is known, or was ended just now
		c.of.strangers = slices.Delete(c.of.strangers, at, at+1)
		c.known = true
		c.of.known++
	}
	return c.of.known <= connections
}
