package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
)

// TestAsked_Samples asks questions about the sample source of Brightloom, as people ask them.
func TestAsked_Samples(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	source := folderSources(t, b, t.TempDir())["Subscription revenue"]
	p := builtin.New(builtin.Config{Clock: folderDay{}})
	for _, a := range readAsked(t, "testdata/samples/subscription_revenue.txt") {
		t.Run(a.name(), func(t *testing.T) {
			t.Parallel()
			ask(t, b, p, []domain.DataSource{source}, &a)
		})
	}
}

// TestOffer_Samples asks each question that the home page offers for a sample source. There are at least three, and each is
// answered correctly.
func TestOffer_Samples(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) { c.Queue, c.Wait = 10_000, 10*time.Minute })
	p := builtin.New(builtin.Config{Clock: folderDay{}})
	known := map[string]map[string]asked{}
	for _, a := range readAsked(t, "testdata/samples/offered.txt") {
		source := strings.ReplaceAll(a.tables[0], "_", " ")
		if known[source] == nil {
			known[source] = map[string]asked{}
		}
		known[source][a.text] = a
	}
	sources := folderSources(t, b, t.TempDir())
	require.Len(t, known, len(sources))
	for name, source := range sources {
		offered := p.Offer([]domain.DataSource{source}, 4)
		require.GreaterOrEqual(t, len(offered), 3, name)
		for _, q := range offered {
			t.Run(name+"/"+q.Text, func(t *testing.T) {
				t.Parallel()
				require.Contains(t, known[name], q.Text, "testdata/samples/offered.txt has no correct answer for this question")
				a := known[name][q.Text]
				ask(t, b, p, []domain.DataSource{source}, &a)
			})
		}
	}
}
