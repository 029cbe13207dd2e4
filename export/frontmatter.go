package export

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// licence is what the user said, or what the rights come to.
func (j *job) licence() (id, name string) {
	if j.options.Licence != "" {
		return j.options.Licence, ""
	}
	return j.rights.licence()
}

// spdx is the hub's identifier as SPDX writes it.
func spdx(id string) string {
	if strings.HasPrefix(id, "cc") {
		return strings.ToUpper(id)
	}
	return id
}

var languageCode = regexp.MustCompile(`^[a-z]{2,3}$`)

// languageName is a code as YAML; empty if it is none. YAML reads "no", which is
// Norwegian, and a few other words as truth values.
func languageName(code string) string {
	switch {
	case !languageCode.MatchString(code):
		return ""
	case slices.Contains([]string{"no", "off", "on", "yes"}, code):
		return quoted(code)
	}
	return code
}

// frontMatter is the YAML that the hub and datasets read.
func (j *job) frontMatter(all []*gathered) string {
	var b strings.Builder
	id, name := j.licence()
	fmt.Fprintf(&b, "pretty_name: %s\nlicense: %s\n", quoted(j.options.Title), id)
	if name != "" {
		fmt.Fprintf(&b, "license_name: %s\nlicense_link: README.md#sources-and-rights\n", name)
	}
	var languages []string
	for _, s := range j.rights.sources {
		for _, l := range s.Languages {
			if l = languageName(l); l != "" && !slices.Contains(languages, l) {
				languages = append(languages, l)
			}
		}
	}
	slices.Sort(languages)
	list(&b, "language", languages)
	var rows int64
	for _, g := range all {
		if g.Name == j.first {
			rows = g.Rows()
		}
	}
	list(&b, "size_categories", []string{sizeCategory(rows)})
	list(&b, "task_categories", j.tasks())
	list(&b, "tags", []string{"quotations", "text-reuse"})
	if !j.formats[HF] && !j.formats[JSONL] {
		return b.String()
	}
	j.configs(&b, all)
	if j.formats[HF] {
		j.datasetInfo(&b, all)
	}
	return b.String()
}

func list(b *strings.Builder, name string, values []string) {
	if len(values) == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", name)
	for _, v := range values {
		fmt.Fprintf(b, "- %s\n", v)
	}
}

// sizeCategory is the hub's class of a number of rows.
func sizeCategory(rows int64) string {
	names := []string{"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "n>1B"}
	i := 0
	for limit := int64(1000); i < len(names)-1 && rows >= limit; limit *= 10 {
		i++
	}
	return names[i]
}

// tasks are those of the hub that the configs serve.
func (j *job) tasks() []string {
	var tasks []string
	for _, k := range j.kinds {
		for _, t := range k.Tasks {
			if !slices.Contains(tasks, t) {
				tasks = append(tasks, t)
			}
		}
	}
	slices.Sort(tasks)
	return tasks
}

// configs says which files are which split of which config.
func (j *job) configs(b *strings.Builder, all []*gathered) {
	b.WriteString("configs:\n")
	for _, g := range all {
		fmt.Fprintf(b, "- config_name: %s\n", g.Name)
		if g.Name == j.first {
			b.WriteString("  default: true\n")
		}
		b.WriteString("  data_files:\n")
		for _, s := range g.Splits {
			at := path.Join(j.folderOf(g.Name), s.Name+"-*.parquet")
			if !j.formats[HF] {
				at = path.Join(JSONL, g.Name, s.Name+".jsonl")
			}
			fmt.Fprintf(b, "  - split: %s\n    path: %s\n", s.Name, at)
		}
	}
}

func (j *job) datasetInfo(b *strings.Builder, all []*gathered) {
	b.WriteString("dataset_info:\n")
	for i, g := range all {
		fmt.Fprintf(b, "- config_name: %s\n  features:\n%s  splits:\n", g.Name, j.kinds[i].features().yaml(2))
		size, download := int64(0), int64(0)
		for _, s := range g.Splits {
			fmt.Fprintf(b, "  - name: %s\n    num_bytes: %d\n    num_examples: %d\n", s.Name, s.Bytes, s.Rows)
			size += s.Bytes
			download += s.Size
		}
		fmt.Fprintf(b, "  download_size: %d\n  dataset_size: %d\n", download, size)
	}
}
