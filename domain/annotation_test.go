package domain_test

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

func TestAnnotation_Merge(t *testing.T) {
	t.Parallel()
	table := uuid.New()
	whole := domain.Annotation{
		Part: domain.PartAnswer, PlanStep: 2, CaveatsAt: 9, Figures: []domain.Figure{{End: 3, Object: table}}, Table: table,
		FollowUps: []string{"And by region?"}, Facts: &domain.TurnFacts{Queries: 1}, Assumptions: []domain.Assumption{assumed()},
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
		"Table": {Table: uuid.New()}, "FollowUps": {FollowUps: []string{"x"}}, "Assumptions": {Assumptions: []domain.Assumption{assumed()}},
		"Facts": {Facts: &domain.TurnFacts{}},
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

// assumed returns a valid assumption: that of a level the last period was taken.
func assumed() domain.Assumption {
	return domain.Assumption{
		Source: 7, Table: "seats", Column: "mrr", Step: meaning.Month,
		Taken:  domain.Statement{Field: meaning.FieldDefault, Value: "last"},
		Others: []domain.Statement{{Field: meaning.FieldAdds, Value: "amount"}},
	}
}

func TestAnnotation_Validate(t *testing.T) {
	t.Parallel()
	of := func(n int, change func(*domain.Assumption)) *domain.Annotation {
		a := new(domain.Annotation)
		for range n {
			one := assumed()
			change(&one)
			a.Assumptions = append(a.Assumptions, one)
		}
		return a
	}
	others := func(n int) func(*domain.Assumption) {
		return func(a *domain.Assumption) {
			one := a.Others[0]
			for a.Others = nil; len(a.Others) < n; {
				a.Others = append(a.Others, one)
			}
		}
	}
	same := func(*domain.Assumption) {}
	require.NoError(t, of(0, same).Validate())
	require.NoError(t, of(domain.AssumptionsMax, same).Validate())
	require.ErrorContains(t, of(domain.AssumptionsMax+1, same).Validate(), "at most 3")
	require.NoError(t, of(1, others(domain.AssumptionOthersMax)).Validate())
	for name, change := range map[string]func(*domain.Assumption){
		"NoSource":     func(a *domain.Assumption) { a.Source = 0 },
		"NoTable":      func(a *domain.Assumption) { a.Table = "" },
		"NoOthers":     others(0),
		"ManyOthers":   others(domain.AssumptionOthersMax + 1),
		"OtherValue":   func(a *domain.Assumption) { a.Others[0].Value = "sometimes" },
		"TakenValue":   func(a *domain.Assumption) { a.Taken.Value = "first" },
		"UnknownStep":  func(a *domain.Assumption) { a.Step = "decade" },
		"UnknownField": func(a *domain.Assumption) { a.Taken.Field = "colour" },
		"NoColumn":     func(a *domain.Assumption) { a.Column = "" },
		"TimeOfColumn": func(a *domain.Assumption) { a.Taken = domain.Statement{Field: meaning.FieldTime, Value: "month"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Error(t, of(1, change).Validate())
		})
	}
}
