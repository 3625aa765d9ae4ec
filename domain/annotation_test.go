package domain_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestAnnotation_Merge(t *testing.T) {
	t.Parallel()
	table := uuid.New()
	whole := domain.Annotation{
		Part: domain.PartAnswer, PlanStep: 2, CaveatsAt: 9, Figures: []domain.Figure{{End: 3, Object: table}}, Table: table,
		FollowUps: []string{"And by region?"}, Facts: &domain.TurnFacts{Queries: 1},
	}
	t.Run("KeepsFieldsThatAreLeftOut", func(t *testing.T) {
		t.Parallel()
		a := whole
		a.Merge(&domain.Annotation{})
		require.Equal(t, whole, a)
	})
	t.Run("TakesFieldsThatAreSet", func(t *testing.T) {
		t.Parallel()
		a := domain.Annotation{Part: domain.PartWorking, PlanStep: 1, FollowUps: []string{"No"}}
		a.Merge(&whole)
		require.Equal(t, whole, a)
	})
}

func TestAnnotation_IsZero(t *testing.T) {
	t.Parallel()
	require.True(t, (&domain.Annotation{}).IsZero())
	for name, a := range map[string]domain.Annotation{
		"Part": {Part: domain.PartWorking}, "PlanStep": {PlanStep: 1}, "CaveatsAt": {CaveatsAt: 1}, "Figures": {Figures: []domain.Figure{{}}},
		"Table": {Table: uuid.New()}, "FollowUps": {FollowUps: []string{"x"}}, "Facts": {Facts: &domain.TurnFacts{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.False(t, a.IsZero())
			body, err := json.Marshal(a)
			require.NoError(t, err)
			var again domain.Annotation
			require.NoError(t, json.Unmarshal(body, &again))
			require.Equal(t, a, again)
		})
	}
}
