package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"testing"
)

// TestNothingIsKeptBetweenBuilds: what a build leaves in a variable of a package
// would disturb another one in the same process, and outlive it. Builds keep such
// things in their worker.Worker. So no function changes a variable of a package, and
// no variable guards or hands out something that changes, and no function sets what
// belongs to the process, but for those named here.
var keptByTheProcess = map[string]string{
	"cmd/commonplace.debug.SetGCPercent":   "one command a process: it gives memory back sooner",
	"storage/cloud.os.Setenv":              "Amazon's library reads the setting from the environment alone, and it is the same for every build",
	"align/aligntest.Made":                 "made when it is needed, for tests, and never changed",
	"cmd/commonplace.memlimit.Set":         "main, before any build: the container's limit is the process's, and so is Go's heap",
	"crawl/language.byName":                "the names of languages, which are written out when they are needed, and never change",
	"crawl/quality.list":                   "a list of words that is read when it is needed, and never changes",
	"crawl/warc.constructing":              "a lock: gowarc keeps a variable of its own while it makes a reader or a writer",
	"infer/features.lemmas":                "words and their lemmas that are read when they are needed, and never change",
	"infer.os.Setenv":                      "ONNX Runtime reads the setting from the environment alone, when it is loaded",
	"infer.started":                        "ONNX Runtime has one environment a process, and onnxruntime_go one handle of the library",
	"infer/tokenizer.wordSet":              "a class of characters that is written out when it is needed, and never changes",
	"pipelines/engine.stages":              "Register, from init: the stages, which workers elsewhere look up by name",
	"pipelines/runner.handlers":            "Register, from init: kinds of jobs, which workers elsewhere look up by name",
	"pipelines/runner.initialised":         "Beam has one set of flags and one registry a process; other flags are refused",
	"pipelines/runner/account.lent":        "what is lent to Beam while it is initialised, before main",
	"pipelines/runner/account.os.Setenv":   "the same, and taken back before main",
	"pipelines/runner/account.os.Unsetenv": "the same",
	"pipelines/runner.turn":                "a lock: Beam's own runners read a job's name from the process's flags",
	"storage.buckets":                      "RegisterBuckets, from init and tests: what opens a scheme's buckets",
	"table/parquet.codec":                  "encoders that are lent, and remember nothing",
	"table.registered":                     "register, from init: the entries",
	"pipelines/runner.processWorker":       "the worker of a process that a runner started elsewhere, which works for one run",
}

// Benchmarks and tools are programs of their own.
var programs = []string{"bench", "models"}

func TestNothingIsKeptBetweenBuilds(t *testing.T) {
	set := token.NewFileSet()
	packages := map[string][]*ast.File{}
	for _, f := range goFiles(t) {
		if f.test || slices.Contains(programs, f.pkg) {
			continue
		}
		parsed, err := parser.ParseFile(set, f.path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		packages[f.dir] = append(packages[f.dir], parsed)
	}
	kept := map[string]bool{}
	refuse := func(dir, name string, at token.Pos, what string) {
		kept[path.Join(dir, ".")+"."+name] = true
		if keptByTheProcess[path.Join(dir, ".")+"."+name] == "" {
			t.Errorf("%s: %s.%s %s: give it to a value that a build owns, or name it with a worker.Var", set.Position(at), dir, name, what)
		}
	}
	for dir, files := range packages {
		variables, types := packageVariables(files), packageTypes(files)
		for name, spec := range variables {
			if changes(spec, types) {
				refuse(dir, name, spec.Pos(), "holds what changes")
			}
		}
		for _, f := range files {
			for _, target := range changed(f) {
				if spec := variables[target.Name]; spec == nil || target.Obj != nil && target.Obj.Decl != spec {
					continue // a name within a function
				}
				refuse(dir, target.Name, target.Pos(), "is changed while the program runs")
			}
			for _, call := range processCalls(f) {
				refuse(dir, call.X.(*ast.Ident).Name+"."+call.Sel.Name, call.Pos(), "sets what belongs to the process")
			}
		}
	}
	for name := range keptByTheProcess {
		if !kept[name] {
			t.Errorf("%s is named here, and nothing of the kind is there", name)
		}
	}
}

// processCalls are the calls by which a file sets what all of a process sees.
func processCalls(f *ast.File) (calls []*ast.SelectorExpr) {
	setters := map[string][]string{"os": {"Chdir", "Clearenv", "Setenv", "Unsetenv"}, "slog": {"SetDefault"}, "log": {"SetFlags", "SetOutput", "SetPrefix"}, "debug": {"SetGCPercent", "SetMemoryLimit"}, "memlimit": {"Set"}, "runtime": {"GOMAXPROCS"}}
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if s, ok := call.Fun.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains(setters[x.Name], s.Sel.Name) && !isZero(call.Args) {
					calls = append(calls, s)
				}
			}
		}
		return true
	})
	return calls
}

// isZero says that a call asks, as runtime.GOMAXPROCS(0) does, and sets nothing.
func isZero(args []ast.Expr) bool {
	if len(args) != 1 {
		return false
	}
	v, ok := args[0].(*ast.BasicLit)
	return ok && v.Value == "0"
}

// changes tells whether a variable is of a type, or begins with a value, that is there
// to be changed: a lock, a channel, an atomic, a worker.
func changes(spec *ast.ValueSpec, types map[string]ast.Expr) (found bool) {
	seen := map[string]bool{}
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncType:
			return false
		case *ast.ChanType:
			found = true
		case *ast.SelectorExpr:
			switch x, _ := n.X.(*ast.Ident); {
			case x == nil:
			case x.Name == "worker" && n.Sel.Name == "New", slices.Contains([]string{"sync", "atomic", "singleflight"}, x.Name):
				found = true
			}
			return false
		case *ast.IndexExpr: // worker.Var[...], of which each worker has its own
			if s, ok := n.X.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "worker" {
					return false
				}
			}
		case *ast.Ident:
			if of := types[n.Name]; of != nil && !seen[n.Name] {
				seen[n.Name] = true
				ast.Inspect(of, look)
			}
		}
		return !found
	}
	if spec.Type != nil {
		ast.Inspect(spec.Type, look)
	}
	for _, v := range spec.Values {
		ast.Inspect(v, look)
	}
	return found
}

// packageTypes are the types that a package declares, by name.
func packageTypes(files []*ast.File) map[string]ast.Expr {
	types := map[string]ast.Expr{}
	for _, f := range files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					types[s.(*ast.TypeSpec).Name.Name] = s.(*ast.TypeSpec).Type
				}
			}
		}
	}
	return types
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
