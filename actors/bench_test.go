package actors

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/connection"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/async"
	"parley.dev/parley/internal/fakes"
)

// instant is a journal that commits at once, in a separate goroutine like the real one, and
// keeps nothing.
type instant struct{ queue chan submitted }

type submitted struct {
	done func(domain.WriteResult)
}

func newInstant() *instant {
	j := &instant{queue: make(chan submitted, 1<<16)}
	go func() {
		for s := range j.queue {
			s.done(domain.WriteResult{})
		}
	}()
	return j
}

func (j *instant) Submit(_ *domain.Write, done func(domain.WriteResult)) { j.queue <- submitted{done} }

// counter is a socket that counts what is written to it.
type counter struct{ deltas *atomic.Int64 }

func (c counter) Write(frames [][]byte) error {
	n := 0
	for _, f := range frames {
		if len(f) > 24 && f[9] == 'm' && f[17] == 'd' {
			n++
		}
	}
	c.deltas.Add(int64(n))
	return nil
}
func (counter) Close(domain.Disconnect) {}

// taker is a counter that accepts everything without blocking, like a socket whose buffer has
// room.
type taker struct{ counter }

func (t taker) TryWrite(frames [][]byte) ([][]byte, error) { return nil, t.Write(frames) }

// benched is a started engine that stores nothing, and a person who sends prompts.
type benched struct {
	*System
	store *fakes.Store
	owner domain.Caller
}

func bench(b *testing.B, runner analyst.Runner) *benched {
	b.Helper()
	store := fakes.NewStore()
	system := New(Config{
		ActorSystem: fakes.NewActorSystem(), Dispatcher: async.NewDispatcher(0), Journal: newInstant(), Conversations: store, Sessions: store,
		Analysts: store, Runner: runner, Logger: quiet(),
		Limits: Limits{TurnText: 1 << 30},
	})
	system.AttachLocal("node-1")
	require.NoError(b, system.Start(context.Background()))
	owner := domain.Caller{UserID: 7, UserUUID: uuid.New(), OrganisationID: 1}
	store.AddUser(owner.UserID, owner.UserUUID)
	return &benched{system, store, owner}
}

// ask sends prompts to a number of new conversations, each of which has its own connection.
func (s *benched) ask(b *testing.B, conversations int, sink connection.Sink) {
	b.Helper()
	for range conversations {
		id := domain.NewID()
		s.store.AddConversation(id, 1, s.owner.UserID)
		c, err := s.Connect(context.Background(), ConnectRequest{Caller: s.owner, Sink: sink})
		require.NoError(b, err)
		c.Receive([]byte(`{"type":"hello","cursor":{"conversations":{"` + id.String() + `":{"seq":0}}}}`))
		_, err = s.Send(context.Background(), s.owner, domain.Prompt{Conversation: id, Message: domain.NewID(), Text: "go"})
		require.NoError(b, err)
	}
}

// BenchmarkDeltas streams b.N deltas in all, over 1, 1,000 or 5,000 conversations with one
// reader each, as fast as the window allows. It measures the path from the model to the
// socket without the store.
func BenchmarkDeltas(b *testing.B) {
	for _, streams := range []int{1, 1000, 5000} {
		b.Run(strconv.Itoa(streams), func(b *testing.B) {
			runner := &scripted{}
			system := bench(b, runner)
			var seen atomic.Int64
			begin := make(chan struct{})
			each := b.N/streams + 1
			ended := make(chan struct{}, streams)
			ready := make(chan struct{}, streams)
			runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
				id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
				if err != nil {
					return err
				}
				ready <- struct{}{}
				<-begin
				for range each {
					if err := s.Delta(ctx, id, "five or so words of it "); err != nil {
						return err
					}
					// A model returns its tokens one by one; other goroutines run in between.
					runtime.Gosched()
				}
				ended <- struct{}{}
				return s.Close(ctx, id)
			})
			system.ask(b, streams, counter{&seen})
			for range streams {
				<-ready
			}
			b.ReportAllocs()
			b.ResetTimer()
			start := time.Now() //nolint:forbidigo // a benchmark measures
			close(begin)
			for range streams {
				<-ended
			}
			b.StopTimer()
			total := float64(each * streams)
			b.ReportMetric(total/time.Since(start).Seconds(), "deltas/s")
			b.ReportMetric(float64(seen.Load())/total, "frames/delta")
			system.c.ActorSystem.Shutdown()
		})
	}
}

// BenchmarkFrames gives each of 5,000 conversations a piece of text in turn and waits until
// all of it has been shown. It measures what a frame costs between the turn and the socket,
// without the store, when no data of a conversation is in the processor's cache.
func BenchmarkFrames(b *testing.B) {
	const streams = 5000
	runner := &scripted{}
	system := bench(b, runner)
	type voice struct {
		ctx  context.Context // of the turn, for the driver
		sink analyst.Sink
		id   uuid.UUID
	}
	ready, over := make(chan voice, streams), make(chan struct{})
	runner.set(func(ctx context.Context, _ *analyst.Job, s analyst.Sink) error {
		id, err := s.Open(ctx, analyst.Draft{Role: domain.RoleAssistant})
		if err != nil {
			return err
		}
		ready <- voice{ctx, s, id}
		<-over
		return s.Close(ctx, id)
	})
	var seen atomic.Int64
	system.ask(b, streams, taker{counter{&seen}})
	voices := make([]voice, 0, streams)
	for range streams {
		voices = append(voices, <-ready)
	}
	text := strings.Repeat("five or so words of it ", 5)
	b.ReportAllocs()
	before := processor(b)
	b.ResetTimer()
	for n := 0; n < b.N; n += streams {
		for _, v := range voices {
			require.NoError(b, v.sink.Delta(v.ctx, v.id, text))
		}
		for seen.Load() < int64(n+streams) {
			runtime.Gosched()
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(processor(b)-before)/float64(b.N), "cpu-ns/op")
	close(over)
	system.c.ActorSystem.Shutdown()
}

// processor returns the CPU time of the process in nanoseconds. Other programs on the machine
// do not increase it.
func processor(b *testing.B) int64 {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return used.Utime.Nano() + used.Stime.Nano()
}

// BenchmarkIdle measures the memory of an idle connection without its socket: with the person's
// session, and also with a subscription to a conversation of the person, whose owner then has
// one reader.
//
//	go test ./actors -run '^$' -bench Idle -benchtime 1x
func BenchmarkIdle(b *testing.B) {
	b.Run("Session", func(b *testing.B) { benchmarkIdle(b, false) })
	b.Run("Subscribed", func(b *testing.B) { benchmarkIdle(b, true) })
}

func benchmarkIdle(b *testing.B, subscribe bool) {
	b.Helper()
	const sockets = 5_000
	for range b.N {
		system := bench(b, &scripted{})
		callers, hellos := make([]domain.Caller, sockets), make([][]byte, sockets)
		ready := first{ready: make(chan struct{}, sockets), frame: []byte(`"session.ready"`)}
		for i := range callers {
			callers[i] = domain.Caller{UserID: int64(i + 1), UserUUID: uuid.New(), OrganisationID: 1}
			system.store.AddUser(callers[i].UserID, callers[i].UserUUID)
			hellos[i] = []byte(hello)
			if subscribe {
				id := domain.NewID()
				system.store.AddConversation(id, 1, callers[i].UserID)
				hellos[i] = []byte(`{"type":"hello","cursor":{"conversations":{"` + id.String() + `":{"seq":0}}}}`)
				ready.frame = []byte(`"subscribed"`)
			}
		}
		held := make([]*Connection, sockets)
		before := inUse()
		start := time.Now() //nolint:forbidigo // a benchmark measures
		for i := range held {
			c, err := system.Connect(context.Background(), ConnectRequest{Caller: callers[i], Sink: ready})
			require.NoError(b, err)
			c.Receive(hellos[i])
			held[i], hellos[i] = c, nil
		}
		for range sockets {
			<-ready.ready
		}
		took := time.Since(start)
		// Until then the timers that limit how long an owner may take to answer hold memory.
		<-time.After(answerLimit)
		b.ReportMetric((inUse()-before)/sockets, "B/idle")
		b.ReportMetric(sockets/took.Seconds(), "connects/s")
		writeHeap(b)
		runtime.KeepAlive(held)
		system.c.ActorSystem.Shutdown()
	}
}

// answerLimit is longer than a connection waits for the answer of an owner.
const answerLimit = 6 * time.Second

// inUse returns the bytes of the heap and of the stacks that are in use.
func inUse() float64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) + float64(m.StackInuse)
}

// writeHeap writes a heap profile of this moment to the file that PARLEY_HEAP names; set also
// -memprofilerate 1, so that the profile counts every object.
func writeHeap(b *testing.B) {
	b.Helper()
	name := os.Getenv("PARLEY_HEAP")
	if name == "" {
		return
	}
	f, err := os.Create(name + "-" + filepath.Base(b.Name()))
	require.NoError(b, err)
	require.NoError(b, pprof.Lookup("heap").WriteTo(f, 0))
	require.NoError(b, f.Close())
}

// first is a socket that signals the Write of a certain frame.
type first struct {
	ready chan struct{}
	frame []byte
}

func (f first) Write(frames [][]byte) error {
	for _, frame := range frames {
		if bytes.Contains(frame, f.frame) {
			f.ready <- struct{}{}
		}
	}
	return nil
}
func (first) Close(domain.Disconnect) {}

// BenchmarkActivation measures a request to a conversation that no node owns yet.
func BenchmarkActivation(b *testing.B) {
	system := bench(b, &scripted{})
	ids := make([]uuid.UUID, b.N)
	for i := range ids {
		ids[i] = domain.NewID()
		system.store.AddConversation(ids[i], 1, system.owner.UserID)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		_, err := system.Stop(context.Background(), system.owner, ids[i])
		require.NoError(b, err)
	}
	b.StopTimer()
	system.c.ActorSystem.Shutdown()
}
