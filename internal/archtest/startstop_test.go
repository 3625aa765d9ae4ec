package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutGuard lists types with a start and a stop method that need no Guard, with the reason.
func withoutGuard() map[string]string {
	return map[string]string{
		"cluster.grpcTransport": "only Node calls it, in its own start and stop",
		"workbench.launcher":    "only Bench calls it, in its own start and stop",
		"analyst.watchdog":      "one model call starts and stops it, in one function",
		"analyst.speech":        "it begins and ends messages; it does not run anything",
		"parley.node":           "the program itself, which runs once",
	}
}

// lives holds the types of a package that can be started, that can be stopped, and that have a Guard.
type lives struct {
	starts, stops, guarded map[string]bool
}

func (l *lives) read(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch name := receiver(d); strings.ToLower(d.Name.Name) {
			case "start":
				l.starts[name] = true
			case "stop", "shutdown", "close":
				l.stops[name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				t, ok := s.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if body, ok := t.Type.(*ast.StructType); ok && hasGuard(body) {
					l.guarded[t.Name.Name] = true
				}
			}
		}
	}
}

// receiver returns the receiver type of a method; it is empty for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if name, ok := t.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// hasGuard reports whether a struct has a startstop.Guard.
func hasGuard(s *ast.StructType) bool {
	for _, field := range s.Fields.List {
		if t, ok := field.Type.(*ast.SelectorExpr); ok && t.Sel.Name == "Guard" {
			if from, ok := t.X.(*ast.Ident); ok && from.Name == "startstop" {
				return true
			}
		}
	}
	return false
}

// TestStartStop checks that every type that can be started and stopped follows the contract of
// package startstop: it has a Guard, and a test of its package runs the stress test.
func TestStartStop(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	found, excused := 0, 0
	for _, top := range []string{"actors", "analyst", "api", "cluster", "cmd", "connectors", "persistence", "shared"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			l := &lives{map[string]bool{}, map[string]bool{}, map[string]bool{}}
			stressed := false
			files, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil {
				return err
			}
			for _, name := range files {
				src, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				if strings.HasSuffix(name, "_test.go") {
					stressed = stressed || strings.Contains(string(src), "startstoptest.Stress(")
					continue
				}
				file, err := parser.ParseFile(token.NewFileSet(), name, src, 0)
				if err != nil {
					return err
				}
				l.read(file)
			}
			for name := range l.starts {
				room := filepath.Base(dir) + "." + name
				if name == "" || !l.stops[name] {
					continue
				}
				if withoutGuard()[room] != "" {
					excused++
					continue
				}
				found++
				if !l.guarded[name] {
					t.Errorf("%s in %s can be started and stopped: give it a startstop.Guard", name, dir)
				}
				if !stressed {
					t.Errorf("%s in %s can be started and stopped: test it with startstoptest.Stress", name, dir)
				}
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, found, 7, "System, Node, membership, Journal, Server, Bench and chore")
	require.Len(t, withoutGuard(), excused, "each of these types must exist")
}

func TestStartStop_Reads(t *testing.T) {
	t.Parallel()
	l := &lives{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	file, err := parser.ParseFile(token.NewFileSet(), "", `package p
		type a struct { life startstop.Guard }
		func (x *a) Start() {}
		func (x *a) Stop() {}
		type b struct { life other.Guard }
		func (x b) start() {}
		func (x b) close() {}
		func start() {}`, 0)
	require.NoError(t, err)
	l.read(file)
	require.Equal(t, map[string]bool{"a": true, "b": true, "": true}, l.starts)
	require.Equal(t, map[string]bool{"a": true, "b": true}, l.stops)
	require.Equal(t, map[string]bool{"a": true}, l.guarded)
}
