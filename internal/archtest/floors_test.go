package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "parley.dev/parley/"

// floors lists the rooms of each floor, from the ground up. "x/*" makes every folder of x
// a separate room. A package belongs to the deepest room that contains its path.
func floors() [][]string {
	return [][]string{
		{"domain"},
		// What the name, the heading and the unit of a column say, which the check, the meaning and the specialists read; and the
		// tree of a question, of which the checks of its answer are made.
		{"analyst/specialist/columns", "analyst/query"},
		{
			"analyst", "analyst/check", "analyst/guard", "analyst/semantic", "analyst/specialist", "analyst/statistics", "connectors",
			"actors/protocol", "actors/node",
		},
		{"persistence", "cluster", "shared", "analyst/provider/*", "connectors/*"},
		{"actors/connection", "actors/conversation", "actors/conversation/ledger", "actors/session", "actors/task", "actors/turn"},
		{"actors/node/*"},
		{"actors"},
		{"api"},
		{"cmd"},
	}
}

// unseen lists downward imports that are forbidden nevertheless: these rooms use the
// adapters only through interfaces, and cmd connects them.
func unseen() map[string][]string {
	return map[string][]string{
		"actors": {"persistence", "connectors", "analyst/provider", "cluster", "shared"},
		"api": {
			"persistence", "analyst", "cluster", "shared", "connectors",
			"actors/connection", "actors/conversation", "actors/session", "actors/task", "actors/turn", "actors/node",
		},
	}
}

// ground reports whether a package is below all floors: every floor may import it, and it
// imports no room.
func ground(p string) bool { return strings.HasPrefix(p, "internal/") }

type pkg struct {
	ImportPath string
	Imports    []string
	// Deps are all packages that it needs, also those that it does not import itself.
	Deps []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,Deps", module+"...").Output()
	require.NoError(t, err)
	var all []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, p)
	}
}

// room returns the floor and the room of a package; floor is -1 if it is in no room.
func room(p string) (floor int, name string) {
	floor = -1
	for f, rooms := range floors() {
		for _, r := range rooms {
			base, each := strings.CutSuffix(r, "/*")
			if each {
				rest, ok := strings.CutPrefix(p, base+"/")
				if !ok {
					continue
				}
				r = base + "/" + strings.SplitN(rest, "/", 2)[0]
			}
			if (p == r || strings.HasPrefix(p, r+"/")) && len(r) > len(name) {
				floor, name = f, r
			}
		}
	}
	return floor, name
}

func refused(from, to string) string {
	fromFloor, fromRoom := room(from)
	toFloor, toRoom := room(to)
	switch {
	case fromRoom == toRoom:
		return ""
	case toFloor > fromFloor:
		return "imports go down: move shared code below both, or pass it in from cmd"
	case toFloor == fromFloor && !nested(fromRoom, toRoom):
		return "rooms on one floor do not import each other: declare an interface where it is used, and connect them in cmd"
	}
	for _, u := range unseen()[fromRoom] {
		if to == u || strings.HasPrefix(to, u+"/") {
			return "this room uses that one only through an interface that cmd connects"
		}
	}
	return ""
}

// nested permits analyst to import its specialists, and a conversation its ledger: those
// rooms belong to the room above them in the path.
func nested(from, to string) bool { return path.Dir(to) == from }

func TestFloors(t *testing.T) {
	t.Parallel()
	all := packages(t)
	require.Greater(t, len(all), 10, "go list must find the module")
	for _, p := range all {
		from := strings.TrimPrefix(p.ImportPath, module)
		f, _ := room(from)
		if f < 0 && !ground(from) && !strings.HasPrefix(from, "web") {
			t.Errorf("%s is on no floor: put it in a room of internal/archtest/floors_test.go", from)
			continue
		}
		for _, i := range p.Imports {
			to, ours := strings.CutPrefix(i, module)
			if !ours || ground(to) {
				continue
			}
			if ground(from) {
				// Helpers below the floors may import only a few packages.
				if !groundMay(from, to) {
					t.Errorf("%s imports %s: internal helpers must not import rooms", from, to)
				}
				continue
			}
			if why := refused(from, to); why != "" {
				t.Errorf("%s imports %s: %s", from, to, why)
			}
		}
	}
}

// groundMay reports whether a package below the floors may import a room.
func groundMay(from, to string) bool {
	switch {
	case to == "domain" || to == "actors/protocol" || to == "analyst":
		return true
	case strings.HasPrefix(from, "internal/integration"):
		return true // tests of several rooms together
	}
	return false
}

// measuring lists the packages that are only for measurements and trials, each with the packages that
// may import it: in the product, only the commands for load tests and for evaluations.
func measuring() map[string][]string {
	return map[string][]string{
		"cmd/parley/loadtest": {"cmd/parley"}, "cmd/parley/eval": {"cmd/parley"}, "cmd/parley-bench": {}, "cmd/parley-cluster": {},
	}
}

// measures returns why a package must not import another that is only for measurements, or "".
func measures(from, to string) string {
	for base, users := range measuring() {
		inside := func(p string) bool { return p == base || strings.HasPrefix(p, base+"/") }
		if inside(to) && !inside(from) && !slices.Contains(users, from) {
			return "the product must not import packages that are only for measurements"
		}
	}
	return ""
}

func TestMeasuring(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, p := range packages(t) {
		from := strings.TrimPrefix(p.ImportPath, module)
		for base := range measuring() {
			found[base] = found[base] || from == base
		}
		for _, i := range p.Imports {
			if to, ours := strings.CutPrefix(i, module); ours {
				require.Empty(t, measures(from, to), "%s imports %s", from, to)
			}
		}
	}
	for base := range measuring() {
		require.True(t, found[base], "%s must exist", base)
	}
	require.NotEmpty(t, measures("cmd/parley", "cmd/parley-bench/scale"))
	require.NotEmpty(t, measures("persistence", "cmd/parley-bench"))
	require.NotEmpty(t, measures("cmd/parley-worker", "cmd/parley/loadtest"))
	require.NotEmpty(t, measures("cmd/parley-bench", "cmd/parley/loadtest"))
	require.Empty(t, measures("cmd/parley-bench", "cmd/parley-bench/scale"))
	require.NotEmpty(t, measures("analyst", "cmd/parley/eval"))
	require.Empty(t, measures("cmd/parley", "cmd/parley/loadtest"))
}

// pure lists rooms that only compute, with the internal packages that they may import:
// packages that do not start goroutines, wait or send.
func pure() map[string][]string {
	return map[string][]string{
		"actors/conversation/ledger": {"internal/budget"}, "analyst/check": {"internal/english"},
		"analyst/guard": {"internal/english", "internal/sqltext"},
		"analyst/query": {"internal/sqltext"}, "analyst/semantic": {"internal/english", "internal/lru", "internal/sqltext"},
		"analyst/statistics": {"internal/sqltext"},
	}
}

// impure returns why a room that only computes must not import a package, or "".
func impure(room, path string) string {
	to, ours := strings.CutPrefix(path, module)
	switch {
	case strings.Contains(path, "protoactor"):
		return "a room that only computes must not import the actor library"
	case ours && ground(to) && !slices.Contains(pure()[room], to):
		return "a room that only computes may import only the internal packages that pure() lists for it"
	}
	return ""
}

func TestPure(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, p := range packages(t) {
		_, name := room(strings.TrimPrefix(p.ImportPath, module))
		if _, ok := pure()[name]; !ok {
			continue
		}
		found[name] = true
		for _, i := range p.Imports {
			if why := impure(name, i); why != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, i, why)
			}
		}
		require.Contains(t, p.Deps, module+"domain", "go list must find what a room needs")
		for _, d := range p.Deps {
			if strings.Contains(d, "protoactor") {
				t.Errorf("%s needs %s, through a package that it imports: a room that only computes must do without", p.ImportPath, d)
			}
		}
	}
	require.Len(t, found, len(pure()), "each room must exist")
	require.NotEmpty(t, impure("actors/conversation/ledger", "github.com/asynkron/protoactor-go/actor"))
	require.NotEmpty(t, impure("actors/conversation/ledger", module+"internal/mailbox"))
	require.Empty(t, impure("actors/conversation/ledger", module+"internal/budget"))
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		ok       bool
	}{
		{"domain", "analyst", false},
		{"persistence", "domain", true},
		{"persistence", "cluster", false},
		{"connectors/csv", "connectors", true},
		{"connectors/csv", "connectors/workbench", false},
		{"actors/turn", "actors/conversation", false},
		{"actors/turn", "analyst", true},
		{"actors/conversation", "actors/conversation/ledger", true},
		{"actors/conversation/ledger", "actors/conversation", false},
		{"actors/session", "actors/conversation/ledger", false},
		{"actors", "actors/turn", true},
		{"actors", "actors/node/roster", true},
		{"actors/node/roster", "actors/connection", true},
		{"actors/node/roster", "actors/node/wheel", false},
		{"actors/node/ownership", "actors/node/roster", false},
		{"actors/node/ownership", "actors/node", true},
		{"api", "actors/node/attendance", false},
		{"actors/connection", "actors/node/wheel", false},
		{"actors", "persistence", false},
		{"actors", "analyst/provider/openai", false},
		{"api", "actors", true},
		{"api/stream", "actors/connection", false},
		{"api", "persistence", false},
		{"api", "connectors", false},
		{"cmd/parley", "persistence", true},
		{"analyst", "analyst/specialist", true},
		{"analyst", "analyst/provider/builtin", false},
	} {
		require.Equal(t, c.ok, refused(c.from, c.to) == "", "%s → %s", c.from, c.to)
	}
}
