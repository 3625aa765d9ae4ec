package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestGrade_Weaker(t *testing.T) {
	t.Parallel()
	require.Equal(t, domain.GradeAssumed, domain.GradeCertain.Weaker(domain.GradeAssumed))
	require.Equal(t, domain.GradeRefused, domain.GradeRefused.Weaker(domain.GradeAsked))
	require.Equal(t, domain.GradeCertain, domain.GradeUnsaid.Weaker(domain.GradeCertain))
}

func TestAnnotation_Grade(t *testing.T) {
	t.Parallel()
	a := domain.Annotation{Grade: domain.GradeCertain}
	require.False(t, a.IsZero())
	a.Merge(&domain.Annotation{CaveatsAt: 7})
	require.Equal(t, domain.GradeCertain, a.Grade, "what a later annotation does not say stays")
	a.Merge(&domain.Annotation{Grade: domain.GradeRefused})
	require.Equal(t, domain.GradeRefused, a.Grade)
}
