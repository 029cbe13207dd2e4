package ranking

import (
	"slices"
	"strings"
)

// modelNames name the models of a system by their folders. The trainer writes OUT/model, so a
// folder model has the name of the one around it. Where two folders would have one name, as
// many folders around them are named as tell them apart.
func modelNames(folders []string) []string {
	names := make([]string, len(folders))
	for i, folder := range folders {
		for depth := 1; ; depth++ {
			name, whole := nameOfModel(folder, depth)
			names[i] = name
			taken := func(other string) bool {
				its, _ := nameOfModel(other, depth)
				return its == name && other != folder
			}
			if !slices.ContainsFunc(folders, taken) {
				break
			}
			if whole { // of x and x/model
				names[i] = folder
				break
			}
		}
	}
	return names
}

// nameOfModel is the end of a path, of so many folders; whole says that there are no more.
func nameOfModel(folder string, depth int) (name string, whole bool) {
	parts := strings.FieldsFunc(folder, func(r rune) bool { return r == '/' })
	if n := len(parts); n > 1 && parts[n-1] == "model" && parts[n-2] != "." && parts[n-2] != ".." {
		parts = parts[:n-1]
	}
	return strings.Join(parts[max(0, len(parts)-depth):], "/"), depth >= len(parts)
}
