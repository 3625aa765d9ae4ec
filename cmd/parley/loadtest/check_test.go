package loadtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func answer(tokens int) string {
	var s string
	for i := range tokens {
		s += fmt.Sprintf("%08d-%014x ", i, 1_700_000_000_000_000+i)
	}
	return s
}

func TestFollower_apply(t *testing.T) {
	t.Parallel()

	t.Run("OKAnySplitOfTheText", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			tokens := rapid.IntRange(1, 20).Draw(t, "tokens")
			text := answer(tokens)
			f, stamps, at := &follower{}, 0, 0
			for at < len(text) {
				n := rapid.IntRange(1, len(text)-at).Draw(t, "piece")
				require.NoError(t, f.apply("m", int64(at), text[at:at+n], func(int64) { stamps++ }))
				at += n
			}
			require.Equal(t, tokens, stamps)
		})
	})

	nothing := func(int64) {}
	for name, c := range map[string]struct {
		offset int64
		text   string
		want   string
	}{
		"ErrGap":       {49, "x", "gap"},
		"ErrRepeat":    {24, "x", "repeat"},
		"ErrReordered": {48, answer(4)[72:96], "reordered"},
		"ErrNotAToken": {48, "0000000x-00000000000000 ", "not a token"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &follower{}
			require.NoError(t, f.apply("m", 0, answer(2), nothing))
			require.ErrorContains(t, f.apply("m", c.offset, c.text, nothing), c.want)
		})
	}

	t.Run("OKNewAnswerStartsAtZero", func(t *testing.T) {
		t.Parallel()
		f := &follower{}
		require.NoError(t, f.apply("m", 0, answer(2), nothing))
		require.NoError(t, f.apply("n", 0, answer(1), nothing))
		require.ErrorContains(t, f.apply("o", 24, answer(1), nothing), "gap")
	})
}
