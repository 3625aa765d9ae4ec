package domain_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// broken returns the broken rules of a validation error by field: the first one of each field.
func broken(t *testing.T, err error) map[string]string {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeInvalid, e.Code)
	out := map[string]string{}
	for _, f := range e.Fields {
		if _, twice := out[f.Field]; !twice {
			out[f.Field] = f.Message
		}
	}
	return out
}

func TestNewMemory_Validate(t *testing.T) {
	t.Parallel()
	good := func() domain.NewMemory {
		return domain.NewMemory{
			Name: "Net sales", Question: "What are net sales?", Response: "Sales less discounts.", TypeID: 1,
			Labels: []int64{3, 1, 3},
		}
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		n := good()
		n.Name = "  " + strings.Repeat("👩‍👩‍👧", 40)
		require.NoError(t, n.Validate())
		require.Equal(t, strings.Repeat("👩‍👩‍👧", 30), n.Name, "cut between characters")
		require.Equal(t, []int64{1, 3}, n.Labels)
	})
	t.Run("ErrAllFieldsAtOnce", func(t *testing.T) {
		t.Parallel()
		n := domain.NewMemory{Name: " ", Question: "\t", Response: "\u200b"}
		const required = "All fields are required"
		require.Equal(t, map[string]string{"name": required, "question": required, "response": required, "type": required},
			broken(t, n.Validate()))
	})
	t.Run("ErrTooLong", func(t *testing.T) {
		t.Parallel()
		n := good()
		n.Question, n.Response = strings.Repeat("q", domain.MemoryQuestionMax), strings.Repeat("r", domain.MemoryResponseMax)
		require.NoError(t, n.Validate())
		n.Question, n.Response = n.Question+"q", n.Response+"r"
		require.Len(t, broken(t, n.Validate()), 2)
	})
	t.Run("ErrNotStorable", func(t *testing.T) {
		t.Parallel()
		n := good()
		n.Name, n.Question, n.Response = "a\x00", "b\xff", "c\x00"
		require.Len(t, broken(t, n.Validate()), 3)
	})
}

func TestMemoryUpdate_Validate(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		name := strings.Repeat("n", 31)
		u := domain.MemoryUpdate{Name: &name}
		require.NoError(t, u.Validate())
		require.Len(t, *u.Name, 30)
		require.Len(t, name, 31, "the caller's text is not changed")
		require.NoError(t, (&domain.MemoryUpdate{}).Validate())
	})
	t.Run("ErrGivenFieldsAreChecked", func(t *testing.T) {
		t.Parallel()
		blank, noID := " ", int64(0)
		u := domain.MemoryUpdate{Response: &blank, TypeID: &noID}
		require.Len(t, broken(t, u.Validate()), 2)
	})
}
