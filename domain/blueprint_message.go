package domain

import (
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// WriteInitialMessage writes a message in plain words from what the blueprint
// says of itself, with a placeholder for each input.
func (b *Blueprint) WriteInitialMessage() string {
	var m strings.Builder
	if name := strings.TrimSpace(b.Name); name == "" {
		m.WriteString("Please do the following.")
	} else {
		m.WriteString("Please work through " + quoteName(name) + ".")
	}
	if about := strings.TrimSpace(b.Description); about != "" {
		m.WriteString(" " + sentence(about))
	}
	if inputs := b.Inputs(); len(inputs) > 0 {
		m.WriteString("\n\nUse these values:")
		for _, in := range inputs {
			m.WriteString("\n- " + in.Name + ": {{" + in.Name + "}}")
		}
	}
	var steps []string
	for i := range b.Steps {
		if name := strings.TrimSpace(b.Steps[i].Name); name != "" {
			steps = append(steps, strconv.Itoa(len(steps)+1)+". "+name)
		}
	}
	if len(steps) > 0 {
		m.WriteString("\n\nGo through these steps in order:\n" + strings.Join(steps, "\n"))
		m.WriteString("\n\nThen sum up what you found and what it means.")
	}
	return Shorten(m.String(), BlueprintTextMax)
}

// quoteName puts a name into quotation marks.
func quoteName(name string) string { return "“" + strings.Trim(name, `"“”.`) + "”" }

// sentence gives a text an end.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// DraftFromConversation writes a blueprint from a conversation: a step for each
// prompt that stands, in their order, with the SQL that its turn ran; or, where
// the turn ran a plan, the steps of the plan. Their agents and memories, which
// the writer may have lost since, are left to be chosen anew.
func DraftFromConversation(c *Conversation, queries []TurnQuery, plans map[uuid.UUID]*Plan) BlueprintDraft {
	bySource, byTurn := map[int64]bool{}, map[uuid.UUID][]string{}
	for _, q := range queries {
		byTurn[q.Turn] = append(byTurn[q.Turn], strings.TrimRight(strings.TrimSpace(q.SQL), ";"))
	}
	steps, sources := []StepDraft{}, []int64{}
	add := func(ids []int64) {
		for _, id := range ids {
			if !bySource[id] {
				bySource[id] = true
				sources = append(sources, id)
			}
		}
	}
	add(c.DataSources)
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Role != RoleUser || Blank(m.Text) || len(steps) >= BlueprintStepsMax {
			continue
		}
		add(m.DataSources)
		if plan := plans[m.TurnID]; plan != nil {
			for i := range plan.Steps[:min(len(plan.Steps), BlueprintStepsMax-len(steps))] {
				steps = append(steps, plan.Steps[i].draft())
			}
			continue
		}
		text := Shorten(strings.TrimSpace(m.Text), BlueprintTextMax)
		step := StepDraft{Name: stepName(text, len(steps)+1), DetailedInstructions: &text}
		// The last query is the one whose result was told; the ones before were its way there.
		if ran := byTurn[m.TurnID]; len(ran) > 0 && Length(ran[len(ran)-1]) <= BlueprintTextMax && !Blank(ran[len(ran)-1]) {
			step.Code, step.Language = &ran[len(ran)-1], "sql"
		}
		steps = append(steps, step)
	}
	description := Shorten(strings.TrimSpace(c.Description), BlueprintDescriptionMax)
	if description == "" || description == DefaultConversationName {
		description = "Written from the conversation " + quoteName(c.Name) + "."
	}
	labels := append([]int64{}, c.ProjectLabels...)
	return BlueprintDraft{
		Name: Shorten(c.Name, BlueprintNameMax), Description: &description, DataSources: &sources, ProjectLabels: &labels, Steps: &steps,
	}
}

// draft is the step as one of another blueprint.
func (s *PlanStep) draft() StepDraft {
	given := func(text string) *string {
		if Blank(text) {
			return nil
		}
		return &text
	}
	return StepDraft{
		Name: s.Name, DetailedInstructions: given(s.DetailedInstructions), QAInstructions: given(s.QAInstructions), Code: given(s.Code), Language: s.Language,
	}
}

// stepName is a short name from a prompt: its first line, cut between words.
func stepName(prompt string, number int) string {
	line, _, _ := strings.Cut(prompt, "\n")
	line = strings.TrimRight(strings.TrimSpace(line), " .!?:;,")
	const most = 60
	if short := Shorten(line, most); short != line {
		if at := strings.LastIndexByte(short, ' '); at > most/2 {
			short = short[:at]
		}
		line = strings.TrimRight(short, " .!?:;,") + "…"
	}
	if Blank(line) {
		return "Step " + strconv.Itoa(number)
	}
	return line
}
