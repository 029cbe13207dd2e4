package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"testing"
)

// Packages that keep nothing between two builds in one process: no function of
// theirs changes a variable of the package.
var stateless = []string{".", "align", "bounded", "chart", "crawl", "eval", "export", "label", "pipelines/ingest", "rank", "report", "segment", "sorting", "storage", "table"}

// What is changed all the same, by what packages call while they are initialised.
var filledAtStart = map[string]string{
	"storage.buckets":  "RegisterBuckets: what opens a scheme's buckets",
	"storage.links":    "RegisterLinks: names that are links in a bucket",
	"table.registered": "register: the entries",
}

// TestNothingIsKeptBetweenBuilds: what a build leaves in a variable of a package
// would disturb another one in the same process.
func TestNothingIsKeptBetweenBuilds(t *testing.T) {
	set := token.NewFileSet()
	packages := map[string][]*ast.File{}
	for _, f := range goFiles(t) {
		if f.test || !slices.Contains(stateless, f.pkg) {
			continue
		}
		parsed, err := parser.ParseFile(set, f.path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		packages[f.dir] = append(packages[f.dir], parsed)
	}
	for dir, files := range packages {
		variables := packageVariables(files)
		for _, f := range files {
			for _, target := range changed(f) {
				if spec := variables[target.Name]; spec == nil || target.Obj != nil && target.Obj.Decl != spec {
					continue // a name within a function
				}
				if name := path.Base(dir) + "." + target.Name; filledAtStart[name] == "" {
					t.Errorf("%s: %s is changed while the program runs: give it to a value that a build owns", set.Position(target.Pos()), name)
				}
			}
		}
	}
}

// packageVariables are the variables of a package, by name.
func packageVariables(files []*ast.File) map[string]*ast.ValueSpec {
	variables := map[string]*ast.ValueSpec{}
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				spec := s.(*ast.ValueSpec)
				for _, name := range spec.Names {
					variables[name.Name] = spec
				}
			}
		}
	}
	return variables
}

// changed are the names whose values a file's functions assign to, wholly or in
// part, delete from, or take the address of; those of init come before any build.
func changed(f *ast.File) (names []*ast.Ident) {
	add := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
			case *ast.SelectorExpr:
				e = x.X
			case *ast.StarExpr:
				e = x.X
			case *ast.ParenExpr:
				e = x.X
			case *ast.Ident:
				names = append(names, x)
				return
			default:
				return
			}
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Name.Name == "init" {
			continue
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					for _, e := range n.Lhs {
						add(e)
					}
				}
			case *ast.IncDecStmt:
				add(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					add(n.X)
				}
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					add(n.Key)
				}
			case *ast.CallExpr:
				if name, ok := n.Fun.(*ast.Ident); ok && slices.Contains([]string{"delete", "clear", "copy"}, name.Name) {
					add(n.Args[0])
				}
			}
			return true
		})
	}
	return names
}
