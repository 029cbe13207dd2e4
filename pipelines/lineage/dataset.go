package lineage

import (
	"cmp"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/commonplace/commonplace/storage"
	"github.com/commonplace/commonplace/table"
)

// place is the dataset of a file, a folder, an object of a bucket or an address, as
// OpenLineage names them: what else reads or writes it has the same name. Of a pattern it
// is the folder that all of it lies in. A password and a query are left out.
func place(at string) dataset {
	if scheme := storage.Scheme(at); scheme != "" {
		host, name := splitAddress(strings.ToLower(scheme), at[len(scheme)+3:])
		return dataset{Namespace: strings.ToLower(scheme) + "://" + host, Name: cmp.Or(name, "/")}
	}
	if absolute, err := filepath.Abs(at); err == nil {
		at = absolute
	}
	return dataset{Namespace: "file", Name: folderOf(at)}
}

// splitAddress is the host or the bucket of what follows a scheme, and the name in it. The
// name of an object is as it is: a question mark in it is part of a pattern.
func splitAddress(scheme, rest string) (host, name string) {
	if scheme != "http" && scheme != "https" {
		bucket, object, _ := strings.Cut(rest, "/")
		return bucket, strings.TrimPrefix(folderOf("/"+object), "/")
	}
	if at := strings.IndexAny(rest, "?#"); at >= 0 {
		rest = rest[:at]
	}
	host = rest
	if at := strings.IndexByte(rest, '/'); at >= 0 {
		host, name = rest[:at], rest[at:]
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	return host[strings.LastIndexByte(host, '@')+1:], name
}

// folderOf is a path, or the folder above the first name that is a pattern.
func folderOf(path string) string {
	at := strings.IndexAny(path, "*?[{")
	if at < 0 {
		return path
	}
	slash := strings.LastIndexByte(path[:at], '/')
	return path[:max(slash, 0)]
}

// tableOf is the dataset of a table of a run, which has one name in all versions. Its
// version is a hash of what is in it; empty where that is not known.
func tableOf(out, name, version string) dataset {
	d := place(storage.Join(table.Home(out), name))
	d.Facets = facets{}
	if t, ok := table.Named(name); ok {
		d.Facets["schema"] = facet{"fields": fields(t.Describe().Columns)}.of("1-2-0", "SchemaDatasetFacet")
	}
	if version != "" {
		d.Facets["version"] = facet{"datasetVersion": version}.of("1-0-1", "DatasetVersionDatasetFacet")
	}
	return d
}

// field is a column.
type field struct {
	Name        string  `json:"name"`
	Type        string  `json:"type"`
	Description string  `json:"description,omitempty"`
	Position    int     `json:"ordinal_position"`
	Fields      []field `json:"fields,omitempty"`
}

func fields(columns []table.Column) []field {
	list := make([]field, len(columns))
	for i, c := range columns {
		list[i] = field{c.Name, c.Type, c.Doc, i + 1, fields(c.Fields)}
	}
	return list
}
