package main

// What the processes of the faults use, before the faults and at rest after them, and what their model saw.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/history"
)

// restTime is how long the processes have to come to rest: connections that a client has closed are closed by then, and workers
// that wait for nothing have ended.
const restTime = 30 * time.Second

// ownEnv is the environment that samples need: a folder for what a process throws away, and one file for all calls of the model.
func (b *bed) ownEnv(name string) []string {
	temporary := b.temporary(name)
	require.NoError(b.t, os.MkdirAll(temporary, 0o755))
	return []string{"TMPDIR=" + temporary, "PARLEY_SCRIPTED_CALLS=" + b.callFile()}
}

func (b *bed) temporary(name string) string { return filepath.Join(b.dir, "tmp-"+name) }

func (b *bed) callFile() string { return filepath.Join(b.dir, "calls") }

// recordCalls records what the model saw.
func (w *world) recordCalls(t *testing.T) {
	t.Helper()
	file, err := os.Open(w.callFile())
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c history.Call
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c), "%s", lines.Text())
		w.recorder.Add(history.Line{Call: &c})
	}
}

// sample reads what the processes use, and for the node "" the query workers that no process has any more.
func (w *world) sample(ctx context.Context) (all []history.Sample, err error) {
	children, worker := map[int]int64{}, ""
	for _, m := range w.members {
		worker = valueOf(m.env, "PARLEY_WORKER")
		s, own := m.sample(ctx)
		err = errors.Join(err, own)
		temporary, own := filesBelow(w.temporary(m.name), filepath.Join(valueOf(m.env, "PARLEY_DATA"), "uploads"))
		err = errors.Join(err, own)
		s.Temporary = temporary
		children[m.pid()] = 0
		all = append(all, s)
	}
	orphans := history.Sample{}
	workers := runningOf(worker)
	for _, parent := range workers {
		_, node := children[parent]
		_, ofWorker := workers[parent]
		switch {
		case node:
			children[parent]++
		case !ofWorker:
			orphans.Children++
		}
	}
	for i, m := range w.members {
		all[i].Children = children[m.pid()]
	}
	return append(all, orphans), err
}

func (m *member) pid() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.server.cmd.Process.Pid
}

// sample reads what one process uses.
func (m *member) sample(ctx context.Context) (history.Sample, error) {
	page := m.server.operatorPage(ctx, "/metrics")
	value := func(name string) int64 {
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(page)
		if found == nil {
			return 0
		}
		v, err := strconv.ParseFloat(found[1], 64)
		if err != nil {
			return 0
		}
		return int64(v)
	}
	s := history.Sample{Node: m.name, Goroutines: value("go_goroutines"), Resident: value("process_resident_memory_bytes")}
	_, port, _ := strings.Cut(strings.TrimPrefix(m.url, "http://"), ":")
	clients, err := socketsAt(m.pid(), port)
	if err != nil {
		return s, err
	}
	folder := fmt.Sprintf("/proc/%d/fd", m.pid())
	entries, err := os.ReadDir(folder)
	if err != nil {
		return s, fmt.Errorf("sample %s: %w", m.name, err)
	}
	for _, e := range entries {
		to, err := os.Readlink(filepath.Join(folder, e.Name()))
		switch socket, is := strings.CutPrefix(to, "socket:["); {
		case err != nil:
			continue // closed meanwhile
		case is:
			s.Sockets++
			if clients[strings.TrimSuffix(socket, "]")] {
				s.Clients++
			}
		default:
			s.Files++
		}
	}
	return s, nil
}

// socketsAt are the inodes of the established connections of a local port, in the network of a process.
func socketsAt(pid int, port string) (map[string]bool, error) {
	all := map[string]bool{}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, fmt.Errorf("the port %q: %w", port, err)
	}
	const established = "01"
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			return nil, fmt.Errorf("read connections: %w", err)
		}
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) > 9 && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", number)) && f[3] == established {
				all[f[9]] = true
			}
		}
	}
	return all, nil
}

// runningOf are the processes of a program with their parents.
func runningOf(program string) map[int]int {
	all := map[int]int{}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is good
	for _, path := range lines {
		text, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(text), program+"\x00") {
			continue // another program, or it has ended
		}
		folder := filepath.Dir(path)
		stat, err := os.ReadFile(filepath.Join(folder, "stat"))
		if err != nil {
			continue
		}
		// The name of the program may have blanks, and ends with the last bracket.
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		pid, failed := strconv.Atoi(filepath.Base(folder))
		parent, err := strconv.Atoi(f[1])
		if failed == nil && err == nil {
			all[pid] = parent
		}
	}
	return all
}

// filesBelow counts the files of folders, which need not exist.
func filesBelow(folders ...string) (n int64, err error) {
	for _, folder := range folders {
		failed := filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && !e.IsDir() {
				n++
			}
			return err
		})
		err = errors.Join(err, failed)
	}
	return n, err
}

// valueOf is the last value of a variable in an environment.
func valueOf(env []string, name string) (value string) {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// baseline records what the processes use before the faults.
func (w *world) baseline(t *testing.T) {
	t.Helper()
	all, err := w.sample(t.Context())
	require.NoError(t, err)
	for _, s := range all {
		require.True(t, s.Node == "" || s.Goroutines > 0)
		s.Baseline = true
		w.recorder.Add(history.Line{Sample: &s})
	}
}

// sampleEnd records what the processes use when they have come to rest. One that does not is found by the checker.
func (w *world) sampleEnd(t *testing.T) {
	t.Helper()
	w.http.CloseIdleConnections()
	before := map[string]*history.Sample{}
	lines := w.recorder.History().Lines
	for i := range lines {
		if s := lines[i].Sample; s != nil && s.Baseline {
			before[s.Node] = s
		}
	}
	var rest []history.Sample
	within, cancel := context.WithTimeout(t.Context(), restTime)
	defer cancel()
	waitUntil(within, func() bool {
		var err error
		rest, err = w.sample(t.Context())
		return err == nil && !slices.ContainsFunc(rest, func(s history.Sample) bool {
			b := before[s.Node]
			return b != nil && len(history.Grown(b, &s)) > 0
		})
	})
	require.NotEmpty(t, rest)
	for _, s := range rest {
		if b := before[s.Node]; b != nil {
			t.Logf("at rest %+v, before %+v", s, *b)
		}
		w.recorder.Add(history.Line{Sample: &s})
	}
	w.recordCalls(t)
}
