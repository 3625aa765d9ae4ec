package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/internal/redistest"
)

const (
	// patience bounds each wait of the test, and poll is the time between two looks.
	patience = 2 * time.Minute
	poll     = 100 * time.Millisecond
	// asCluster is an environment variable that makes the test binary run as parley-cluster itself.
	asCluster = "PARLEY_TEST_CLUSTER"
)

func TestMain(m *testing.M) {
	if os.Getenv(asCluster) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := start(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(exit(err, os.Stderr))
}

// printed is what the cluster has printed so far.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (p *printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// eventually waits until a condition holds.
func eventually(t *testing.T, out *printed, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !holds(); <-time.After(poll) {
		require.True(t, time.Now().Before(end), "%s", out)
	}
}

// freeShift returns a shift with which all ports of a cluster are free, below those that the system assigns by itself.
func freeShift(t *testing.T) int {
	t.Helper()
	ports := []int{balancerPort, pagePort}
	for i := range nodeCount {
		port := firstPort + i*nextNode
		ports = append(ports, port, port+operatorPort, port+clusterPort)
	}
	for range 100 {
		shift := 4_000 + rand.IntN(18_000)
		if allFree(t, shift, ports) {
			return shift
		}
	}
	require.Fail(t, "no ports are free")
	return 0
}

func allFree(t *testing.T, shift int, ports []int) bool {
	t.Helper()
	for _, port := range ports {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", options{shift: shift}.local(port))
		if err != nil {
			return false
		}
		require.NoError(t, l.Close())
	}
	return true
}

// started is a cluster that runs as a process.
type started struct {
	cmd   *exec.Cmd
	out   *printed
	ended chan error
	bin   string
	data  string
	shift int
}

// startCluster builds the programs, starts a cluster on free ports, and returns when it has greeted. The cluster is
// killed at the end of the test if it has not ended by then.
func startCluster(t *testing.T) *started {
	t.Helper()
	c := &started{out: &printed{}, ended: make(chan error, 1), bin: t.TempDir(), data: t.TempDir(), shift: freeShift(t)}
	// Postgres, which runs as another user if this is root, must reach its folder.
	require.NoError(t, os.Chmod(filepath.Dir(c.data), 0o711))
	program := processtest.HAProxy(t)
	processtest.Build(t, c.bin, "parley", "-ldflags=-s -w")
	processtest.Build(t, c.bin, "parley-worker")
	web := filepath.Join(t.TempDir(), "dist")
	require.NoError(t, os.Mkdir(web, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(web, "index.html"), []byte("<title>Parley</title>"), 0o600))

	c.cmd = exec.Command(os.Args[0], "-bin", c.bin, "-web", web, "-data", filepath.Join(c.data, "cluster"), "-shift", strconv.Itoa(c.shift),
		"-haproxy", program, "-config", filepath.Join("..", "..", "deploy", "haproxy", "haproxy.cfg"), "-redis", redistest.Binary())
	// The database of a developer's environment is not used.
	c.cmd.Env = append(os.Environ(), asCluster+"=1", "DATABASE_URL=", "PARLEY_SCRIPTED=true", "PARLEY_SCRIPTED_PEOPLE=0")
	c.cmd.Stdout, c.cmd.Stderr = c.out, c.out
	require.NoError(t, c.cmd.Start())
	go func() { c.ended <- c.cmd.Wait() }()
	t.Cleanup(func() {
		// Its children end with it; after stop there is nothing to kill.
		_ = c.cmd.Process.Kill()
	})
	eventually(t, c.out, func() bool {
		select {
		case err := <-c.ended:
			require.Fail(t, "it has ended", "%v: %s", err, c.out)
		default:
		}
		return strings.Contains(c.out.String(), "Ctrl-C")
	})
	return c
}

// stop ends the cluster by a signal. It must succeed.
func (c *started) stop(t *testing.T, signal os.Signal) {
	t.Helper()
	require.NoError(t, c.cmd.Process.Signal(signal))
	select {
	case err := <-c.ended:
		require.NoError(t, err, "%s", c.out)
	case <-time.After(patience):
		require.Fail(t, "it does not end", "%s", c.out)
	}
}

// processes returns the ids of all processes that the cluster has started, by name and in their order.
func (c *started) processes(t *testing.T) map[string][]int {
	t.Helper()
	all := map[string][]int{}
	for _, found := range regexp.MustCompile(`▸ (\w+) is process (\d+);`).FindAllStringSubmatch(c.out.String(), -1) {
		pid, err := strconv.Atoi(found[2])
		require.NoError(t, err)
		all[found[1]] = append(all[found[1]], pid)
	}
	return all
}

// ask runs a command of parley on the cluster's database, which the greeting names, and decodes what it prints.
func (c *started) ask(t *testing.T, out any, args ...string) {
	t.Helper()
	url := regexp.MustCompile(`DATABASE_URL='(.*)' `).FindStringSubmatch(c.out.String())
	require.Len(t, url, 2, "%s", c.out)
	cmd := exec.CommandContext(t.Context(), filepath.Join(c.bin, "parley"), append(args, "--json")...)
	cmd.Env = append(os.Environ(), "DATABASE_URL="+url[1])
	answer, err := cmd.Output()
	require.NoError(t, err, "%v", args)
	require.NoError(t, json.Unmarshal(answer, out))
}

// members returns the names of the nodes that are well, as parley status prints them.
func (c *started) members(t *testing.T) []string {
	t.Helper()
	var state struct {
		Members []struct {
			Name      string   `json:"name"`
			Reachable string   `json:"reachable"`
			SeenBy    []string `json:"seenBy"`
		} `json:"members"`
	}
	c.ask(t, &state, "status")
	names := []string{}
	for _, m := range state.Members {
		if m.Reachable == "yes" && len(m.SeenBy) == len(state.Members)-1 {
			names = append(names, m.Name)
		}
	}
	return names
}

// TestCluster starts the whole cluster, asks through the balancer, kills a node, and reads the answer to its end. The
// killed node comes back, and everything ends by a signal.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	postmaster := filepath.Join(c.data, "cluster", "postgres", "postgres", "postmaster.pid")
	require.FileExists(t, postmaster)
	names := []string{"node1", "node2", "node3"}
	eventually(t, c.out, func() bool { return len(c.members(t)) == nodeCount })
	require.ElementsMatch(t, names, c.members(t))

	url := options{shift: c.shift}.address(balancerPort)
	require.Contains(t, c.out.String(), "Parley is at "+url+", on 3 nodes")
	for range 2 * nodeCount {
		requireSignInPage(t, url)
	}
	mara := signIn(t, url)
	require.Contains(t, c.out.String(), "mara@meridian.example")
	var made conversation
	require.NoError(t, mara.call(t, http.MethodPost, "discourse/conversations", map[string]any{"name": "Cluster"}, &made))
	// The reader is there before the prompt is sent, as the page is.
	r := &reader{person: mara, id: made.ID}
	var err error
	r.conn, err = mara.open(t, made.ID)
	require.NoError(t, err)
	// Who has it open keeps an owner for it.
	var owner struct {
		State string `json:"state"`
		Name  string `json:"name"`
	}
	eventually(t, c.out, func() bool {
		c.ask(t, &owner, "where", made.ID.String())
		return owner.State == "owned"
	})
	require.NoError(t, mara.call(t, http.MethodPost, "discourse/user-text", map[string]any{
		"conversationId": made.ID,
		"message": map[string]any{
			"id": uuid.New(), "text": "seed=7 tokens=300 rate=100 fault=529 times=1 retry=4", "analystId": mara.agent,
		},
	}, &struct{}{}))
	// The model says nothing for the first four seconds. The node that makes the answer is lost in them, so another
	// one asks the model again.
	lost := owner.Name
	require.NoError(t, syscall.Kill(c.processes(t)[lost][0], syscall.SIGKILL))

	r.read(t)
	require.NoError(t, r.conn.Close())
	require.Equal(t, scripted.Text(7, 300), string(r.text))
	var now conversation
	eventually(t, c.out, func() bool {
		return mara.call(t, http.MethodGet, "discourse/conversations/"+made.ID.String(), nil, &now) == nil && !now.IsStreaming
	})
	last := now.MessageSet[len(now.MessageSet)-1]
	require.Equal(t, "complete", last.Status)
	require.Equal(t, string(r.text), last.Text)

	// The end is told, and so is the start of the next process of that name.
	eventually(t, c.out, func() bool { return len(c.members(t)) == nodeCount })
	require.Contains(t, c.out.String(), lost+" has ended (signal: killed): starting it again")
	require.Len(t, c.processes(t)[lost], 2)

	c.stop(t, os.Interrupt)
	require.True(t, strings.HasSuffix(c.out.String(), "▸ everything has stopped\n"), "%s", c.out)
	for name, pids := range c.processes(t) {
		for _, pid := range pids {
			require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH, "%s is left", name)
		}
	}
	require.NoFileExists(t, postmaster)
	_, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}
