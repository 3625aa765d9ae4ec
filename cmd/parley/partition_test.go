package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley/loadtest"
	"parley.dev/parley/internal/partitiontest"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence/persistencetest"
)

const (
	// withoutWord is the limit of both promises: text is shown, and a prompt acknowledged,
	// within 10 s, whatever the network between the nodes does.
	withoutWord = 10 * time.Second
	// apartFor is how long the network is cut. It is longer than withoutWord, so that nothing
	// is in time only because the network is whole again. togetherFor is how long it is whole
	// between two partitions.
	apartFor    = 12 * time.Second
	togetherFor = 1500 * time.Millisecond
	// apartAtLeast is how many partitions there are by default: two that last, and the one that
	// comes and goes.
	apartAtLeast = 3
	// settled is how long it takes until all answers have begun.
	settled = 3 * time.Second
)

// cutting is one kind of partition.
type cutting struct {
	name string
	// lasts says that the network stays cut, so that a node must report it.
	lasts bool
	// begin cuts the network; a partition that comes and goes does so until ctx ends.
	begin func(ctx context.Context, n *partitiontest.Network, random *rand.Rand)
}

// cuttings are the kinds of partitions between processes of these names (F13, F16). The last one
// is the one that comes and goes.
func cuttings(names []string) []cutting {
	others := func(one string, do func(other string)) {
		for _, name := range names {
			if name != one {
				do(name)
			}
		}
	}
	pick := func(random *rand.Rand) string { return names[random.IntN(len(names))] }
	pairOf := func(random *rand.Rand) (a, b string) {
		order := random.Perm(len(names))
		return names[order[0]], names[order[1]]
	}
	return []cutting{
		{"one node and the others, both ways", true, func(_ context.Context, n *partitiontest.Network, random *rand.Rand) {
			one := pick(random)
			others(one, func(other string) { n.Cut(one, other); n.Cut(other, one) })
		}},
		{"from one node to the others", true, func(_ context.Context, n *partitiontest.Network, random *rand.Rand) {
			one := pick(random)
			others(one, func(other string) { n.Cut(one, other) })
		}},
		{"one pair", true, func(_ context.Context, n *partitiontest.Network, random *rand.Rand) {
			a, b := pairOf(random)
			n.Cut(a, b)
			n.Cut(b, a)
		}},
		{"one pair, on and off", false, func(ctx context.Context, n *partitiontest.Network, random *rand.Rand) {
			a, b := pairOf(random)
			for cut := true; ctx.Err() == nil; cut = !cut {
				if cut {
					n.Cut(a, b)
					n.Cut(b, a)
				} else {
					n.Heal(a, b)
					n.Heal(b, a)
				}
				wait(ctx, 200*time.Millisecond+time.Duration(random.Int64N(int64(2*time.Second))))
			}
		}},
	}
}

// wait returns after a time, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// operator reads a path of a server's operator port.
func (s *server) operatorPage(ctx context.Context, path string) string {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.operator+path, nil)
	if err != nil {
		return ""
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	page, _ := io.ReadAll(response.Body) // a page that ends early lacks what is looked for
	return string(page)
}

// setting returns a number of the environment.
func setting(t *testing.T, name string, standard int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return standard
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, name)
	return n
}

// TestTrial_Apart cuts the network between three processes, which all reach Postgres, while
// answers are streaming: on either side people read on, and calls are served. By default there
// are few partitions, whose kinds and places depend on a random seed. PARLEY_TEST_PARTITIONS asks
// for more of them, in turn of each kind (make chaos), and PARLEY_TEST_SEED repeats a run.
func TestTrial_Apart(t *testing.T) { // F13, F16, G1 to G9
	t.Parallel()
	names := []string{"one", "two", "three"}
	kinds := cuttings(names)
	many := setting(t, "PARLEY_TEST_PARTITIONS", apartAtLeast)
	seed := setting(t, "PARLEY_TEST_SEED", rand.IntN(1_000_000))
	t.Logf("PARLEY_TEST_PARTITIONS=%d PARLEY_TEST_SEED=%d", many, seed)
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	if many < len(kinds) {
		// The last kind stays.
		lasting := len(kinds) - 1
		random.Shuffle(lasting, func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		kinds = append(kinds[:many-1:many-1], kinds[lasting])
	}

	database, network := persistencetest.URL(t), partitiontest.New(t)
	servers := fleetOf(t, database, func(name string) []string {
		address := processtest.FreeAddress(t)
		return []string{"PARLEY_CLUSTER_ADDR=" + address, "PARLEY_CLUSTER_ADVERTISE=" + network.Proxy(name, address)}
	}, network.Know, names...)

	life, over := context.WithCancel(t.Context())
	defer over()
	trial := newApartTrial(settled + time.Duration(many)*(apartFor+togetherFor))
	lasting, reports := 0, 0 // partitions that last, and those of them that a node has reported
	nemesis := make(chan struct{})
	go func() {
		defer close(nemesis)
		trial.awaitAnswers(life)
		for i := range many {
			kind := kinds[i%len(kinds)]
			cut, heal := context.WithTimeout(life, apartFor)
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				kind.begin(cut, network, random)
			}()
			wait(cut, apartFor/2)
			if kind.lasts && life.Err() == nil {
				lasting++
				if reported(life, servers) {
					reports++
				}
			}
			<-cut.Done()
			<-ended
			heal()
			for _, a := range names {
				for _, b := range names {
					network.Heal(a, b)
				}
			}
			wait(life, togetherFor)
		}
	}()

	urls := urlsOf(servers)
	report := trial.run(t, urls)
	over()
	<-nemesis
	require.Zero(t, report.Errors, "%s", report.Samples)
	require.NotZero(t, report.Prompts)
	require.Less(t, report.Oldest, slower*withoutWord, "text was shown late")
	require.Less(t, report.Longest, slower*withoutWord, "a prompt was acknowledged late")
	require.NotZero(t, lasting)
	require.Equal(t, lasting, reports, "partitions that /readyz and the metrics of a node have reported")
	for _, s := range servers {
		require.False(t, s.hasEnded(), "%s has left: a partition fences no node", s.name)
	}
	sound(t, database)
}

// reported says whether a node names another one that does not answer, in /readyz and in its metrics.
func reported(ctx context.Context, servers []*server) bool {
	for _, s := range servers {
		if strings.Contains(s.operatorPage(ctx, "/readyz"), "no answer from") &&
			strings.Contains(s.operatorPage(ctx, "/metrics"), "\nparley_cluster_silent_members ") &&
			!strings.Contains(s.operatorPage(ctx, "/metrics"), "\nparley_cluster_silent_members 0\n") {
			return true
		}
	}
	return false
}

// apartTrial is a trial that a test does harm to, in a goroutine of its own.
type apartTrial struct {
	loadtest.Config
	// follows is closed when the trial's sockets follow its answers. Before that it signs in and makes its
	// conversations, with calls that it does not repeat.
	follows chan struct{}
}

func newApartTrial(duration time.Duration) *apartTrial {
	return &apartTrial{follows: make(chan struct{}), Config: loadtest.Config{
		Agent: loadAnalyst, Streams: 18, Watchers: 2, Rate: 20, Ramp: time.Second,
		// Only some sockets move to another node by themselves: a reader on the wrong side stays there.
		Cut: 5 * time.Second, Duration: duration,
	}}
}

// awaitAnswers waits until the answers of the trial are under way, or the context ends.
func (a *apartTrial) awaitAnswers(ctx context.Context) {
	select {
	case <-a.follows:
		wait(ctx, settled)
	case <-ctx.Done():
	}
}

// run runs the trial and prints its report.
func (a *apartTrial) run(t *testing.T, urls []string) *loadtest.TrialReport {
	t.Helper()
	var people, progress bytes.Buffer
	users := make([]string, 6)
	for i := range users {
		users[i] = loadPerson(i).email
	}
	say := func(format string, args ...any) { fmt.Fprintf(&progress, format+"\n", args...) }
	bearers, err := bearersOf(t.Context(), urls[0], users, demoPassword, say)
	require.NoError(t, err)
	a.URLs, a.Tokens = urls, bearers
	a.Progress = func(format string, args ...any) {
		say(format, args...)
		if strings.HasPrefix(format, "following") {
			close(a.follows)
		}
	}
	report, err := loadtest.Trial(t.Context(), a.Config)
	require.NoError(t, err, "%s", &progress)
	require.NoError(t, report.WriteTable(&people))
	t.Logf("%s", &people)
	return report
}

// sound checks the stored logs: seqs are 1 to n, epochs never fall, and no turn runs any more.
func sound(t *testing.T, database string) {
	t.Helper()
	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	defer db.Close()
	for what, sql := range map[string]string{
		"a gap or a repeat of a seq": "SELECT count(*) FROM (SELECT conversation_id FROM conversation_event GROUP BY 1 " +
			"HAVING min(seq) <> 1 OR max(seq) <> count(*)) x",
		"an epoch that falls": "SELECT count(*) FROM (SELECT epoch < lag(epoch) OVER (PARTITION BY conversation_id ORDER BY seq) AS falls " +
			"FROM conversation_event) x WHERE falls",
		"a turn without an end": "SELECT count(*) FROM turn WHERE status = 'running'",
	} {
		var n int
		require.NoError(t, db.QueryRow(t.Context(), sql).Scan(&n), what)
		require.Zero(t, n, what)
	}
}
