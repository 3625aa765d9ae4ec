package fair

import (
	"container/heap"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func limits(slots int) Limits {
	return Limits{Slots: slots, Waiting: 10_000, WaitingOrganisation: 5000, WaitingPerson: 2000}
}

func TestQueue(t *testing.T) {
	t.Parallel()

	t.Run("OrganisationsThenPeopleThenInOrder", func(t *testing.T) {
		t.Parallel()
		q := New[string](limits(1))
		require.Equal(t, Starts, q.Ask("running", 1, 1))
		for _, x := range []struct {
			key       string
			org, user int64
		}{{"a1", 1, 1}, {"a2", 1, 1}, {"a3", 1, 1}, {"b1", 1, 2}, {"c1", 2, 3}, {"c2", 2, 3}} {
			require.Equal(t, Waits, q.Ask(x.key, x.org, x.user))
		}
		require.Equal(t, Waits, q.Ask("a1", 1, 1), "asked again")
		require.Equal(t, 6, q.Waiting())
		var order []string
		for at := "running"; ; {
			next := q.End(at)
			if len(next) == 0 {
				break
			}
			require.Len(t, next, 1)
			require.Equal(t, Starts, q.Ask(next[0], 0, 0))
			order, at = append(order, next[0]), next[0]
		}
		require.Equal(t, []string{"c1", "b1", "c2", "a1", "a2", "a3"}, order)
		require.Empty(t, q.organisations)
		require.Empty(t, q.entries)
	})

	t.Run("OneOrganisationLeavesAnEighth", func(t *testing.T) {
		t.Parallel()
		q := New[int](limits(16))
		for i := range 20 {
			want := Starts
			if i >= 14 {
				want = Waits
			}
			require.Equal(t, want, q.Ask(i, 1, int64(i)))
		}
		require.Equal(t, Starts, q.Ask(100, 2, 1))
		require.Equal(t, Starts, q.Ask(101, 2, 1))
		require.Equal(t, Waits, q.Ask(102, 2, 1))
		require.Equal(t, []int{102}, q.End(3), "whoever has less is served first")
		require.Equal(t, []int{14}, q.End(102))
	})

	t.Run("ErrRefused", func(t *testing.T) {
		t.Parallel()
		for name, l := range map[string]Limits{
			"All":          {Slots: 1, Waiting: 2, WaitingOrganisation: 9, WaitingPerson: 9},
			"Organisation": {Slots: 1, Waiting: 9, WaitingOrganisation: 2, WaitingPerson: 9},
			"Person":       {Slots: 1, Waiting: 9, WaitingOrganisation: 9, WaitingPerson: 2},
		} {
			q := New[int](l)
			q.Ask(0, 1, 1)
			require.Equal(t, Waits, q.Ask(1, 1, 1))
			require.Equal(t, Waits, q.Ask(2, 1, 1))
			require.Equal(t, Refused, q.Ask(3, 1, 1), name)
			require.Nil(t, q.End(3), "it is forgotten")
			require.Nil(t, q.End(1), "who leaves makes room")
			require.Equal(t, Waits, q.Ask(3, 1, 1))
			require.Equal(t, []int{2}, q.End(0))
		}
	})

	t.Run("Random", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, random)
	})
}

// random compares the queue with what is known about each key: nobody waits who may have a slot, nobody
// is lost, and a slot goes to an organisation that has the fewest.
func random(t *rapid.T) {
	q := New[int](Limits{
		Slots: rapid.IntRange(1, 20).Draw(t, "slots"), Waiting: rapid.IntRange(1, 60).Draw(t, "waiting"),
		WaitingOrganisation: rapid.IntRange(1, 40).Draw(t, "each"), WaitingPerson: rapid.IntRange(1, 20).Draw(t, "person"),
	})
	type known struct {
		org     int64
		running bool
	}
	all := map[int]*known{}
	var keys []int
	check := func() (running, waiting map[int64]int) {
		running, waiting = map[int64]int{}, map[int64]int{}
		r, w := 0, 0
		for _, k := range all {
			if k.running {
				running[k.org]++
				r++
			} else {
				waiting[k.org]++
				w++
			}
		}
		require.Equal(t, r, q.Running())
		require.Equal(t, w, q.Waiting())
		require.LessOrEqual(t, r, q.limits.Slots)
		require.LessOrEqual(t, w, q.limits.Waiting)
		for org, n := range waiting {
			require.True(t, r == q.limits.Slots || running[org] == q.Most(), "organisation %d waits with free slots: %d", org, n)
		}
		return running, waiting
	}
	for step := range rapid.IntRange(1, 300).Draw(t, "steps") {
		if len(keys) == 0 || rapid.IntRange(0, 2).Draw(t, "what") > 0 {
			org := int64(rapid.IntRange(1, 4).Draw(t, "org"))
			switch q.Ask(step, org, int64(rapid.IntRange(1, 3).Draw(t, "who"))) {
			case Starts:
				all[step] = &known{org, true}
				keys = append(keys, step)
			case Waits:
				all[step] = &known{org, false}
				keys = append(keys, step)
			case Refused:
			}
			check()
			continue
		}
		i := rapid.IntRange(0, len(keys)-1).Draw(t, "end")
		key := keys[i]
		keys = append(keys[:i], keys[i+1:]...)
		next := q.End(key)
		delete(all, key)
		for _, n := range next {
			running, waiting := map[int64]int{}, map[int64]bool{}
			for _, k := range all {
				if k.running {
					running[k.org]++
				} else {
					waiting[k.org] = true
				}
			}
			for org := range waiting {
				require.LessOrEqual(t, running[all[n].org], running[org])
			}
			require.False(t, all[n].running)
			all[n].running = true
		}
		check()
	}
}

// event is the arrival or the end of a turn in the simulation below.
type event struct {
	at   float64
	ends bool
	turn int
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// The organisations of the simulation.
const (
	flooding = 1
	other    = 2
)

// simulate runs turns on three nodes and returns the mean time from the prompt to the end of the answer
// for the other organisation, in seconds, and the longest time that one of its turns waited. An answer
// takes 5 to 60 s. The flooding organisation sends a thousand prompts at once and a new one each time that
// one ends; prompts go to any node.
func simulate(seed uint64, slots int, demand float64, flood bool) (mean, longest float64) {
	const nodes, lasts = 3, 600.0
	r := rand.New(rand.NewPCG(seed, 1))
	type turn struct {
		org        int64
		node       int
		asked      float64
		takes      float64
		measurable bool
	}
	var turns []turn
	var todo events
	arrive := func(at float64, org int64) {
		turns = append(turns, turn{org: org, node: r.IntN(nodes), asked: at, takes: 5 + 55*r.Float64(), measurable: org == other && at > 60})
		heap.Push(&todo, event{at: at, turn: len(turns) - 1})
	}
	// The other organisation has demand × slots answers at any moment on average: prompts come at random.
	for at := 0.0; at < lasts; at += r.ExpFloat64() * 32.5 / (demand * float64(nodes*slots)) {
		arrive(at, other)
	}
	if flood {
		for range 1000 {
			arrive(0, flooding)
		}
	}
	queues := [nodes]*Queue[int]{}
	for i := range queues {
		queues[i] = New[int](limits(slots))
	}
	var total float64
	count := 0
	begin := func(now float64, i int) {
		t := &turns[i]
		heap.Push(&todo, event{at: now + t.takes, ends: true, turn: i})
		if t.measurable {
			total += now + t.takes - t.asked
			longest = max(longest, now-t.asked)
			count++
		}
	}
	for todo.Len() > 0 {
		e := heap.Pop(&todo).(event)
		t := turns[e.turn]
		if !e.ends {
			if queues[t.node].Ask(e.turn, t.org, t.org*100+int64(e.turn%20)) == Starts {
				begin(e.at, e.turn)
			}
			continue
		}
		for _, next := range queues[t.node].End(e.turn) {
			begin(e.at, next)
		}
		if t.org == flooding && e.at < lasts {
			arrive(e.at, flooding)
		}
	}
	return total / float64(count), longest
}

// An organisation that floods makes another one, which needs less than its share, wait at most a fifth
// longer for its answers, over three nodes that do not know of each other's queues.
// One person who asks for everything leaves slots to a colleague, who starts at once, and to another organisation.
func TestQueue_Person(t *testing.T) {
	t.Parallel()
	const organisation, floods, colleague, slots = 1, 7, 8, 64
	q := New[int](limits(slots))
	starts := func(first, n int, organisation, person int64) (count int) {
		for key := first; key < first+n; key++ {
			if q.Ask(key, organisation, person) == Starts {
				count++
			}
		}
		return count
	}
	require.Equal(t, 56, q.Most())
	require.Equal(t, 49, starts(0, 1000, organisation, floods))
	require.Equal(t, 7, starts(2000, 10, organisation, colleague), "up to the most of the organisation")
	require.Equal(t, 8, starts(3000, 10, 2, 9))
	// What one person leaves goes to the others first, and never beyond the most of one.
	require.Equal(t, []int{3008}, q.End(0))
	require.Equal(t, []int{3009}, q.End(1))
	for key := 2; key < 49; key++ {
		for _, next := range q.End(key) {
			require.NotEqual(t, Refused, q.Ask(next, organisation, floods))
		}
	}
	for _, o := range q.organisations {
		for id, p := range o.people {
			require.LessOrEqual(t, p.running, q.MostOfPerson(id))
		}
	}
	// Those whose person is not known are not held to it.
	q = New[int](limits(slots))
	require.Equal(t, 56, starts(0, 100, organisation, Nobody))
}

func TestQueue_Flood(t *testing.T) {
	t.Parallel()
	for _, slots := range []int{16, 64, 256} {
		for _, demand := range []float64{0.05, 0.2, 0.35} {
			var worst, longest float64
			for seed := range uint64(5) {
				before, _ := simulate(seed, slots, demand, false)
				after, most := simulate(seed, slots, demand, true)
				worst, longest = max(worst, after/before), max(longest, most)
			}
			t.Logf("%3d slots, %2.0f %% used by the other one: %.3f times as long, waited %.1f s at most", slots, 100*demand, worst, longest)
			require.LessOrEqual(t, worst, 1.2)
		}
	}
}

func BenchmarkQueue(b *testing.B) {
	q := New[int](limits(1000))
	for i := range 3000 {
		q.Ask(i, int64(i%40), int64(i%400))
	}
	next := 0
	for i := 3000; b.Loop(); i++ {
		q.Ask(i, int64(i%40), int64(i%400))
		q.End(next)
		next++
	}
}
