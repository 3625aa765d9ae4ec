package mailbox

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
)

func TestMark(t *testing.T) {
	t.Parallel()
	var mark Mark
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.Zero(t, mark.Lately(now))
	produce := Marked(10, func(*actor.PID, any) {}, &mark)
	// They are not started, so what is posted to them stays.
	one, other := produce(), produce()
	for range 7 {
		one.PostUserMessage("one")
	}
	other.PostUserMessage("other")
	require.EqualValues(t, 7, mark.Lately(now), "that of the fullest")
	now = now.Add(markTime)
	require.EqualValues(t, 7, mark.Lately(now))
	other.PostUserMessage("other")
	now = now.Add(markTime - 1)
	require.EqualValues(t, 7, mark.Lately(now), "a short rush is still there at the next reading")
	now = now.Add(1)
	require.EqualValues(t, 2, mark.Lately(now))
	require.EqualValues(t, 2, mark.Lately(now), "a second reader sees the same")
	now = now.Add(markTime)
	require.Zero(t, mark.Lately(now))
}
