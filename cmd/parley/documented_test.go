package main

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence/persistencetest"
)

// metricRow is a row of the table of metrics in docs/operating.md: name, kind and labels.
var metricRow = regexp.MustCompile("(?m)^\\| `(parley_[a-z_]+)` \\| ([a-z]+) \\| ([a-z, ]*)\\|")

// The table of metrics in docs/operating.md is what a node really has, in both directions.
func TestMetrics_Documented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operating.md")
	require.NoError(t, err)
	documented := map[string]string{}
	for _, row := range metricRow.FindAllStringSubmatch(string(text), -1) {
		labels := strings.FieldsFunc(row[3], func(r rune) bool { return r == ',' || r == ' ' })
		slices.Sort(labels)
		require.NotContains(t, documented, row[1], "a metric has one row")
		documented[row[1]] = row[2] + " " + strings.Join(labels, ",")
	}

	// The metrics of Redis exist while it is away.
	s := fleet(t, persistencetest.URL(t), []string{"REDIS_URL=redis://" + processtest.FreeAddress(t)}, "one")[0]
	get := func(url string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(text)
	}
	requireExpected(t, func() string {
		_, metrics := get("http://" + s.operator + "/metrics")
		return metrics
	})
	// The times of a route have their series from its first request on; this one is refused, and counted.
	status, _ := get(s.url + "/api/v1/user/me")
	require.Equal(t, http.StatusUnauthorized, status)

	parser := expfmt.NewTextParser(model.UTF8Validation)
	_, metrics := get("http://" + s.operator + "/metrics")
	families, err := parser.TextToMetricFamilies(strings.NewReader(metrics))
	require.NoError(t, err)
	present := map[string]string{}
	for name, family := range families {
		if strings.HasPrefix(name, "parley_") {
			present[name] = strings.ToLower(family.GetType().String()) + " " + strings.Join(labelsOf(family), ",")
		}
	}
	require.Equal(t, present, documented)

	// The first socket that is cut must find a series with the value 0.
	codes := map[string]float64{}
	for _, m := range families["parley_sockets_closed_total"].GetMetric() {
		codes[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
	}
	for _, code := range []string{
		"1000", "1001", "1002", "1003", "1006", "1007", "1009", "1011", "4400", "4401", "4402", "4403", "4408", "4429", "4503", "other",
	} {
		require.Contains(t, codes, code)
		require.Zero(t, codes[code], code)
	}
	requireSelected(t, families)
}

// requireExpected checks that the first request of a route finds its series, those of its success and of both failures of the
// server, before anybody has called it.
func requireExpected(t *testing.T, metrics func() string) {
	t.Helper()
	page := metrics()
	for _, call := range []string{
		`method="POST",route="/api/v1/discourse/user-text",status="200"`, `method="GET",route="/api/v1/user/:uuid/stream",status="101"`,
		`method="GET",route="/api/v1/user/me",status="503"`, `method="POST",route="/api/v1/discourse/conversations",status="201"`,
		`method="DELETE",route="/api/v1/discourse/conversations/:id",status="500"`, `method="GET",route="/",status="200"`,
		`method="GET",route="/dex/*",status="503"`,
	} {
		require.Contains(t, page, "\nparley_http_requests_total{"+call+"} 0\n")
	}
	require.NotContains(t, page, `method="TRACE"`, "no series for what nobody sends")
}

// requireSelected checks that the alarms and the dashboard of deploy name only values of labels that a
// node has: an alarm with a misspelled one would never fire. Routes have theirs from the first request on,
// and status codes of HTTP are those of the field.
func requireSelected(t *testing.T, families map[string]*dto.MetricFamily) {
	t.Helper()
	selector := regexp.MustCompile(`(parley_[a-z_]+)\{([^}]*)\}`)
	matcher := regexp.MustCompile(`([a-z]+)(=~|=)\\?"([^"\\]+)\\?"`)
	compared := 0
	for _, name := range []string{"prometheus/alerts.yml", "grafana/dashboards/parley.json"} {
		text, err := os.ReadFile("../../deploy/" + name)
		require.NoError(t, err)
		for _, found := range selector.FindAllStringSubmatch(string(text), -1) {
			for _, m := range matcher.FindAllStringSubmatch(found[2], -1) {
				if slices.Contains([]string{"job", "instance", "route", "le"}, m[1]) || strings.HasPrefix(found[1], "parley_http_") {
					continue
				}
				for value := range strings.SplitSeq(m[3], "|") {
					compared++
					require.True(t, hasValue(families[found[1]], m[1], value), "%s: %s has no series with %s=%q", name, found[1], m[1], value)
				}
			}
		}
	}
	require.NotZero(t, compared)
}

// hasValue reports whether a metric has a series with this value of a label.
func hasValue(family *dto.MetricFamily, label, value string) bool {
	return slices.ContainsFunc(family.GetMetric(), func(m *dto.Metric) bool {
		return slices.ContainsFunc(m.GetLabel(), func(l *dto.LabelPair) bool { return l.GetName() == label && l.GetValue() == value })
	})
}

// labelsOf returns the names of the labels of a metric, in order.
func labelsOf(family *dto.MetricFamily) []string {
	var names []string
	for _, m := range family.GetMetric() {
		for _, l := range m.GetLabel() {
			if !slices.Contains(names, l.GetName()) {
				names = append(names, l.GetName())
			}
		}
	}
	slices.Sort(names)
	return names
}
