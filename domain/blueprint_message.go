package domain

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

const (
	// aboutMax and gistMax are how much of a description and of a step's instructions a
	// message contains, in characters.
	aboutMax = 400
	gistMax  = 160
)

// WriteInitialMessage generates a message from the blueprint: its description, a placeholder
// for each input, and what each step does. It is empty for a blueprint without any content.
func (b *Blueprint) WriteInitialMessage() string {
	var parts []string
	opening := "Please do the following."
	if name := strings.TrimSpace(b.Name); name != "" {
		opening = "Please work through " + quoteName(name) + "."
	}
	about := strings.Join(strings.Fields(b.Description), " ")
	if about != "" {
		opening += " " + sentence(shortened(about, aboutMax))
	}
	inputs := b.Inputs()
	if len(inputs) > 0 {
		var m strings.Builder
		m.WriteString("Use these values:")
		for _, in := range inputs {
			m.WriteString("\n- " + in.Name + ": {{" + in.Name + "}}")
		}
		parts = append(parts, m.String())
	}
	var steps []string
	for i := range b.Steps {
		if does := b.Steps[i].does(); does != "" {
			steps = append(steps, strconv.Itoa(len(steps)+1)+". "+does)
		}
	}
	if len(steps) > 0 {
		parts = append(parts, "Go through these steps in order:\n"+strings.Join(steps, "\n"), "Then sum up what you found and what it means.")
	}
	if len(parts) == 0 && about == "" && Blank(b.Name) {
		return ""
	}
	return Shorten(strings.Join(append([]string{opening}, parts...), "\n\n"), BlueprintTextMax)
}

// numbered matches the default name of a step.
var numbered = regexp.MustCompile(`(?i)^step\s*\d*$`)

// does says in a line what the step is for: its name, and the beginning of its
// instructions where that says more.
func (s *BlueprintStep) does() string {
	name := strings.TrimSpace(s.Name)
	gist := shortened(firstOf(s.DetailedInstructions), gistMax)
	switch {
	case gist != "":
	case !Blank(s.QAInstructions):
		gist = "make sure of this: " + shortened(firstOf(s.QAInstructions), gistMax)
	case !Blank(s.Code) && (name == "" || numbered.MatchString(name)):
		gist = "run its code"
	}
	switch {
	case gist == "":
		return name
	case name == "" || numbered.MatchString(name):
		return capital(gist)
	case strings.HasPrefix(strings.ToLower(gist), strings.ToLower(strings.TrimRight(name, "…. "))):
		return gist
	}
	return name + ": " + gist
}

// firstOf returns the first line of a text that is not blank.
func firstOf(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// shortened cuts a text between words, and never inside a placeholder.
func shortened(text string, limit int) string {
	short := Shorten(text, limit)
	if short == text {
		return text
	}
	if at := strings.LastIndexByte(short, ' '); at > len(short)/2 {
		short = short[:at]
	}
	if at := strings.LastIndex(short, "{{"); at > strings.LastIndex(short, "}}") {
		short = short[:at]
	}
	return strings.TrimRight(short, " .!?:;,") + "…"
}

// capital makes the first letter of a text a capital.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// quoteName puts a name into quotation marks.
func quoteName(name string) string { return "“" + strings.Trim(name, `"“”.`) + "”" }

// sentence makes a text a sentence: it begins with a capital and ends with a full stop.
func sentence(s string) string {
	if s = capital(s); strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}

// DraftFromConversation makes a blueprint from a conversation. It has a step for each
// prompt, in order, with the SQL that its turn ran; if the turn ran a plan, it has the steps
// of the plan instead. The agents and memories of these steps are left out, because the
// author may not be allowed to use them any more.
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
		// The last query is the one with the reported result; the others only led to it.
		if ran := byTurn[m.TurnID]; len(ran) > 0 && Length(ran[len(ran)-1]) <= BlueprintTextMax && !Blank(ran[len(ran)-1]) {
			step.Code, step.Language = &ran[len(ran)-1], "sql"
		}
		steps = append(steps, step)
	}
	name := titleOf(c)
	description := Shorten(strings.TrimSpace(c.Description), BlueprintDescriptionMax)
	if !saysMore(c, description) {
		description = describeSteps(name, steps)
	}
	labels := append([]int64{}, c.ProjectLabels...)
	return BlueprintDraft{
		Name: Shorten(name, BlueprintNameMax), Description: &description, DataSources: &sources, ProjectLabels: &labels, Steps: &steps,
	}
}

// draft returns the step as a draft for another blueprint.
func (s *PlanStep) draft() StepDraft {
	given := func(text string) *string {
		if Blank(text) {
			return nil
		}
		return &text
	}
	return StepDraft{
		Name: s.Name, DetailedInstructions: given(s.DetailedInstructions), QAInstructions: given(s.QAInstructions), Code: given(s.Code),
		Language: s.Language,
	}
}

// titleOf returns the conversation's name. If that is only the beginning of the first
// prompt, as it is until somebody renames it, the title has more of the prompt.
func titleOf(c *Conversation) string {
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Role == RoleUser && !Blank(m.Text) {
			if c.Name == DefaultConversationName || strings.HasPrefix(firstOf(m.Text), strings.TrimSpace(c.Name)) {
				return stepName(m.Text, 1)
			}
			break
		}
	}
	return c.Name
}

// stepName returns a short name for a prompt: its first line, cut between words.
func stepName(prompt string, number int) string {
	name := shortened(strings.TrimRight(firstOf(prompt), " .!?:;,"), 60)
	if Blank(name) {
		return "Step " + strconv.Itoa(number)
	}
	return capital(name)
}
