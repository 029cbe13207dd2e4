package ranking

import (
	"slices"
	"strings"
)

// modelNames name the models of a system by their folders. The trainer writes OUT/model, so a
// folder model has the name of the one around it, unless that is a model itself. Where two folders
// would have one name, as many folders around them are named as tell them apart.
func modelNames(folders []string) []string {
	paths := make([][]string, len(folders))
	for i, folder := range folders {
		paths[i] = strings.FieldsFunc(folder, func(r rune) bool { return r == '/' })
	}
	names, ends := make([]string, len(folders)), make([][]string, len(folders))
	for i, path := range paths {
		ends[i] = path
		if around, ok := folderAround(path); ok && !slices.ContainsFunc(paths, func(other []string) bool { return slices.Equal(other, around) }) {
			ends[i] = around
		}
	}
	for i, end := range ends {
		depth := 1
		if _, ok := folderAround(end); ok { // model alone would say nothing
			depth = 2
		}
		alike := func(depth int) bool {
			for k, other := range ends {
				if folders[k] != folders[i] && lastOf(other, depth) == lastOf(end, depth) {
					return true
				}
			}
			return false
		}
		for depth < len(end) && alike(depth) {
			depth++
		}
		if names[i] = lastOf(end, depth); alike(depth) { // of model and ./model
			names[i] = folders[i]
		}
	}
	return names
}

// folderAround is the path of the folder around one that is called model.
func folderAround(path []string) (around []string, ok bool) {
	n := len(path) - 1
	return path[:max(0, n)], n > 0 && path[n] == "model" && path[n-1] != "." && path[n-1] != ".."
}

// lastOf are so many last parts of a path.
func lastOf(path []string, n int) string {
	return strings.Join(path[max(0, len(path)-n):], "/")
}
