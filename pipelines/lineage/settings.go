package lineage

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/commonplace/commonplace/pipelines/config"
	"github.com/commonplace/commonplace/storage"
)

// What clients of OpenLineage assume where nothing is said.
const (
	defaultEndpoint  = "api/v1/lineage"
	defaultNamespace = "default"
)

// hostPort is what somebody writes who forgets the scheme.
var hostPort = regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]+$`)

// Settings say where events go, and what they have in common.
type Settings struct {
	To        string // file, or address that begins with http:// or https://
	Endpoint  string // path that is added to the address
	Key       string // sent to the address as a bearer token; none when empty
	Namespace string // of the jobs
	Parent    string // NAMESPACE/JOB/RUN of what started the build; none when empty
}

// Environment reads the variables that clients of OpenLineage share.
func Environment(get func(string) string) Settings {
	s := Settings{
		To: get("OPENLINEAGE_URL"), Endpoint: get("OPENLINEAGE_ENDPOINT"), Key: get("OPENLINEAGE_API_KEY"),
		Namespace: get("OPENLINEAGE_NAMESPACE"), Parent: get("OPENLINEAGE_PARENT_ID"),
	}
	if strings.EqualFold(strings.TrimSpace(get("OPENLINEAGE_DISABLED")), "true") {
		s.To = ""
	}
	return s
}

// Open makes ready for the events of builds of a config.
func Open(s Settings, c *config.Config) (*Events, error) {
	e := &Events{config: c, namespace: cmp.Or(s.Namespace, defaultNamespace), job: nameOf(c.File())}
	var err error
	if s.Parent != "" {
		if e.outer, err = parseParent(s.Parent); err != nil {
			return nil, err
		}
	}
	if e.to, err = s.open(); err != nil {
		return nil, err
	}
	return e, nil
}

// nameOf is what a config's file or folder is called.
func nameOf(path string) string {
	if absolute, err := filepath.Abs(path); err == nil && !storage.Remote(path) { // . has a name, too
		path = absolute
	}
	name := filepath.Base(path)
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

func (s Settings) open() (sink, error) {
	if !strings.Contains(s.To, "://") {
		if hostPort.MatchString(s.To) {
			return nil, fmt.Errorf("%s is an address without http:// or https://; a file of that name is ./%s", s.To, s.To)
		}
		return openFile(s.To)
	}
	u, err := url.Parse(s.To)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" { // not repeated: it may hold a password
		return nil, errors.New("events go to a file of this machine or to an address that begins with http:// or https:// and a host")
	}
	endpoint := strings.Trim(cmp.Or(s.Endpoint, defaultEndpoint), "/")
	if !strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/"+endpoint) {
		u = u.JoinPath(endpoint)
	}
	return newAddress(u, s.Key), nil
}

// parseParent reads NAMESPACE/JOB/RUN; a namespace may have slashes.
func parseParent(text string) (*parent, error) {
	rest, id, ok := cutLast(text)
	namespace, name, more := cutLast(rest)
	if !ok || !more || namespace == "" || name == "" || !isUUID(id) {
		return nil, fmt.Errorf("OPENLINEAGE_PARENT_ID is %q, must be NAMESPACE/JOB/RUN with a UUID", text)
	}
	return &parent{job{Namespace: namespace, Name: name}, id}, nil
}

func cutLast(text string) (before, after string, found bool) {
	at := strings.LastIndexByte(text, '/')
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}
