package domain

import (
	"strconv"
	"strings"
)

// describedMost is how many steps a written description names; of more it says
// how many there are, for lists show a line or two of it.
const describedMost = 5

// askedMax is how much of the only question is told.
const askedMax = 300

// saysMore tells whether a conversation's description says what its name and its
// first prompt do not. A conversation that begins with a question has the
// beginning of the question for both, until somebody writes something else.
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

// describeSteps says what a blueprint that was written from a conversation does:
// what was asked, in its order. Nothing of what was found is told: who may use
// the blueprint need not be somebody who may see that.
func describeSteps(title string, steps []StepDraft) string {
	if len(steps) == 1 {
		return describeStep(title, &steps[0])
	}
	told := make([]string, 0, describedMost+1)
	for i := range steps[:min(len(steps), describedMost)] {
		told = append(told, strings.TrimRight(steps[i].Name, " .!?:;,"))
	}
	if more := len(steps) - len(told); more > 0 {
		told = append(told, "and "+strconv.Itoa(more)+" more")
	}
	return sentence(strconv.Itoa(len(steps)) + " steps from a conversation: " + strings.Join(told, "; "))
}

// describeStep says what a blueprint of a single step does: what was asked,
// where that is more than the title.
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
