package domain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

// complaints returns the broken rules of an error, each as "field: message".
func complaints(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeInvalid, e.Code)
	out := []string{}
	for _, f := range e.Fields {
		out = append(out, f.Field+": "+f.Message)
	}
	return out
}

func text(s string) *string { return &s }

// The texts are from section 5 of the specification.
func TestBlueprintDraft_Validate(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", domain.BlueprintTextMax+1)
	step := func(d domain.StepDraft) domain.BlueprintDraft {
		return domain.BlueprintDraft{Name: "N", Steps: &[]domain.StepDraft{{Name: "A", Code: text("x")}, d}}
	}
	for name, c := range map[string]struct {
		draft domain.BlueprintDraft
		want  []string
	}{
		"OK": {domain.BlueprintDraft{
			Name: strings.Repeat("é", 80), Description: text(strings.Repeat("é", 5000)), InitialMessage: text(long[2:]),
			InputParameters: text(strings.Repeat("A\n\n", 200)),
			Steps: &[]domain.StepDraft{{
				Name: strings.Repeat("é", 80), DetailedInstructions: text(long[2:]), QAInstructions: text("q"),
				Code: text("c"),
			}},
		}, nil},
		"ErrNameRequired": {domain.BlueprintDraft{Name: " \u200b"}, []string{"name: Please enter the title."}},
		"ErrNameTooLong":  {domain.BlueprintDraft{Name: strings.Repeat("é", 81)}, []string{"name: The title has at most 80 characters."}},
		"ErrDescription": {
			domain.BlueprintDraft{Name: "N", Description: text(strings.Repeat("é", 5001))},
			[]string{"description: The description has at most 5,000 characters."},
		},
		"ErrInitialMessage": {
			domain.BlueprintDraft{Name: "N", InitialMessage: &long},
			[]string{"initialMessage: The initial message has at most 20,000 characters."},
		},
		"ErrInputs": {
			domain.BlueprintDraft{Name: "N", InputParameters: text(numbered(21))},
			[]string{"inputParameters: There can be at most 20 input parameters."},
		},
		"ErrInputName": {
			domain.BlueprintDraft{Name: "N", InputParameters: text(strings.Repeat("a", 81) + ": hint")},
			[]string{"inputParameters: The name of an input parameter has at most 80 characters."},
		},
		"ErrShare": {
			domain.BlueprintDraft{Name: "N", ShareWithOrganisation: true},
			[]string{"shareWithOrganization: Sharing with an organization is not available"},
		},
		"ErrTooManySteps": {domain.BlueprintDraft{Name: "N", Steps: make51()}, []string{"steps: A blueprint has at most 50 steps."}},
		"ErrStepTwice": {
			domain.BlueprintDraft{Name: "N", Steps: &[]domain.StepDraft{{ID: 3, Untouched: true}, {ID: 3, Untouched: true}}},
			[]string{"steps[1].id: The same step is given twice."},
		},
		"ErrStepNameRequired": {step(domain.StepDraft{Code: text("x")}), []string{"steps[1].name: Please enter step name."}},
		"ErrD09": {step(domain.StepDraft{Name: "B"}), []string{
			"steps[1].detailedInstructions: At least one of Detailed Instructions, QA Instructions, or Code must be provided.",
		}},
		"ErrShownAndMissing": {
			step(domain.StepDraft{Name: "B", DetailedInstructions: text(""), QAInstructions: text(""), Code: text("")}),
			[]string{
				"steps[1].detailedInstructions: Please enter step detailed instructions", "steps[1].qaInstructions: Please enter step QA " +
					"Instructions", "steps[1].code: Please enter code",
			},
		},
		"ErrShownAndBlank": {
			step(domain.StepDraft{Name: "B", DetailedInstructions: text(" "), QAInstructions: text("\n"), Code: text("\t")}),
			[]string{
				"steps[1].detailedInstructions: Detailed instructions cannot be empty", "steps[1].qaInstructions: QA Instructions cannot be empty",
				"steps[1].code: Code cannot be empty",
			},
		},
		"ErrTooLong": {step(domain.StepDraft{Name: "B", DetailedInstructions: &long, QAInstructions: &long, Code: &long}), []string{
			"steps[1].detailedInstructions: Detailed instructions have at most 20,000 characters.",
			"steps[1].qaInstructions: QA Instructions have at most 20,000 characters.", "steps[1].code: Code has at most 20,000 characters.",
		}},
		"ErrAllAtOnce": {
			domain.BlueprintDraft{ShareWithOrganisation: true, Steps: &[]domain.StepDraft{{Code: text("x")}}},
			[]string{
				"name: Please enter the title.", "shareWithOrganization: Sharing with an organization is not available",
				"steps[0].name: Please enter step name.",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, complaints(t, c.draft.Validate()))
		})
	}
}

func numbered(count int) string {
	var b strings.Builder
	for i := range count {
		b.WriteString("P" + strings.Repeat("x", i) + "\n")
	}
	return b.String()
}

func make51() *[]domain.StepDraft {
	steps := make([]domain.StepDraft, 51)
	for i := range steps {
		steps[i] = domain.StepDraft{Name: "S", Code: text("x")}
	}
	return &steps
}

func TestBlueprint_Inputs(t *testing.T) {
	t.Parallel()
	b := domain.Blueprint{InputParameters: "Region: where: exactly\r\n\n  Start date  \nstart_date: the same\n: nothing\n--\nJahr"}
	require.Equal(t, []domain.Input{{Name: "Region", Hint: "where: exactly"}, {Name: "Start date"}, {Name: "Jahr"}}, b.Inputs())
	require.True(t, b.NeedsInputs())
	b.InputParameters = " \n:\n"
	require.False(t, b.NeedsInputs())
}

func TestBlueprint_Start(t *testing.T) {
	t.Parallel()
	b := domain.Blueprint{
		ID: 7, Name: "Review", InputParameters: "Region\nStart date\nNote", InitialMessage: "Review {{region}} and {{ Region }}, not " +
			"{{Other}} or {{}}.\n",
		Steps: []domain.BlueprintStep{
			{Name: "In {{Region}}", DetailedInstructions: "From {{start_date}}", QAInstructions: "{{Note}}?", Memories: []int64{4}},
			{Name: "SQL", Code: "SELECT '{{Region}}'", Language: "SQL", AnalystID: 9},
			{Name: "Python", Code: "f('{{Region}}')", Language: "python"},
		},
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		message, plan, err := b.Start(map[string]string{"REGION": "L'Île {{Note}}", "startDate": "May", "Note": "x", "unknown": "y"})
		require.NoError(t, err)
		require.Equal(t, "Review L'Île {{Note}} and L'Île {{Note}}, not {{Other}} or {{}}.\n\nStart date: May\nNote: x", message,
			"placeholders in a value are not replaced")
		require.Equal(t, &domain.Plan{BlueprintID: 7, Blueprint: "Review", Steps: []domain.PlanStep{
			{Number: 1, Name: "In L'Île {{Note}}", DetailedInstructions: "From May", QAInstructions: "x?", Memories: []int64{4}},
			{Number: 2, Name: "SQL", Code: "SELECT 'L''Île {{Note}}'", Language: "SQL", AnalystID: 9},
			{Number: 3, Name: "Python", Code: "f('L'Île {{Note}}')", Language: "python"},
		}}, plan)
	})
	t.Run("WithoutSteps", func(t *testing.T) {
		t.Parallel()
		message, plan, err := (&domain.Blueprint{Name: "N", InitialMessage: "Hello"}).Start(nil)
		require.NoError(t, err)
		require.Equal(t, "Hello", message)
		require.Nil(t, plan)
	})
	t.Run("WithoutMessage", func(t *testing.T) {
		t.Parallel()
		message, _, err := (&domain.Blueprint{Name: "N", InputParameters: "A", Steps: b.Steps[2:]}).Start(map[string]string{"A": "1"})
		require.NoError(t, err)
		require.Contains(t, message, "- A: 1\n")
		require.NotContains(t, message, "{{")
	})
	t.Run("ErrMissing", func(t *testing.T) {
		t.Parallel()
		_, _, err := b.Start(map[string]string{"Region": "West", "Note": " "})
		require.Equal(t, []string{"inputs.Start date: Please enter Start date.", "inputs.Note: Please enter Note."}, complaints(t, err))
	})
	t.Run("ErrTooLong", func(t *testing.T) {
		t.Parallel()
		_, _, err := b.Start(map[string]string{"Region": strings.Repeat("x", domain.BlueprintTextMax+1), "Start date": "x", "Note": "x"})
		require.Len(t, complaints(t, err), 1)
	})
	t.Run("ErrNothingToDo", func(t *testing.T) {
		t.Parallel()
		_, _, err := (&domain.Blueprint{Name: "N"}).Start(nil)
		require.Len(t, complaints(t, err), 1)
	})
}

func TestBlueprint_WriteInitialMessage(t *testing.T) {
	t.Parallel()
	b := domain.Blueprint{
		Name: "Weekly review", Description: "How the week went", InputParameters: "Week: its number\nRegion",
		Steps: []domain.BlueprintStep{{Name: "Sales"}, {Name: " "}, {Name: "Returns"}},
	}
	require.Equal(t, `Please work through “Weekly review”. How the week went.

Use these values:
- Week: {{Week}}
- Region: {{Region}}

Go through these steps in order:
1. Sales
2. Returns

Then sum up what you found and what it means.`, b.WriteInitialMessage())
	require.Empty(t, (&domain.Blueprint{Steps: []domain.BlueprintStep{{Name: " "}}}).WriteInitialMessage(), "there is nothing to write")
	require.Equal(t, "Please do the following. About sales.", (&domain.Blueprint{Description: "about sales"}).WriteInitialMessage())

	// The line of a step has its name and the beginning of its instructions, unless one of them adds nothing.
	long := strings.Repeat("sales and returns ", 8)
	b = domain.Blueprint{Name: "Steps", InputParameters: "Region", Steps: []domain.BlueprintStep{
		{Name: "Step 1", DetailedInstructions: "\nshow sales in {{Region}}.\nBy month."},
		{DetailedInstructions: "List the worst ten products"},
		{Name: "Churn", DetailedInstructions: "Count who left in {{Region}}"},
		{Name: "Which regions grew", DetailedInstructions: "Which regions grew?"},
		{Name: "Sums", QAInstructions: "Do the regions add up?"},
		{Name: "Step 6", Code: "SELECT 1", Language: "sql"},
		{Name: "Cut", DetailedInstructions: long + "of all of {{Region}} and more"},
	}}
	require.Equal(t, `Please work through “Steps”.

Use these values:
- Region: {{Region}}

Go through these steps in order:
1. Show sales in {{Region}}.
2. List the worst ten products
3. Churn: Count who left in {{Region}}
4. Which regions grew?
5. Sums: make sure of this: Do the regions add up?
6. Run its code
7. Cut: `+long+`of all of…

Then sum up what you found and what it means.`, b.WriteInitialMessage())
}

func TestDraftFromConversation(t *testing.T) {
	t.Parallel()
	one, two := uuid.New(), uuid.New()
	c := &domain.Conversation{
		Name: "Sales", DataSources: []int64{3},
		Messages: []domain.Message{
			{Role: domain.RoleUser, TurnID: one, Text: "How did net sales develop by month?\nIn euros, please.", DataSources: []int64{3, 1}},
			{Role: domain.RoleAssistant, TurnID: one, Text: "They grew."},
			{Role: domain.RoleUser, TurnID: two, Text: "And which of all of our many regions had the highest share of them, year by year?"},
		},
	}
	d := domain.DraftFromConversation(c, []domain.TurnQuery{{Turn: one, SQL: "SELECT 1;"}, {Turn: one, SQL: " SELECT 2; "}}, nil)
	require.NoError(t, d.Validate())
	require.Equal(t, "Sales", d.Name)
	require.Equal(t, []int64{3, 1}, *d.DataSources)
	require.Nil(t, d.InputParameters)
	steps := *d.Steps
	require.Len(t, steps, 2)
	require.Equal(t, "How did net sales develop by month", steps[0].Name)
	require.Equal(t, c.Messages[0].Text, *steps[0].DetailedInstructions)
	require.Equal(t, "SELECT 2", *steps[0].Code)
	require.Equal(t, "sql", steps[0].Language)
	require.Equal(t, "And which of all of our many regions had the highest share…", steps[1].Name)
	require.Nil(t, steps[1].Code)

	// A name that is only the beginning of the first prompt is completed.
	for _, name := range []string{domain.DefaultConversationName, "How did net sales dev"} {
		named := *c
		named.Name = name
		d = domain.DraftFromConversation(&named, nil, nil)
		require.Equal(t, "How did net sales develop by month", d.Name)
	}

	plan := &domain.Plan{Steps: []domain.PlanStep{
		{Name: "Count", Code: "SELECT 3", Language: "sql", AnalystID: 4},
		{Name: "Look", DetailedInstructions: "Look at it.", QAInstructions: "Is it all?"},
	}}
	d = domain.DraftFromConversation(c, []domain.TurnQuery{{Turn: one, SQL: "SELECT 1"}, {Turn: two, SQL: "SELECT 3"}},
		map[uuid.UUID]*domain.Plan{two: plan})
	require.NoError(t, d.Validate())
	sql, look, check := "SELECT 3", "Look at it.", "Is it all?"
	require.Equal(t, []domain.StepDraft{
		{Name: "Count", Code: &sql, Language: "sql"},
		{Name: "Look", DetailedInstructions: &look, QAInstructions: &check},
	}, (*d.Steps)[1:])
}

func TestBlueprint_PlanFor(t *testing.T) {
	t.Parallel()
	b := domain.Blueprint{
		ID: 7, Name: "Review", InputParameters: "Region\nStart date", InitialMessage: "Look at {{Region}} from {{Start date}} on, please.",
		Steps: []domain.BlueprintStep{{Name: "One", DetailedInstructions: "{{region}} since {{start_date}}"}},
	}
	for name, tt := range map[string]struct {
		prompt string
		given  map[string]string
		want   string
	}{
		"OKMessage":          {"Look at the far North\n from May on, please.", nil, "the far North since May"},
		"OKMessageAndMore":   {"Look at North from May on, please.\n\nAnd be brief.", nil, "North since May"},
		"OKLines":            {"Do it:\n- region: North\n  Start_date:  May 2025 ", nil, "North since May 2025"},
		"OKGivenValuesFirst": {"Region: North\nStart date: May", map[string]string{"startDate": "June"}, "North since June"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plan, err := b.PlanFor(tt.prompt, tt.given)
			require.NoError(t, err)
			require.Equal(t, int64(7), plan.BlueprintID)
			require.Equal(t, tt.want, plan.Steps[0].DetailedInstructions)
		})
	}
	t.Run("OKInTheMiddleOfWords", func(t *testing.T) {
		t.Parallel()
		b := b
		b.InitialMessage = "Sales of {{Region}} for {{Start date}}:  all"
		plan, err := b.PlanFor("Sales of California for  May:\n all  \n", nil)
		require.NoError(t, err)
		require.Equal(t, "California since May", plan.Steps[0].DetailedInstructions)
	})
	t.Run("OKUntilTheLineEnds", func(t *testing.T) {
		t.Parallel()
		b := b
		b.InitialMessage = "{{Region}}, since {{Start date}}"
		plan, err := b.PlanFor("\n Süd, since May. 2025 \n\nBe brief. since then", nil)
		require.NoError(t, err)
		require.Equal(t, "Süd since May. 2025", plan.Steps[0].DetailedInstructions)
	})
	for name, message := range map[string]string{
		"NothingBetween": "{{Region}} {{Start date}}", "OtherBeginning": "See {{Region}} and {{Start date}}",
		"OtherEnd": "Look at {{Region}} since {{Start date}} now",
	} {
		t.Run("Err"+name, func(t *testing.T) {
			t.Parallel()
			b := b
			b.InitialMessage = message
			_, err := b.PlanFor("Look at North since May", nil)
			require.Len(t, complaints(t, err), 2)
		})
	}
	t.Run("ErrMissing", func(t *testing.T) {
		t.Parallel()
		_, err := b.PlanFor("Look at {{Region}} from May on, please.", nil)
		require.Equal(t, []string{"inputs.Region: Please enter Region."}, complaints(t, err), "a placeholder is not a value")
	})
	t.Run("WithoutSteps", func(t *testing.T) {
		t.Parallel()
		plan, err := (&domain.Blueprint{Name: "N", InitialMessage: "Hello"}).PlanFor("Hello", nil)
		require.NoError(t, err)
		require.Nil(t, plan)
	})
}

// BenchmarkBlueprint_PlanFor compares the longest message, with as many placeholders as fit into
// it, with the longest prompts. An algorithm that tries all ways to split the prompt takes minutes
// for each of them.
func BenchmarkBlueprint_PlanFor(b *testing.B) {
	prompts := map[string]string{
		"letters": strings.Repeat("a", 64_000), "stops": strings.Repeat("a.", 32_000),
		"blanks": strings.Repeat("a ", 32_000),
	}
	for name, prompt := range prompts {
		b.Run(name, func(b *testing.B) {
			blueprint := domain.Blueprint{
				Name: "N", InputParameters: "x", InitialMessage: strings.Repeat("{{x}}a", domain.BlueprintTextMax/6) + "b",
				Steps: []domain.BlueprintStep{{Name: "One"}},
			}
			for b.Loop() {
				_, _ = blueprint.PlanFor(prompt, map[string]string{"x": "1"}) // whether the prompt has the values does not matter
			}
		})
	}
}

// TestBlueprint_PlanFor_AnyMessage checks that the values are found in every prompt that is the
// message with values instead of placeholders, whatever text is around them.
func TestBlueprint_PlanFor_AnyMessage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-zäß]{1,6}( [a-zäß]{1,6})?`)
		value := rapid.StringMatching(`[A-Z0-9]{1,6}([ \n]{1,2}[A-Z0-9]{1,6})?`)
		message, prompt, lines := "", "", ""
		want := map[string]string{}
		for i := range rapid.IntRange(1, 5).Draw(t, "placeholders") {
			text := word.Draw(t, "text") + rapid.SampledFrom([]string{" ", ": ", ", "}).Draw(t, "end")
			name := fmt.Sprintf("in%d", i)
			want[name] = value.Draw(t, "value")
			message += text + "{{" + name + "}} "
			prompt += strings.ReplaceAll(text, " ", rapid.SampledFrom([]string{" ", "\n", "  "}).Draw(t, "space")) + want[name] + " "
			lines += name + "\n"
		}
		message, prompt = message+"end.", prompt+"end."
		b := domain.Blueprint{Name: "N", InputParameters: lines, InitialMessage: message, Steps: []domain.BlueprintStep{{Name: "One"}}}
		for i := range len(want) {
			b.Steps[0].DetailedInstructions += fmt.Sprintf("{{in%d}};", i)
		}
		plan, err := b.PlanFor(prompt, nil)
		require.NoError(t, err, "%q in %q", message, prompt)
		all := ""
		for i := range len(want) {
			all += want[fmt.Sprintf("in%d", i)] + ";"
		}
		require.Equal(t, all, plan.Steps[0].DetailedInstructions)
	})
}
