package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"testing"
)

// parsedFiles are the Go files by folder and package.
func parsedFiles(t *testing.T, set *token.FileSet) map[string][]*ast.File {
	files := map[string][]*ast.File{}
	for _, f := range goFiles(t) {
		parsed, err := parser.ParseFile(set, f.path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		key := path.Join(f.dir, parsed.Name.Name)
		files[key] = append(files[key], parsed)
	}
	return files
}

// TestErrorsAreNotJoinedByOr: cmp.Or asks for all its arguments, so what should not be done
// after a failure is done. An error is told by its name.
func TestErrorsAreNotJoinedByOr(t *testing.T) {
	set := token.NewFileSet()
	failure := regexp.MustCompile(`^err|^failed$|^refused$|\.[eE]rr(\(\))?$|\.(Wait|Close|Flush|done|join)\(`)
	for _, list := range parsedFiles(t, set) {
		for _, f := range list {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || types.ExprString(call.Fun) != "cmp.Or" {
					return true
				}
				for _, arg := range call.Args {
					if failure.MatchString(types.ExprString(arg)) {
						t.Errorf("%s: cmp.Or of errors: ask for one after the other", set.Position(n.Pos()))
						break
					}
				}
				return true
			})
		}
	}
}

// TestNoNameHidesABuiltin: who reads len or string within a function reads Go's. No
// parameter, result or receiver has a predeclared name, or that of a type of its package.
func TestNoNameHidesABuiltin(t *testing.T) {
	set := token.NewFileSet()
	for _, list := range parsedFiles(t, set) {
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
