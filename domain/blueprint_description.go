package domain

import (
	"strconv"
	"strings"
)

// describedMax is how many steps a generated description names. It only counts further
// steps, because lists show only a line or two of the description.
const describedMax = 5

// askedMax is how much of the only question the description contains, in characters.
const askedMax = 300

// saysMore reports whether a conversation's description says more than its name and its
// first prompt. Until somebody writes something else, both name and description are the
// beginning of the first prompt.
func saysMore(c *Conversation, description string) bool {
	text := strings.TrimSpace(strings.TrimSuffix(description, "…"))
	if text == "" || text == DefaultConversationName || text == strings.TrimSpace(strings.TrimSuffix(c.Name, "…")) {
		return false
	}
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Role == RoleUser && !Blank(m.Text) {
			return !strings.HasPrefix(firstOf(m.Text), text)
		}
	}
	return true
}

// describeSteps describes a blueprint that was made from a conversation: what was asked, in
// order. It does not contain results, because the people who use the blueprint may not be
// allowed to see them.
func describeSteps(title string, steps []StepDraft) string {
	if len(steps) == 1 {
		return describeStep(title, &steps[0])
	}
	names := make([]string, 0, describedMax+1)
	for i := range steps[:min(len(steps), describedMax)] {
		names = append(names, strings.TrimRight(steps[i].Name, " .!?:;,"))
	}
	if more := len(steps) - len(names); more > 0 {
		names = append(names, "and "+strconv.Itoa(more)+" more")
	}
	return sentence(strconv.Itoa(len(steps)) + " steps from a conversation: " + strings.Join(names, "; "))
}

// describeStep describes a blueprint with a single step: what was asked, if that is more
// than the title.
func describeStep(title string, step *StepDraft) string {
	kind := "One step from a conversation"
	if step.Code != nil {
		kind += ", with the code that answered it"
	}
	asked := step.Name
	if step.DetailedInstructions != nil {
		asked = shortened(strings.Join(strings.Fields(*step.DetailedInstructions), " "), askedMax)
	}
	if strings.EqualFold(strings.TrimRight(asked, " .!?:;,"), strings.TrimRight(title, " .!?:;,")) {
		return kind + "."
	}
	return sentence(kind + ": " + asked)
}
