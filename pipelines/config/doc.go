// Package config reads the YAML file that describes a run. [Load] decodes it
// strictly, fills in defaults, makes paths absolute and checks every value, so
// that a mistake is refused with its file, line, key and value before any work.
//
// A key is a field with a yaml tag and a doc tag. [Reference] makes the page
// configs/README.md from the tags. The package knows no stage: stages read it.
package config
