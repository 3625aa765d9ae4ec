package demo_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
)

func TestProjects(t *testing.T) {
	t.Parallel()

	for _, p := range demo.Projects() {
		d := domain.ProjectLabelDraft{Name: p.Name, Description: p.Description, Color: p.Color}
		require.NoError(t, d.Validate(), p.Seed)
		require.Equal(t, p.Color, d.Color, "as it is kept")
		require.True(t, slices.ContainsFunc(demo.People(), func(who demo.Person) bool {
			return who.Email == p.Owner && who.Organisation == p.Organisation
		}), p.Seed)
	}
}

func TestMemories(t *testing.T) {
	t.Parallel()

	tables := map[string]demo.Source{}
	for _, s := range demo.Sources() {
		tables[s.Table] = s
	}

	seeds := map[string]bool{}

	for _, m := range demo.Memories() {
		n := domain.NewMemory{Name: m.Name, Question: m.Question, Response: m.Response, TypeID: 1}
		require.NoError(t, n.Validate(), m.Seed)
		require.LessOrEqual(t, utf8.RuneCountInString(m.Name), domain.MemoryNameMax)
		require.False(t, seeds[m.Seed], m.Seed)
		seeds[m.Seed] = true

		if m.Type != "Query" {
			continue
		}

		// The query of a memory must read a table of the same organisation.
		_, from, found := strings.Cut(m.Response, "FROM ")
		require.True(t, found, m.Seed)
		source, known := tables[strings.Fields(from)[0]]
		require.True(t, known, m.Seed)
		require.Equal(t, m.Organisation, source.Organisation)
	}
}
