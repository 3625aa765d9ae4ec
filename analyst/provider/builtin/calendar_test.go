package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDottedDay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"15.03.2024": "2024-03-15", "1.2.2024": "2024-02-01", "3/15/2024": "2024-03-15", "15/3/2024": "2024-03-15",
		"03/04/2024": "2024-03-04", "31.02.2024": "", "2023/24": "", "1/2": "", "15.03.24": "", "15.03.9999": "",
	} {
		require.Equal(t, want, dottedDay(text), text)
	}
}

func TestHourOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"8am": 8, "12am": 0, "12pm": 12, "6pm": 18, "12:30": 12.5, "23:15:10": 23.25} {
		require.InDelta(t, want, hourOf(text), 0.001, text)
	}
}

func TestLex_NumbersWithASign(t *testing.T) {
	t.Parallel()
	ts := lex("below -100 or -$2.5k on 12:30")
	require.InDelta(t, -100, ts[1].value, 0)
	require.InDelta(t, -2500, ts[3].value, 0)
	require.Equal(t, tokenClock, ts[5].kind)
}

func TestReadSpan_HalvesAndSeasons(t *testing.T) {
	t.Parallel()
	s, n := readSpan(lex("second half of 2024"))
	require.Equal(t, 4, n)
	require.Equal(t, date(2024, 7, 1), s.from)
	require.Equal(t, date(2025, 1, 1), s.to)
	s, _ = readSpan(lex("winter 2024"))
	require.Equal(t, date(2025, 3, 1), s.to)
}
