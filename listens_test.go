package commonplace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// listeners are the files that may open a port, and which.
var listeners = map[string]string{
	"serve/server.go": "a port of 127.0.0.1, for commonplace serve",
}

// Nobody opens a port or a socket but those who say here which, and they name the
// address where they do: no flag can open another.
func TestListeners(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test || f.pkg == "bench" || strings.HasPrefix(f.path, "storage/cloud/loopback/") { // stores for tests
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			on, isPackage := name.X.(*ast.Ident)
			if !isPackage || !strings.HasPrefix(name.Sel.Name, "Listen") || on.Name != "net" && on.Name != "http" && on.Name != "tls" && on.Name != "syscall" && on.Name != "unix" {
				return true
			}
			if seen[f.path] = true; listeners[f.path] == "" {
				t.Errorf("%s calls %s.%s: a run listens nowhere", f.path, on.Name, name.Sel.Name)
				return true
			}
			loopback := false
			ast.Inspect(call, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Value == `"127.0.0.1"` {
					loopback = true
				}
				return true
			})
			if !loopback {
				t.Errorf("%s: %s.%s names another address than 127.0.0.1", f.path, on.Name, name.Sel.Name)
			}
			return true
		})
	}
	if len(seen) != len(listeners) {
		t.Errorf("%d files listen, not %d: take away what nobody needs", len(seen), len(listeners))
	}
}
