package persistence_test

import (
	"math"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// Each of a group gets the last messages of its own conversation, also if two ask for the same one.
func TestStore_MessagesTogether(t *testing.T) {
	t.Parallel()
	s, _ := openURL(t)
	j := startJournal(t, s, persistence.JournalConfig{})
	long, short := own(t, s, j, persistencetest.Anna), own(t, s, j, persistencetest.Ben)
	for _, text := range []string{"one", "two", "three"} {
		turn, _ := long.prompt(text)
		long.must(domain.Write{TurnEnd: &domain.TurnEnd{Turn: turn, Status: domain.TurnComplete}})
	}
	turn, asked := short.prompt("?")
	short.must(chunk(short.open(turn, asked), 0, "said so far"))

	third := long.NextSeq - 1
	got, err := s.MessagesTogether(t.Context(),
		[]uuid.UUID{long.Conversation, uuid.New(), short.Conversation, long.Conversation, long.Conversation},
		[]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, third, 0}, []int{2, 20, 20, 20, 20})
	require.NoError(t, err)
	texts := make([][]string, len(got))
	for i, messages := range got {
		for _, m := range messages {
			texts[i] = append(texts[i], m.Text)
		}
	}
	require.Equal(t, [][]string{{"two", "three"}, nil, {"?", "said so far"}, {"one", "two"}, nil}, texts)
}
