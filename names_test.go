package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"testing"
)

// Packages under division, whose names are looked at when it is done.
var unnamed = []string{"pipelines", "table"}

// TestNoNameHidesABuiltin: who reads len or string within a function reads Go's. No
// parameter, result or receiver has a predeclared name, or that of a type of its package.
func TestNoNameHidesABuiltin(t *testing.T) {
	files := map[string][]*ast.File{} // by folder and package
	set := token.NewFileSet()
	for _, f := range goFiles(t) {
		if slices.Contains(unnamed, f.room) {
			continue
		}
		parsed, err := parser.ParseFile(set, f.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		key := path.Join(f.dir, parsed.Name.Name)
		files[key] = append(files[key], parsed)
	}
	for _, list := range files {
		own := map[string]bool{}
		for _, f := range list {
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
					for _, s := range g.Specs {
						own[s.(*ast.TypeSpec).Name.Name] = true
					}
				}
			}
		}
		hides := func(fields *ast.FieldList) {
			if fields == nil {
				return
			}
			for _, f := range fields.List {
				for _, name := range f.Names {
					if own[name.Name] || types.Universe.Lookup(name.Name) != nil {
						t.Errorf("%s: %s hides what its name means in Go or in the package", set.Position(name.Pos()), name.Name)
					}
				}
			}
		}
		for _, f := range list {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					hides(n.Recv)
				case *ast.FuncType:
					hides(n.Params)
					hides(n.Results)
				}
				return true
			})
		}
	}
}
