package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// A node whose clock differs leaves service only if another one's clock proves that the database's is right.
func TestClockWitness(t *testing.T) { // F42, F43
	t.Parallel()
	member := func(name string, ahead float64, change ...func(*domain.MemberStatus)) domain.MemberStatus {
		m := domain.MemberStatus{
			Member: domain.Member{Node: name + "@1", Name: name, Left: 5 * time.Second}, Report: &domain.NodeReport{ClockAhead: ahead},
			ReportAge: time.Second,
		}
		for _, f := range change {
			f(&m)
		}
		return m
	}
	self := member("one", 3600)
	for name, c := range map[string]struct {
		others []domain.MemberStatus
		want   string
	}{
		"AnotherOneIsRight":        {[]domain.MemberStatus{member("two", -3600), member("three", -29)}, "three"},
		"AllDiffer":                {[]domain.MemberStatus{member("two", 3600), member("three", 31)}, ""},
		"Alone":                    {nil, ""},
		"TheOtherOneIsLost":        {[]domain.MemberStatus{member("two", 0, func(m *domain.MemberStatus) { m.Left = 0 })}, ""},
		"TheOtherOneHasOldFigures": {[]domain.MemberStatus{member("two", 0, func(m *domain.MemberStatus) { m.ReportAge = time.Minute })}, ""},
		"TheOtherOneSaysNothing":   {[]domain.MemberStatus{member("two", 0, func(m *domain.MemberStatus) { m.Report = nil })}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, clockWitness(self.Node, append([]domain.MemberStatus{self}, c.others...)))
		})
	}
	right := member("one", 0)
	require.Empty(t, clockWitness(right.Node, []domain.MemberStatus{right}), "a node is no witness of itself")
}
