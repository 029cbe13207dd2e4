package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// errPrivate is an address that nobody outside may make us ask.
var errPrivate = errors.New("not a public address")

// transport dials only public addresses, or those of hosts that may be private
// and of the proxies that the environment names, and records what comes in. It speaks HTTP/1.1, whose messages a WARC file can
// hold as they came.
func (c *Client) transport() http.RoundTripper {
	proxies := c.proxies()
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		d := net.Dialer{Timeout: 30 * time.Second}
		if !c.mayBePrivate(address) && !proxies.isProxy(address) {
			// Looked at behind the name's resolution, so that a name cannot change its mind.
			d.Control = func(_, address string, _ syscall.RawConn) error { return public(address) }
		}
		conn, err := d.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &recorder{Conn: conn}, nil
	}
	return &http.Transport{
		Proxy:       proxies.plain,
		DialContext: dial,
		DialTLSContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			proxy, err := proxies.For(&url.URL{Scheme: "https", Host: address})
			if err != nil {
				return nil, err
			}
			through := address
			if proxy != nil {
				through = hostPort(proxy)
			}
			conn, err := dial(ctx, network, through)
			if err != nil {
				return nil, err
			}
			if proxy != nil {
				if err := tunnel(ctx, conn.(*recorder).Conn, proxy, address); err != nil {
					return nil, errors.Join(err, conn.Close())
				}
			}
			name, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			secure := tls.Client(conn.(*recorder).Conn, &tls.Config{ServerName: name, MinVersion: tls.VersionTLS12, RootCAs: c.roots})
			if err := secure.HandshakeContext(ctx); err != nil {
				return nil, errors.Join(err, conn.Close())
			}
			return &recorder{Conn: secure}, nil
		},
		DisableCompression:     true, // we ask for it ourselves, and keep what comes
		DisableKeepAlives:      true, // over an old connection it would ask again by itself, without a pause
		MaxResponseHeaderBytes: maxHeader,
		TLSHandshakeTimeout:    30 * time.Second,
	}
}

// mayBePrivate says that a config names the host, or host and port.
func (c *Client) mayBePrivate(address string) bool {
	name, _, err := net.SplitHostPort(address)
	return err == nil && (slices.Contains(c.policy.Private, strings.ToLower(name)) || slices.Contains(c.policy.Private, strings.ToLower(address)))
}

// reserved are networks that netip has no word for: shared, benchmarking,
// documentation and future ones, and those that carry an IPv4 address in disguise.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("100::/64"), netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("fec0::/10"),
}

// public refuses an IP address that is not on the open network.
func public(address string) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%s: %w", address, errPrivate)
	}
	ip := at.Addr().Unmap().WithZone("")
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(ip) }) {
		return fmt.Errorf("%s: %w", ip, errPrivate)
	}
	return nil
}

// recorder keeps what a connection reads while it is asked to.
type recorder struct {
	net.Conn
	keep []byte
	most int // keep no more
}

func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.Conn.Read(p)
	if room := r.most - len(r.keep); room > 0 {
		r.keep = append(r.keep, p[:min(n, room)]...)
	}
	return n, err
}
