package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// The simulation has the times of the real cluster: a node renews its lease and reports every two
// seconds, and reads the members every second.
const (
	simStep   = 50 * time.Millisecond
	simRenews = 2 * time.Second
	simLooks  = time.Second
	simMoves  = 5 * time.Second
	// simMoveMost is how many owners a node lets go at once.
	simMoveMost = 100
)

// simNode is a node of a simulated cluster.
type simNode struct {
	id       string
	owns     []int
	draining bool
	leaves   time.Duration // when a draining node is gone
	reported float64
	renewed  time.Duration
	phase    time.Duration
	members  []domain.Member // its last reading
	balance  balance
}

func (n *simNode) load() float64 {
	if n.draining {
		return drainingLoad
	}
	return float64(len(n.owns))
}

// sim is a cluster that places conversations, by loads or by rendezvous hashing alone.
type sim struct {
	rand   *rand.Rand
	now    time.Duration
	byLoad bool
	nodes  []*simNode
	starts int
	next   int
	moved  int
}

func newSim(seed uint64, nodes int, byLoad bool) *sim {
	s := &sim{rand: rand.New(rand.NewPCG(seed, 1)), byLoad: byLoad}
	for range nodes {
		s.join()
	}
	return s
}

func (s *sim) join() {
	s.starts++
	s.nodes = append(s.nodes, &simNode{
		id: fmt.Sprintf("node-%d@%d", len(s.nodes), s.starts), renewed: s.now,
		phase: time.Duration(s.rand.IntN(int(simRenews/simStep))) * simStep,
	})
	s.nodes[len(s.nodes)-1].members = s.table()
}

// table is what a node reads now.
func (s *sim) table() []domain.Member {
	ms := make([]domain.Member, len(s.nodes))
	for i, n := range s.nodes {
		ms[i] = domain.Member{Node: n.id, Load: n.reported, ExpiresAt: time.Unix(0, 0).Add(n.renewed)}
	}
	return ms
}

// living are the members of a reading that are still there, as the real lookup finds by its refusals.
func (s *sim) living(ms []domain.Member) []domain.Member {
	return slices.DeleteFunc(slices.Clone(ms), func(m domain.Member) bool { return s.node(m.Node) == nil || s.node(m.Node).draining })
}

func (s *sim) node(id string) *simNode {
	for _, n := range s.nodes {
		if n.id == id {
			return n
		}
	}
	return nil
}

// place chooses the node of a new owner, as the node does that a client has asked.
func (s *sim) place(conversation int) {
	asked := s.nodes[s.rand.IntN(len(s.nodes))]
	id := fmt.Sprint(conversation)
	living := s.living(asked.members)
	first, ok := owner(living, "conversation", id)
	if !ok {
		return
	}
	if s.byLoad {
		arbiter := s.node(first.Node)
		at, _ := arbiter.balance.choose(arbiter.members, "conversation", id, arbiter.id, arbiter.load(), s.now)
		if n := s.node(at.Node); n != nil && !n.draining {
			first = at
		}
	}
	n := s.node(first.Node)
	n.owns = append(n.owns, conversation)
}

// run lets time pass. Conversations begin at a rate for each second, and end after a minute on average.
func (s *sim) run(d time.Duration, perSecond int) {
	for end := s.now + d; s.now < end; s.now += simStep {
		for _, n := range slices.Clone(s.nodes) {
			if n.draining && s.now >= n.leaves {
				s.leave(n)
			}
		}
		for _, n := range s.nodes {
			at := s.now + n.phase
			if at%simRenews == 0 {
				n.reported, n.renewed = n.load(), s.now
			}
			if at%simLooks == 0 {
				n.members = s.table()
				n.balance.observe(n.members)
			}
			if s.byLoad && at%simMoves == 0 {
				s.letGo(n)
			}
			n.owns = slices.DeleteFunc(n.owns, func(int) bool { return s.rand.Float64() < float64(simStep)/float64(time.Minute) })
		}
		for range perSecond * int(simStep) / int(time.Second) {
			s.next++
			s.place(s.next)
		}
	}
}

// letGo is the rebalancing: conversations above a node's share are placed again.
func (s *sim) letGo(n *simNode) {
	for range min(n.balance.surplus(n.members, n.id, n.load()), simMoveMost) {
		c := n.owns[0]
		n.owns = n.owns[1:]
		s.place(c)
		s.moved++
	}
}

// leave removes a node; half of its conversations have readers, who come back at once.
func (s *sim) leave(n *simNode) {
	s.nodes = slices.DeleteFunc(s.nodes, func(x *simNode) bool { return x == n })
	for _, c := range n.owns {
		if c%2 == 0 {
			s.place(c)
		}
	}
}

func (s *sim) drain(n *simNode) { n.draining, n.leaves = true, s.now+3*time.Second }

// skew is what the fullest node carries, divided by the mean.
func (s *sim) skew() float64 {
	most, total := 0, 0
	for _, n := range s.nodes {
		most = max(most, len(n.owns))
		total += len(n.owns)
	}
	return float64(most) * float64(len(s.nodes)) / float64(total)
}

func (s *sim) counts() (all []int) {
	for _, n := range s.nodes {
		all = append(all, len(n.owns))
	}
	return all
}

// change makes one join, leave or restart at random; there are always two nodes or more.
func (s *sim) change() {
	n := s.nodes[s.rand.IntN(len(s.nodes))]
	switch s.rand.IntN(3) {
	case 0:
		if len(s.nodes) < 8 {
			s.join()
		}
	case 1:
		if len(s.nodes) > 2 && !n.draining {
			s.drain(n)
		}
	default:
		if !n.draining && len(s.nodes) > 1 {
			s.drain(n)
			s.run(5*time.Second, 20)
			s.join()
		}
	}
}

// rolling restarts all nodes of a cluster, one after the other.
func (s *sim) rolling() {
	for _, n := range slices.Clone(s.nodes) {
		s.drain(n)
		s.run(5*time.Second, 20)
		s.join()
		s.run(5*time.Second, 20)
	}
}

// The bound holds after any sequence of changes, once the nodes have had time to report and to let go.
// Rendezvous hashing alone, which is measured for comparison, leaves nodes that have come back empty.
func TestBalance_Simulation(t *testing.T) { // skew at most 1.2
	t.Parallel()
	const bound, settle = 1.2, 40 * time.Second
	measure := func(seed uint64, nodes int, byLoad bool, change func(*sim)) *sim {
		s := newSim(seed, nodes, byLoad)
		s.run(30*time.Second, 20)
		change(s)
		s.run(settle, 20)
		return s
	}
	changes := map[string]struct {
		nodes  int
		change func(*sim)
	}{
		"Rolling": {3, (*sim).rolling},
		"Any": {4, func(s *sim) {
			for range 8 {
				s.change()
				s.run(time.Duration(s.rand.IntN(8000))*time.Millisecond, 20)
			}
		}},
		"None": {3, func(*sim) {}},
	}
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var worst, before float64
			moved := 0
			for seed := range uint64(12) {
				s := measure(seed, c.nodes, true, c.change)
				require.LessOrEqual(t, s.skew(), bound, "seed %d: %v", seed, s.counts())
				require.Positive(t, slices.Min(s.counts()))
				worst, moved = max(worst, s.skew()), moved+s.moved
				before = max(before, measure(seed, c.nodes, false, c.change).skew())
			}
			t.Logf("skew %.2f at most, %d moves a run; %.2f with rendezvous hashing alone", worst, moved/12, before)
			if name == "Any" {
				require.Greater(t, before, bound, "the simulation shows the need")
			}
		})
	}
}

func TestBalance(t *testing.T) {
	t.Parallel()
	loaded := func(loads ...float64) []domain.Member {
		ms := members(len(loads))
		for i := range ms {
			ms[i].Load = loads[i]
		}
		return ms
	}

	t.Run("OneAnswerForOneIdentity", func(t *testing.T) {
		t.Parallel()
		var b balance
		ms := loaded(0, 5, 5)
		b.observe(ms)
		first, ok := b.choose(ms, "k", "x", ms[0].Node, 0, 0)
		require.True(t, ok)
		require.Equal(t, ms[0].Node, first.Node)
		ms = loaded(50, 5, 5)
		again, _ := b.choose(ms, "k", "x", ms[0].Node, 50, remembersFor)
		require.Equal(t, first.Node, again.Node, "while its owner claims")
		later, _ := b.choose(ms, "k", "x", ms[0].Node, 50, 4*remembersFor)
		require.NotEqual(t, first.Node, later.Node)
	})

	t.Run("CountsItsOwnChoicesUntilTheyAreReported", func(t *testing.T) {
		t.Parallel()
		var b balance
		ms := loaded(100, 0, 100)
		b.observe(ms)
		counts := map[string]int{}
		for i := range 300 {
			m, _ := b.choose(ms, "k", fmt.Sprint(i), ms[0].Node, 100, 0)
			counts[m.Node]++
		}
		require.Greater(t, counts[ms[1].Node], 30, "the empty one gets most at first")
		require.Less(t, counts[ms[1].Node], 200, "and not all")
		ms[1].Load, ms[1].ExpiresAt = 1000, time.Unix(1, 0)
		b.observe(ms)
		m, _ := b.choose(ms, "k", "next", ms[0].Node, 100, 0)
		require.NotEqual(t, ms[1].Node, m.Node)
	})

	t.Run("NothingForANodeThatDrains", func(t *testing.T) {
		t.Parallel()
		var b balance
		ms := loaded(drainingLoad, 7, drainingLoad)
		for i := range 20 {
			m, ok := b.choose(ms, "k", fmt.Sprint(i), "elsewhere", 0, 0)
			require.True(t, ok)
			require.Equal(t, ms[1].Node, m.Node)
		}
		_, ok := b.choose(loaded(drainingLoad), "k", "x", "elsewhere", 0, 0)
		require.False(t, ok)
	})

	t.Run("Surplus", func(t *testing.T) {
		t.Parallel()
		for _, c := range []struct {
			loads []float64
			want  int
		}{
			{[]float64{100, 100, 0}, 33},
			{[]float64{3, 3, 0}, 1},
			{[]float64{2, 1, 0}, 1},
			{[]float64{2, 1, 1}, 0},
			{[]float64{1, 0, 0}, 0},
			{[]float64{10, 10, 10}, 0},
			{[]float64{107, 100, 93}, 0},
			{[]float64{100}, 0},
			{[]float64{drainingLoad, 0, 0}, 0},
			{[]float64{100, drainingLoad, drainingLoad}, 0},
		} {
			var b balance
			ms := loaded(c.loads...)
			require.Equal(t, c.want, b.surplus(ms, ms[0].Node, c.loads[0]), "%v", c.loads)
		}
	})
}
