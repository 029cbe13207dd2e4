package fetch

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// proxies says which proxy the environment names for an address: HTTP_PROXY,
// HTTPS_PROXY and NO_PROXY, in capitals or not, as curl and the other tools read
// them. Loopback is never asked through a proxy. A proxy resolves names itself, so
// that a name may lead to a private address is its owner's affair; an address that
// is written as one is looked at here.
type proxies struct {
	of      func(*url.URL) (*url.URL, error)
	allowed func(address string) bool // private addresses that a config names
}

func (c *Client) proxies() proxies {
	return proxies{httpproxy.FromEnvironment().ProxyFunc(), c.mayBePrivate}
}

// For gives the proxy of an address, nil where there is none.
func (p proxies) For(to *url.URL) (*url.URL, error) {
	proxy, err := p.of(to)
	if err != nil || proxy == nil {
		return nil, err
	}
	if proxy.Scheme != "http" {
		return nil, &Failure{Reason: ReasonGaveUp, Detail: fmt.Sprintf("the environment names a proxy %s://%s; only http:// proxies are known", proxy.Scheme, proxy.Host)}
	}
	if ip, err := netip.ParseAddr(to.Hostname()); err == nil {
		at := netip.AddrPortFrom(ip, 0).String()
		if err := public(at); err != nil && !p.allowed(hostPort(to)) {
			return nil, err
		}
	}
	return proxy, nil
}

// isProxy reports whether an address that is to be dialled is that of a proxy,
// which may be private: the user named it.
func (p proxies) isProxy(address string) bool {
	for _, scheme := range []string{"http", "https"} {
		// Any name will do that NO_PROXY leaves to the proxy.
		proxy, err := p.of(&url.URL{Scheme: scheme, Host: "proxied.invalid"})
		if err == nil && proxy != nil && hostPort(proxy) == address {
			return true
		}
	}
	return false
}

// hostPort is what is dialled for a URL.
func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// plain is the proxy of requests without encryption, which the client's library
// sends there whole. Those with it go through a tunnel of ours, since what comes
// has to be recorded inside the encryption.
func (p proxies) plain(r *http.Request) (*url.URL, error) {
	if r.URL.Scheme != "http" {
		return nil, nil
	}
	return p.For(r.URL)
}

// tunnel asks a proxy for a connection to an address.
func tunnel(ctx context.Context, conn net.Conn, through *url.URL, address string) error {
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return err
		}
		defer conn.SetDeadline(time.Time{})
	}
	defer context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })()
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if user := through.User; user != nil {
		password, _ := user.Password()
		ask.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	if err := ask.Write(conn); err != nil {
		return fmt.Errorf("the proxy %s: %w", through.Host, err)
	}
	from := bufio.NewReader(conn)
	answer, err := http.ReadResponse(from, ask)
	switch {
	case err != nil:
		return fmt.Errorf("the proxy %s: %w", through.Host, err)
	case answer.StatusCode != http.StatusOK:
		return fmt.Errorf("the proxy %s answers status %d", through.Host, answer.StatusCode)
	case from.Buffered() > 0:
		return errors.New("the proxy " + through.Host + " speaks before it is spoken to")
	}
	return nil
}
