package domain_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestWebMessages compares the sentences with which the web refuses a form with those with which the
// server would refuse it. The web has its own copy, because it also has a German one, and because it
// refuses while people type. A sentence that changes on one side only is found here.
func TestWebMessages(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	many := make([]int64, 1000)
	step := func(d domain.StepDraft) error {
		return (&domain.BlueprintDraft{Name: "N", Steps: &[]domain.StepDraft{d}}).Validate()
	}
	task := func(in domain.TaskInput) error {
		var c domain.Checks
		in.Validate(&c)
		return c.Err()
	}
	refused := []error{
		(&domain.BlueprintDraft{}).Validate(),
		(&domain.BlueprintDraft{
			Name: long, Description: &long, InitialMessage: &long, InputParameters: &long, DataSources: &many, ProjectLabels: &many, Steps: make51(),
		}).Validate(),
		(&domain.BlueprintDraft{Name: "N", InputParameters: text(numbered(100))}).Validate(),
		step(domain.StepDraft{}),
		step(domain.StepDraft{Name: long, DetailedInstructions: &long, QAInstructions: &long, Code: &long, Memories: many}),
		step(domain.StepDraft{Name: "N", DetailedInstructions: text(""), QAInstructions: text(""), Code: text("")}),
		step(domain.StepDraft{Name: "N", DetailedInstructions: text(" "), QAInstructions: text(" "), Code: text(" ")}),
		(&domain.ProjectLabelDraft{}).Validate(),
		(&domain.AnalystUpdate{Name: &long, Description: &long, Connectors: &many}).Validate(),
		(&domain.NewMemory{Name: "N", Question: long, Response: long, TypeID: 1}).Validate(),
		(&domain.NewDataSource{}).Validate(),
		(&domain.NewCredential{}).Validate(),
		(&domain.NewCredential{Name: "N", Content: []byte(long)}).Validate(),
		task(domain.TaskInput{}),
	}
	var server []string
	for _, err := range refused {
		for _, field := range complaints(t, err) {
			_, message, _ := strings.Cut(field, ": ")
			server = append(server, message)
		}
	}
	for file, c := range map[string]struct {
		// all: each sentence of the page is one of the server's, except those in own.
		all bool
		ids []string
		own map[string]string
	}{
		"blueprint-rules": {all: true, own: map[string]string{"input.missing": "the server names the input in another way"}},
		"projects":        {ids: []string{"name.invalid", "description.invalid", "color.invalid"}},
		"agents":          {ids: []string{"form.long", "form.many", "form.name.long"}},
		"memories":        {ids: []string{"form.long"}},
		"connectors":      {ids: []string{"rule.name", "rule.description"}},
		"blocks":          {ids: []string{"connector.name.wrong", "connector.description.wrong"}},
		"data-config":     {ids: []string{"name.invalid", "file.required", "file.large"}},
		"tasks":           {ids: []string{"problem.name", "problem.icebreaker"}},
	} {
		english, german := catalogue(t, "en", file), catalogue(t, "de", file)
		ids := c.ids
		for id := range english {
			if c.all && c.own[id] == "" {
				ids = append(ids, id)
			}
		}
		for _, id := range ids {
			require.NotEmpty(t, english[id], "%s has no message %s any more", file, id)
			require.True(t, slices.Contains(server, english[id]),
				"web/src/messages/en/%s.json: the server refuses with other words than %s: %q", file, id, english[id])
			require.Equal(t, numbers(english[id]), numbers(german[id]), "web/src/messages/de/%s.json: %s has other numbers", file, id)
		}
		for id := range c.own {
			require.Contains(t, english, id, "an exception of %s names no message", file)
		}
	}
}

// catalogue returns the messages of one page of the web.
func catalogue(t *testing.T, language, file string) map[string]string {
	t.Helper()
	body, err := os.ReadFile("../web/src/messages/" + language + "/" + file + ".json")
	require.NoError(t, err)
	var out map[string]string
	require.NoError(t, json.Unmarshal(body, &out))
	return out
}

// digits matches a number with its separators, which depend on the language.
var digits = regexp.MustCompile(`\d[\d.,]*\d|\d`)

// numbers returns the numbers in a text without separators.
func numbers(text string) []string {
	var out []string
	for _, number := range digits.FindAllString(text, -1) {
		out = append(out, strings.NewReplacer(".", "", ",", "").Replace(number))
	}
	return out
}
