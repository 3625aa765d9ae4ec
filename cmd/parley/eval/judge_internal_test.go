package eval

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// result is a query with these rows in columns a, b and so on.
func result(rows ...[]any) query {
	r := &domain.ResultSet{Rows: rows}
	for i := range rows[0] {
		r.Columns = append(r.Columns, domain.Column{Name: string(rune('a' + i))})
	}
	return query{sql: "SELECT", result: r}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	answer := &Question{Text: "total sales?", Kind: KindAnswer}
	refuse := &Question{Text: "budget by title?", Kind: KindRefuse}
	ask := &Question{Text: "how are we doing?", Kind: KindAsk}
	truths := []truth{{rows: table{{1122550.3}}, decimals: 2}}
	for name, c := range map[string]struct {
		q        *Question
		a        answered
		truths   []truth
		outcome  Outcome
		declined bool
	}{
		"Right": {answer, answered{queries: []query{result([]any{1122550.3})}}, truths, Right, false},
		"RightInTheText": {
			answer, answered{queries: []query{result([]any{"x", 1.0}, []any{"y", 2.0})}, text: "It is 1,122,550.30."}, truths, Right, false,
		},
		"RightFromBefore": {answer, answered{text: "As above, it is 1,122,550."}, truths, Right, false},
		"WrongCertain": {
			answer, answered{queries: []query{result([]any{28109424.0})}, text: "It is 28,109,424."}, truths, WrongCertain, false,
		},
		"WrongSaid": {answer, answered{
			queries: []query{result([]any{28109424.0})},
			plan:    "You did not name a measure, so I took total mrr.",
		}, truths, WrongSaid, false},
		"WrongWarned": {answer, answered{
			queries: []query{result([]any{28109424.0})},
			text:    "⚠ This total counts an account once for each of its orders. The accounts add up to 1,122,550.30.\n\nHere it is.",
		}, truths, WrongSaid, false},
		"Withheld": {answer, answered{queries: []query{{sql: "SELECT"}}, text: "I could not."}, truths, Refused, false},
		"Invented": {answer, answered{text: "It is 28,109,424."}, truths, WrongCertain, false},
		"Refused": {
			answer, answered{text: "I cannot answer that: there are 20 columns.\n\n- What is the total of 2,024?"}, truths, Refused, false,
		},
		"RefusedWithAName": {
			&Question{Text: "sales by hour?", Kind: KindAnswer, Sources: []string{"0020200722.csv"}},
			answered{text: "I cannot answer that: there is no date in n 0020200722."},
			truths, Refused, false,
		},
		"Asked":      {answer, answered{text: "Please say which of them you mean."}, truths, Asked, false},
		"AskedBack":  {answer, answered{text: "Which year do you mean?"}, truths, Asked, false},
		"OffersOnly": {answer, answered{text: "I did not understand that.\n\n- What is the total?"}, truths, Refused, false},
		"RefusedQuery": {
			answer, answered{queries: []query{{sql: "SELECT", err: domain.Invalid("sql", "no")}}, text: "I could not."}, truths, Refused, false,
		},
		"NoWorker": {
			answer,
			answered{queries: []query{{sql: "SELECT", err: domain.Errorf(domain.CodeUnavailable, "busy")}}, text: "I could not."},
			truths, Failed, false,
		},
		"Failed":       {answer, answered{err: errors.New("overloaded")}, truths, Failed, false},
		"Declined":     {refuse, answered{text: "A budget has no title."}, nil, Right, true},
		"NotDeclined":  {refuse, answered{queries: []query{result([]any{1.0})}}, nil, WrongCertain, false},
		"OrOnce":       {refuse, answered{queries: []query{result([]any{1122550.3})}}, truths, Right, false},
		"OrTwice":      {refuse, answered{queries: []query{result([]any{2.0})}}, truths, WrongCertain, false},
		"AskedRightly": {ask, answered{text: "Do you mean sales or profit?"}, nil, Right, true},
		"AskRefused":   {ask, answered{text: "I cannot answer that."}, nil, Refused, false},
		"Part": {
			answer, answered{queries: []query{result([]any{9.0})}}, append(truths, truth{rows: table{{9.0}}, part: true}), Partial, false,
		},
		"Chart": {
			&Question{Kind: KindAnswer, Chart: "line"},
			answered{queries: []query{result([]any{1122550.3})}, chart: noChart},
			truths, Partial, false,
		},
		"Plan": {
			&Question{Kind: KindAnswer, Plan: "joined"}, answered{queries: []query{result([]any{1122550.3})}}, truths, Partial, false,
		},
		"ScatteredAll": {
			&Question{Kind: KindAnswer, Scattered: true},
			answered{queries: []query{result([]any{"x", 34.6529})}, text: "In 2007."},
			[]truth{{rows: table{{"34.65"}, {"2007"}}}},
			Right, false,
		},
		"ScatteredSome": {
			&Question{Kind: KindAnswer, Scattered: true},
			answered{queries: []query{result([]any{"x", 34.6529})}, text: "Nothing."},
			[]truth{{rows: table{{"34.65"}, {"2007"}}}},
			Partial, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := judge(c.q, &c.a, c.truths)
			require.Equal(t, c.outcome, got.outcome, got.reason)
			require.Equal(t, c.declined, got.declined)
		})
	}
}

func TestScore(t *testing.T) {
	t.Parallel()
	var s Score
	for _, e := range []Entry{
		{Outcome: Right},
		{Outcome: Right, declined: true},
		{Outcome: WrongCertain},
		{Outcome: WrongSaid},
		{Outcome: Refused},
	} {
		s.Questions++
		s.count(&e)
	}
	require.Equal(t, 3, s.Answered())
	require.InDelta(t, 33.3, s.CertainShare(), 0.1)
	require.InDelta(t, 40.0, s.RightShare(), 0.1)
}

func TestReport_Against(t *testing.T) {
	t.Parallel()
	base := &Report{Suites: []Score{{Suite: "a", Questions: 200, Right: 100, WrongCertain: 1}}}
	against := func(s Score) error { return (&Report{Suites: []Score{s}}).Against(base) }
	require.NoError(t, against(Score{Suite: "a", Questions: 200, Right: 99, WrongCertain: 1}), "half a point may be lost")
	require.ErrorContains(t, against(Score{Suite: "a", Questions: 200, Right: 98, WrongCertain: 1}), "right fell from 50.0 % to 49.0 %")
	require.ErrorContains(t, against(Score{Suite: "a", Questions: 200, Right: 120, WrongCertain: 2}), "rose from 1 to 2")
	require.NoError(t, against(Score{Suite: "new", Questions: 10, WrongCertain: 10}), "nothing to compare with")
	fault := Score{Suite: "s", Strict: true, Entries: []Entry{{Outcome: Refused, Fault: true}}}
	require.ErrorIs(t, (&Report{Suites: []Score{fault}}).Against(nil), ErrBar, "a strict suite needs no baseline")
}
