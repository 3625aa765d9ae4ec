package check

import (
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// alarms returns the rules of alerts.yml.
func alarms(t *testing.T) []rulefmt.Rule {
	t.Helper()
	groups, errs := rulefmt.ParseFile("../prometheus/alerts.yml", false, model.UTF8Validation, parser.NewParser(parser.Options{}),
		slog.New(slog.DiscardHandler))
	require.Empty(t, errs)
	var all []rulefmt.Rule
	for _, g := range groups.Groups {
		all = append(all, g.Rules...)
	}
	require.NotEmpty(t, all)
	return all
}

// The expression of each alarm uses only what a node has, and its annotations lead to the section of docs/operating.md
// with its name. Every such section belongs to an alarm.
func TestAlerts(t *testing.T) {
	t.Parallel()
	metrics := known(t)
	sections := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^### (Parley\w+)$`).FindAllStringSubmatch(read(t, "docs", "operating.md"), -1) {
		sections[heading[1]] = true
	}
	names := map[string]bool{}
	for _, rule := range alarms(t) {
		require.False(t, names[rule.Alert], "%s is there twice", rule.Alert)
		names[rule.Alert] = true
		require.Empty(t, problems(metrics, rule.Expr), rule.Alert)
		require.Contains(t, []string{"page", "ticket"}, rule.Labels["severity"], rule.Alert)
		require.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
		require.Equal(t, "docs/operating.md#"+strings.ToLower(rule.Alert), rule.Annotations["runbook"])
		require.True(t, sections[rule.Alert], "docs/operating.md has no section %s", rule.Alert)
	}
	for section := range sections {
		require.True(t, names[section], "docs/operating.md has a section %s, and there is no such alarm", section)
	}
}

// Each alarm has a test of promtool in which it is silent, and one in which it fires.
func TestAlerts_Tested(t *testing.T) {
	t.Parallel()
	var file struct {
		Tests []struct {
			Alerts []struct {
				Name     string           `json:"alertname"`
				Expected []map[string]any `json:"exp_alerts"`
			} `json:"alert_rule_test"`
		} `json:"tests"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy", "prometheus", "alerts_test.yml")), &file))
	silent, fires := map[string]bool{}, map[string]bool{}
	for _, test := range file.Tests {
		for _, a := range test.Alerts {
			silent[a.Name] = silent[a.Name] || len(a.Expected) == 0
			fires[a.Name] = fires[a.Name] || len(a.Expected) > 0
		}
	}
	for _, rule := range alarms(t) {
		require.True(t, silent[rule.Alert] && fires[rule.Alert], "%s: alerts_test.yml must have it silent and firing", rule.Alert)
	}
}
