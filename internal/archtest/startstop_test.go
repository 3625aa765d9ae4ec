package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutGuard lists types that can be started and stopped and need no Guard, with the reason.
func withoutGuard() map[string]string {
	const reader = "it reads one file or answer, and does not run anything"
	return map[string]string{
		"cluster.grpcTransport":  "only Node calls it, in its own start and stop",
		"workbench.launcher":     "only Bench calls it, in its own start and stop",
		"workbench.slots":        "only Bench calls it, in its own stop",
		"analyst.watchdog":       "one model call starts and stops it, in one function",
		"analyst.speech":         "it begins and ends messages; it does not run anything",
		"turn.sink":              "its method ends a message; it does not run anything",
		"turn.Actor":             "the library starts and stops it; its own method handles a message",
		"connection.Actor":       "the library starts and stops it; its own method closes a socket",
		"ledger.State":           "a state without goroutines; its method handles an input",
		"openai.events":          reader,
		"parley-worker.chunk":    reader,
		"parley.node":            "the program itself, which runs once",
		"loadtest.others":        "one run of a storm starts and stops it, in one function",
		"parley-bench.issuer":    "one benchmark starts and stops it, in one function",
		"parley-cluster.service": "one run of the cluster starts and stops it, in one function",
		"redistest.Server":       "a server of one test, which also kills and restarts it",
		"redistest.Proxy":        "it stops by itself at the end of its test",
		"nodetest.Port":          "a node in a test, whose Guard is that of cluster.Node",
	}
}

// lives holds the types of a package that can be started, that can be stopped, and that have a
// Guard. A type is started by its method or by the function that makes it: what has to be
// stopped may run from then on.
type lives struct {
	starts, stops, guarded map[string]bool
}

// making is the name of a function that starts, opens or makes something.
var making = regexp.MustCompile(`^(?i:start|open|new)`)

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
			if d.Recv == nil && d.Type.Results != nil && making.MatchString(d.Name.Name) {
				for _, made := range d.Type.Results.List {
					l.starts[named(made.Type)] = true
				}
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
	return named(d.Recv.List[0].Type)
}

// named returns the name of a type of the same package, or of the type that a pointer refers to.
func named(t ast.Expr) string {
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
	for _, top := range []string{"actors", "analyst", "api", "cluster", "cmd", "connectors", "internal", "persistence", "shared"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(dir string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() || filepath.Base(dir) == "startstop" {
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
	require.GreaterOrEqual(t, found, 14,
		"System, Node, membership, Journal, two Servers, Bench, chore, Model, two Stores, Space, Provider and Proxy")
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
		type c struct{}
		func (c) Shutdown() {}
		func startC() (*c, error) { return nil, nil }
		func OpenD() (d, other.E) { return nil, nil }
		func renew() *f { return nil }
		func start() {}`, 0)
	require.NoError(t, err)
	l.read(file)
	delete(l.starts, "")
	require.Equal(t, map[string]bool{"a": true, "b": true, "c": true, "d": true, "error": true}, l.starts)
	require.Equal(t, map[string]bool{"a": true, "b": true, "c": true}, l.stops)
	require.Equal(t, map[string]bool{"a": true}, l.guarded)
}
