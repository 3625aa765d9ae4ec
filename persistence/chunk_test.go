package persistence_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// atStretch makes a table of pieces the one that is used now, until the next call: pieces that a
// test writes one after the other would else be in two tables once in a while.
func atStretch(t *testing.T, raw *pgx.Conn, n int) {
	t.Helper()
	_, err := raw.Exec(t.Context(), fmt.Sprintf(
		"CREATE OR REPLACE FUNCTION chunk_stretch() RETURNS smallint LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT %d::smallint'", n))
	require.NoError(t, err)
}

// stretches is a store whose tables of pieces a test changes.
type stretches struct {
	t     *testing.T
	raw   *pgx.Conn
	clock *clock.Fake
	store *persistence.Store
	sweep *persistence.ChunkSweep
}

func openStretches(t *testing.T) *stretches {
	t.Helper()
	url := persistencetest.URL(t)
	c := clock.NewFake(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	s, err := persistence.Open(t.Context(), persistence.Config{URL: url, Clock: c, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	require.NoError(t, s.Samples.Seed(t.Context(), persistencetest.World()))
	x := &stretches{t: t, raw: persistencetest.Connect(t, url, ""), clock: c, store: s, sweep: s.NewChunkSweep()}
	x.at(0)
	return x
}

func (x *stretches) at(n int) { atStretch(x.t, x.raw, n) }

// pieces is how many pieces a table has.
func (x *stretches) pieces(stretch int) (n int) {
	x.t.Helper()
	require.NoError(x.t, x.raw.QueryRow(x.t.Context(), "SELECT count(*) FROM message_chunk WHERE stretch = $1", stretch).Scan(&n))
	return n
}

// sweeps sweeps twice, with the time between in which a table must be quiet.
func (x *stretches) sweeps() {
	x.t.Helper()
	require.NoError(x.t, x.sweep.Sweep(x.t.Context()))
	x.clock.Advance(10 * time.Second)
	require.NoError(x.t, x.sweep.Sweep(x.t.Context()))
}

// answer is a conversation with an open answer.
func (x *stretches) answer() (o *owned, turn, answer uuid.UUID) {
	x.t.Helper()
	o = own(x.t, x.store, startJournal(x.t, x.store, persistence.JournalConfig{}), persistencetest.Anna)
	turn, prompt := o.prompt("?")
	return o, turn, o.open(turn, prompt)
}

func TestChunkSweep(t *testing.T) {
	t.Parallel()

	t.Run("PiecesOfEndedAnswersGoAsAWhole", func(t *testing.T) {
		t.Parallel()
		x := openStretches(t)
		o, turn, answer := x.answer()
		o.must(chunk(answer, 0, "one "))
		x.at(1)
		o.must(chunk(answer, 4, "two"))
		require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
		requireText(t, o, answer, "one two")
		// The table before the one that is used now may still get pieces.
		x.sweeps()
		require.Equal(t, []int{1, 1}, []int{x.pieces(0), x.pieces(1)})
		x.at(2)
		require.NoError(t, x.sweep.Sweep(t.Context()))
		require.Equal(t, 1, x.pieces(0), "readers may have begun before the answer ended")
		x.clock.Advance(10 * time.Second)
		require.NoError(t, x.sweep.Sweep(t.Context()))
		require.Equal(t, []int{0, 1}, []int{x.pieces(0), x.pieces(1)})
		x.at(3)
		x.sweeps()
		require.Equal(t, 0, x.pieces(1))
		requireText(t, o, answer, "one two")
	})

	t.Run("PiecesOfARunningAnswerAreJoinedAndKept", func(t *testing.T) {
		t.Parallel()
		x := openStretches(t)
		o, turn, answer := x.answer()
		at := int64(0)
		say := func(text string) {
			t.Helper()
			o.must(chunk(answer, at, text))
			at += int64(len(text))
		}
		say("ä")
		say("b")
		x.at(2)
		say("c")
		x.at(0) // as if nothing had emptied it in time
		say("€")
		say("e")
		x.at(2)
		say("f")
		x.sweeps()
		require.Equal(t, 0, x.pieces(0))
		require.Equal(t, 4, x.pieces(2), "two runs of pieces, and two pieces that were there")
		requireText(t, o, answer, "äbc€ef")
		// A takeover reads the same text, and the answer goes on after it.
		o.claim(o.Conversation)
		require.Equal(t, "äbc€ef", o.Running.Open[0].Text)
		say("g")
		x.at(1)
		x.sweeps() // the table 2 is not old enough
		x.at(0)
		x.sweeps()
		require.Equal(t, []int{1, 0}, []int{x.pieces(0), x.pieces(2)})
		requireText(t, o, answer, "äbc€efg")
		require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
		requireText(t, o, answer, "äbc€efg")
	})

	t.Run("PiecesOfTheReleaseBefore", func(t *testing.T) {
		t.Parallel()
		x := openStretches(t)
		o, _, answer := x.answer()
		_, err := x.raw.Exec(t.Context(), "INSERT INTO message_chunk_before (message_id, byte_offset, org_id, text) VALUES "+
			"($1, 0, $2, 'be'), ($1, 2, $2, 'fore')", answer, o.OrganisationID)
		require.NoError(t, err)
		o.must(chunk(answer, 6, " after"))
		requireText(t, o, answer, "before after")
		x.sweeps()
		require.Equal(t, []int{0, 2}, []int{x.pieces(-1), x.pieces(0)})
		requireText(t, o, answer, "before after")
	})

	t.Run("NotTheTableThatIsUsed", func(t *testing.T) {
		t.Parallel()
		x := openStretches(t)
		o, _, answer := x.answer()
		for now, refused := range map[int][]int{0: {0, 3}, 1: {1, 0}, 3: {3, 2}} {
			x.at(now)
			for _, n := range refused {
				var dropped bool
				require.NoError(t, x.raw.QueryRow(t.Context(), "SELECT drop_chunks($1::smallint)", n).Scan(&dropped))
				require.False(t, dropped, "table %d at %d", n, now)
			}
		}
		x.at(1)
		o.must(chunk(answer, 0, "runs"))
		x.at(3)
		var dropped bool
		require.NoError(t, x.raw.QueryRow(t.Context(), "SELECT drop_chunks(1::smallint)").Scan(&dropped))
		require.False(t, dropped, "it has a piece of an answer that is being written")
		require.Equal(t, 1, x.pieces(1))
	})

	t.Run("OnlyAReaderBlocksIt", func(t *testing.T) {
		t.Parallel()
		x := openStretches(t)
		o, turn, answer := x.answer()
		o.must(chunk(answer, 0, "text"))
		require.NoError(t, o.end(turn, answer, domain.TurnComplete).Err)
		x.at(2)
		reader, err := persistencetest.Connect(t, x.raw.Config().ConnString(), "").Begin(t.Context())
		require.NoError(t, err)
		_, err = reader.Exec(t.Context(), "SELECT FROM message_chunk")
		require.NoError(t, err)
		x.sweeps()
		require.Equal(t, 1, x.pieces(0))
		require.NoError(t, reader.Rollback(t.Context()))
		require.NoError(t, x.sweep.Sweep(t.Context()))
		require.Equal(t, 0, x.pieces(0))
	})
}

// A write in doubt is found after its pieces were joined with others.
func TestJournal_DoubtAfterJoin(t *testing.T) {
	t.Parallel()
	x := openStretches(t)
	o, _, answer := x.answer()
	o.must(chunk(answer, 0, "one "))
	o.must(chunk(answer, 4, "zwö "))
	o.must(chunk(answer, 9, "three"))
	x.at(2)
	x.sweeps()
	require.Equal(t, 1, x.pieces(2))
	for _, piece := range []struct {
		at    int64
		text  string
		there bool
	}{{0, "one ", true}, {4, "zwö ", true}, {9, "three", true}, {9, "threx", false}, {14, "four", false}, {4, "zwo ", false}} {
		there, err := x.store.ChunkIsThere(t.Context(), answer, piece.at, piece.text)
		require.NoError(t, err)
		require.Equal(t, piece.there, there, "%d %q", piece.at, piece.text)
	}
}

// An end with the whole text stores this text, and none of its pieces again.
func TestJournal_EndWithText(t *testing.T) {
	t.Parallel()
	x := openStretches(t)
	o, turn, answer := x.answer()
	o.must(chunk(answer, 0, "one "))
	whole := "one two" + strings.Repeat("!", 3)
	end := chunk(answer, 4, whole[4:])
	end.MessageEnds = []domain.MessageEnd{{Message: answer, Status: domain.MessageComplete, Text: &whole}}
	end.TurnEnd = &domain.TurnEnd{Turn: turn, Status: domain.TurnComplete}
	o.must(end)
	requireText(t, o, answer, whole)
	require.Equal(t, 1, x.pieces(0), "only the piece that was written before the end")
}
