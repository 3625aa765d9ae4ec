package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
)

// metric is what is known of a metric: its kind in lower case, and its labels.
type metric struct {
	kind   string
	labels map[string]bool
}

// read returns a file of the repository.
func read(tb testing.TB, name ...string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"../.."}, name...)...))
	require.NoError(tb, err)
	return string(text)
}

// metricRow is a row of the table of metrics in docs/operating.md: name, kind and labels.
var metricRow = regexp.MustCompile("(?m)^\\| `(parley_[a-z_]+)` \\| ([a-z]+) \\| ([a-z, ]*)\\|")

// known returns all metrics that a node has: those of the table in docs/operating.md, which a test of cmd/parley compares
// with a running node, and those that the library adds for Go and the process.
func known(tb testing.TB) map[string]metric {
	tb.Helper()
	all := map[string]metric{"up": {kind: "gauge", labels: map[string]bool{}}}
	for _, row := range metricRow.FindAllStringSubmatch(read(tb, "docs", "operating.md"), -1) {
		m := metric{kind: row[2], labels: map[string]bool{}}
		for _, label := range strings.FieldsFunc(row[3], func(r rune) bool { return r == ',' || r == ' ' }) {
			m.labels[label] = true
		}
		all[row[1]] = m
	}
	require.Greater(tb, len(all), 20, "the table of metrics must be found")
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	families, err := r.Gather()
	require.NoError(tb, err)
	for _, f := range families {
		m := metric{kind: strings.ToLower(f.GetType().String()), labels: map[string]bool{}}
		for _, label := range f.GetMetric()[0].GetLabel() {
			m.labels[label.GetName()] = true
		}
		all[f.GetName()] = m
	}
	return all
}

// problems returns what is wrong with an expression: it does not parse, names a metric or a label that no node has,
// or uses a counter without rate, or a gauge with it.
func problems(all map[string]metric, expression string) []string {
	tree, err := parser.NewParser(parser.Options{}).ParseExpr(expression)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	parser.Inspect(tree, func(node parser.Node, path []parser.Node) error {
		selector, ok := node.(*parser.VectorSelector)
		if !ok {
			return nil
		}
		name, part := selector.Name, ""
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if base, cut := strings.CutSuffix(name, suffix); cut && all[base].kind == "histogram" {
				name, part = base, suffix
			}
		}
		m, exists := all[name]
		switch {
		case !exists:
			found = append(found, "no node has the metric "+name)
			return nil
		case m.kind == "histogram" && part == "":
			found = append(found, name+" is a histogram: its series end in _bucket, _sum or _count")
		}
		job := false
		for _, matcher := range selector.LabelMatchers {
			switch label := matcher.Name; label {
			case "__name__", "instance":
			case "job":
				job = matcher.Value == "parley"
			case "le":
				if part != "_bucket" {
					found = append(found, name+" has no label le")
				}
			default:
				if !m.labels[label] {
					found = append(found, name+" has no label "+label)
				}
			}
		}
		if !job {
			found = append(found, name+` must be selected with job="parley": others have metrics of Go and of the process, too`)
		}
		rises := m.kind == "counter" || m.kind == "histogram"
		if rated := inside(path, "rate", "increase", "irate"); rises != rated {
			found = append(found, name+" is a "+m.kind+": only counters and histograms are read with rate or increase, and always")
		}
		return nil
	})
	return found
}

// inside reports whether an expression is the argument of one of these functions.
func inside(path []parser.Node, functions ...string) bool {
	for _, node := range path {
		call, ok := node.(*parser.Call)
		for _, name := range functions {
			if ok && call.Func.Name == name {
				return true
			}
		}
	}
	return false
}

func TestProblems(t *testing.T) {
	t.Parallel()
	all := known(t)
	for _, wrong := range []string{
		`sum(parley_sokets{job="parley"})`,
		`sum(`,
		`parley_sockets`,
		`parley_owned{job="parley", kinds="task"}`,
		`rate(parley_sockets{job="parley"}[5m])`,
		`parley_socket_frames_total{job="parley"}`,
		`rate(parley_journal_group_seconds{job="parley"}[5m])`,
		`rate(parley_journal_group_seconds_sum{job="parley", le="1"}[5m])`,
	} {
		require.NotEmpty(t, problems(all, wrong), wrong)
	}
	require.Empty(t, problems(all, `rate(parley_journal_group_seconds_bucket{job="parley", le="1"}[5m]) / up{job="parley"}`))
}
