package history

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// many are prompts without an answer, all at once. They are stored in a conversation of their own.
func (r *run) many(conversation uuid.UUID, n byte) (ids []uuid.UUID) {
	for i := range n {
		id := numbered(100 + i)
		ids = append(ids, id)
		r.ops = append(r.ops, &Op{
			Kind: Send, Conversation: conversation, Message: id, Invoke: second, Return: 2 * second, Outcome: Unknown,
		})
	}
	return ids
}

// A search that takes too long is no answer: it is counted, and too many of them fail the run.
func TestCheck_Undecided(t *testing.T) {
	t.Parallel()
	limits := Standard()
	limits.Order = 100 * time.Millisecond
	// The reads name two of the prompts in both orders, so that all orders of the others are tried in vain. Nothing is stored of this
	// conversation, so nothing says until when they took effect.
	hard := func(r *run, conversation uuid.UUID) {
		ids := r.many(conversation, 40)
		for i := range 2 {
			r.ops = append(r.ops, &Op{
				Kind: Read, Conversation: conversation, Invoke: 3 * second, Return: 4 * second, Outcome: OK,
				Result: Result{Head: 100, Generation: 1, Prompts: []uuid.UUID{ids[i], ids[1-i], ids[2], ids[3]}},
			})
		}
	}
	r := good()
	v := Check(r.history(), limits)
	require.Equal(t, Verdict{Ordered: 1}, v)

	// One of two is too many.
	hard(r, numbered(90))
	v = Check(r.history(), limits)
	require.Equal(t, 1, v.Ordered)
	require.Equal(t, 1, v.Undecided)
	require.True(t, has6(v, "for 1 of 2 conversations it could not be decided within 100ms"), "%v", v.Violations)

	// One of twenty is not.
	for i := range 18 {
		r.ops = append(r.ops, &Op{Kind: Stop, Conversation: numbered(byte(200 + i)), Invoke: second, Return: 2 * second, Outcome: OK})
	}
	v = Check(r.history(), limits)
	require.Equal(t, 19, v.Ordered)
	require.Equal(t, 1, v.Undecided)
	require.False(t, has6(v, "could not be decided"), "%v", v.Violations)

	// None at all is a failure, however few they are.
	r = good()
	r.ops = nil
	hard(r, numbered(90))
	v = Check(r.history(), limits)
	require.Zero(t, v.Ordered)
	require.True(t, has6(v, "for none of 1 conversations it could be decided"), "%v", v.Violations)
}

func has6(v Verdict, text string) bool {
	for _, x := range v.Violations {
		if x.Invariant == "I6" && strings.Contains(x.Text, text) {
			return true
		}
	}
	return false
}

// What is stored and what was read say until when calls without an answer took effect. Without that, the search of these would
// not end.
func TestCheck_UnknownBounded(t *testing.T) {
	t.Parallel()
	limits := Standard()
	limits.Order = 20 * time.Second
	r := good()
	for range 40 {
		r.ops = append(r.ops, &Op{Kind: Stop, Conversation: r.talk, Invoke: 0, Return: 1, Outcome: Unknown})
	}
	ids := r.many(r.talk, 40)
	require.Empty(t, Check(r.history(), limits).Violations, "none of the prompts is stored")

	// One of them is: a read has it, and a later one has lost it.
	r.stored.Messages = append(r.stored.Messages, StoredMessage{ID: ids[0], Key: ids[0], Role: "user"})
	for i, prompts := range [][]uuid.UUID{{r.first, numbered(7), ids[0]}, {r.first, numbered(7)}} {
		r.ops = append(r.ops, &Op{
			Kind: Read, Conversation: r.talk, Invoke: int64(70+2*i) * 1e8, Return: int64(71+2*i) * 1e8, Outcome: OK,
			Result: Result{Head: 20, Generation: 2, Prompts: prompts},
		})
	}
	require.True(t, has6(Check(r.history(), limits), "no order explains"))
}
