package builtin

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

func TestUnmark(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		text, figures := unmark("**Süd** has **" + marked(0, 1, "€1,754") + "**, then " + marked(2, 1, "12") + ".")
		require.Equal(t, "**Süd** has **€1,754**, then 12.", text)
		require.Len(t, figures, 2)
		require.Equal(t, "€1,754", text[figures[0].Start:figures[0].End])
		require.Equal(t, "12", text[figures[1].Start:figures[1].End])
		require.Equal(t, [2]int{2, 1}, [2]int{figures[1].Row, figures[1].Column})
	})
	t.Run("AnyText", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			want := ""
			text := ""
			for range rapid.IntRange(0, 5).Draw(t, "parts") {
				said, number := noMarks(rapid.String().Draw(t, "said")), noMarks(rapid.String().Draw(t, "number"))
				want, text = want+said+number, text+said+marked(0, 0, number)
			}
			plain, figures := unmark(text)
			require.Equal(t, want, plain)
			for i, f := range figures {
				require.LessOrEqual(t, f.Start, f.End)
				require.True(t, i == 0 || figures[i-1].End <= f.Start)
			}
		})
	})
}

func TestNarration_complete(t *testing.T) {
	t.Parallel()
	t.Run("FirstSentenceIsAParagraph", func(t *testing.T) {
		t.Parallel()
		n := narration{answer: "**A** leads: **" + marked(0, 1, "3") + "**. Next is B with " + marked(1, 1, "2") + ".", summary: "A leads: " +
			marked(0, 1, "3") + "."}
		n.complete("`x` is empty.")
		require.Equal(t, "**A** leads: **3**.\n\nNext is B with 2.\n\n`x` is empty.", n.answer)
		require.Equal(t, "A leads: 3.", n.summary)
		require.Equal(t, "`x` is empty.", n.answer[n.caveatsAt:])
		require.Equal(t, "2", n.answer[n.figures[1].Start:n.figures[1].End])
	})
	t.Run("SummaryOfItsOwn", func(t *testing.T) {
		t.Parallel()
		n := narration{answer: "There are 3. They are red.", summary: "Three red ones."}
		n.complete("")
		require.Equal(t, "There are 3. They are red.", n.answer)
		require.Zero(t, n.caveatsAt)
	})
}

func TestNarration_annotation(t *testing.T) {
	t.Parallel()
	table := uuid.New()
	n := narration{caveatsAt: 7, figures: []domain.Figure{{Start: 1, End: 2, Row: 3, Column: 4}}}
	require.Equal(t, &domain.Annotation{CaveatsAt: 7, Figures: []domain.Figure{{Start: 1, End: 2, Object: table, Row: 3, Column: 4}}},
		n.annotation(table))
	require.Empty(t, n.annotation(uuid.Nil).Figures, "without a table there is nothing to refer to")
}
