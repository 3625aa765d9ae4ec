package analyst

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestJournaled_Chart(t *testing.T) {
	t.Parallel()
	chart := func(points int) *toolOutput {
		data := json.RawMessage(`{"data":[` + strings.TrimSuffix(strings.Repeat("[1735689600000,1234.56],", points), ",") + `]}`)
		return &toolOutput{Result: ToolResult{Text: "Made a chart.", Chart: data, Object: uuid.New()}}
	}

	t.Run("IsKept", func(t *testing.T) {
		t.Parallel()
		out := chart(400)
		require.Equal(t, out, journaled(out))
	})
	t.Run("IsLeftOutWhereItIsAsLongAsTheJournalTakes", func(t *testing.T) {
		t.Parallel()
		out := chart(10_000)
		kept := journaled(out)
		require.Empty(t, kept.Result.Chart)
		require.Equal(t, out.Result.Object, kept.Result.Object)
		require.NotEmpty(t, out.Result.Chart, "the step itself continues with it")
	})
}
