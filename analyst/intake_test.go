package analyst_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// intakeRecorder is a domain.FileIntake that records the keys, and checks that none of them is stored yet.
type intakeRecorder struct {
	domain.FileIntake

	files *analysttest.Files
	keys  []string
}

func (n *intakeRecorder) Begin(ctx context.Context, _ int64, keys ...string) error {
	for _, key := range keys {
		if _, err := n.files.Size(ctx, key); err == nil {
			return errors.New("it is stored already")
		}
	}
	n.keys = append(n.keys, keys...)
	return nil
}

// TestPipeline_Intake checks that files are registered before they are stored; otherwise a turn that
// loses its node in between would leave them in the store for ever.
func TestPipeline_Intake(t *testing.T) {
	t.Parallel()
	b := setup(t, callsTool(analyst.ToolRunQuery, analyst.RunQueryArgs{SQL: "SELECT 1", Title: "Total by region"}), speaks("", "North has 1."))
	intake := &intakeRecorder{files: b.files}
	b.config.Intake = intake
	require.NoError(t, b.run(t))
	var shown []string
	for _, m := range b.sink.Messages() {
		for _, o := range m.Objects {
			shown = append(shown, o.FileKey)
		}
	}
	require.NotEmpty(t, shown)
	require.Subset(t, intake.keys, shown)
}
