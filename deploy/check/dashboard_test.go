package check

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
	"github.com/stretchr/testify/require"
)

// classic is the older model of a dashboard, the one that Grafana reads from files; the newer one is for its API.
type classic = dashboard.Dashboard //nolint:staticcheck // as above

// columns is the width of Grafana's grid.
const columns = 24

// openDashboard reads the dashboard as Grafana's own types do, and fails at every field that they do not have.
func openDashboard(t *testing.T) *classic {
	t.Helper()
	r := cog.NewRuntime()
	r.RegisterPanelcfgVariant(stat.VariantConfig())
	r.RegisterPanelcfgVariant(timeseries.VariantConfig())
	r.RegisterDataqueryVariant(prometheus.VariantConfig())
	text := []byte(read(t, "deploy", "grafana", "dashboards", "parley.json"))
	d := &classic{}
	// The strict function returns an empty list, and not nil, if nothing is wrong, and then loses the panels.
	strict := (&classic{}).UnmarshalJSONStrict(text)
	require.NoError(t, json.Unmarshal(text, d))
	for _, err := range []error{strict, d.Validate()} {
		var wrong cog.BuildErrors
		if !errors.As(err, &wrong) {
			require.NoError(t, err)
		}
		require.Empty(t, wrong, "%v", err)
	}
	return d
}

// Each query of the dashboard uses only what a node has, panels have a title and do not overlap, and every metric of the
// nodes that an operator may need is on it.
func TestDashboard(t *testing.T) {
	t.Parallel()
	metrics := known(t)
	// Grafana replaces its variables before it asks Prometheus.
	filled := strings.NewReplacer("$__rate_interval", "1m", "$node", ".*")
	taken, ids, asked := map[[2]uint32]string{}, map[uint32]bool{}, &strings.Builder{}
	panels := 0
	for _, p := range openDashboard(t).Panels {
		if p.RowPanel != nil {
			require.NotEmpty(t, *p.RowPanel.Title)
			require.Empty(t, p.RowPanel.Panels, "a row that is open has its panels beside it")
			continue
		}
		panels++
		require.NotNil(t, p.Panel.Id)
		require.False(t, ids[*p.Panel.Id], "two panels have the id %d", *p.Panel.Id)
		ids[*p.Panel.Id] = true
		require.NotNil(t, p.Panel.Title)
		title := *p.Panel.Title
		require.NotEmpty(t, title)
		require.NotEmpty(t, p.Panel.Targets, title)
		for _, target := range p.Panel.Targets {
			query, ok := target.(*prometheus.Dataquery)
			require.True(t, ok, "%s asks %T", title, target)
			require.Empty(t, problems(metrics, filled.Replace(query.Expr)), "%s: %s", title, query.Expr)
			asked.WriteString(query.Expr + "\n")
		}
		at := p.Panel.GridPos
		require.NotNil(t, at, title)
		require.LessOrEqual(t, at.X+at.W, uint32(columns), title)
		for x := at.X; x < at.X+at.W; x++ {
			for y := at.Y; y < at.Y+at.H; y++ {
				require.Empty(t, taken[[2]uint32{x, y}], "%s lies on another panel", title)
				taken[[2]uint32{x, y}] = title
			}
		}
	}
	require.Greater(t, panels, 20)
	for name := range metrics {
		if strings.HasPrefix(name, "parley_") {
			require.Contains(t, asked.String(), name, "a metric of the nodes is on no panel")
		}
	}
}

// The annotations and the variables of the dashboard are asked of Prometheus, too.
func TestDashboard_Variables(t *testing.T) {
	t.Parallel()
	d := openDashboard(t)
	metrics := known(t)
	metrics["ALERTS"] = metric{kind: "gauge", labels: map[string]bool{"alertname": true, "alertstate": true}}
	for _, a := range d.Annotations.List {
		require.NotNil(t, a.Expr, a.Name)
		// Alarms of Prometheus keep the labels of their series only where the expression does, so they are found by name.
		expr := strings.Replace(*a.Expr, "ALERTS{", `ALERTS{job="parley",`, 1)
		require.Empty(t, problems(metrics, expr), a.Name)
	}
	raw, err := json.Marshal(d.Templating)
	require.NoError(t, err)
	for _, variable := range []string{"datasource", "node"} {
		require.Contains(t, string(raw), `"name":"`+variable+`"`)
	}
}
