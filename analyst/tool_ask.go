package analyst

// The tool ask_person: it ends the turn with a question to the person. Each option is a complete prompt, so the next turn needs
// no knowledge of this one.

import (
	"context"
	"strings"

	"parley.dev/parley/domain"
)

// AskPersonArgs are the arguments of ask_person.
type AskPersonArgs struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
}

// Limits of a question, in characters; the web shows lines up to optionMax as buttons.
const (
	questionMax = 500
	optionMax   = 200
	optionsMax  = 3
)

// optionsHeading is the line above the options. The web shows the list that follows it as buttons
// (web/src/components/transcript/offered.ts); other clients show the list.
const optionsHeading = "You could answer:"

const askPersonSchema = `{"type":"object","properties":{"question":{"type":"string"},"options":{"type":"array","items":{"type":"string"},` +
	`"minItems":2,"maxItems":3,"description":"whole questions that the person may ask instead, each complete without this conversation"}},` +
	`"required":["question","options"],"additionalProperties":false}`

// askPerson checks a question. Then show shows it, and addToolResult ends the turn.
func (r *run) askPerson(_ context.Context, a AskPersonArgs) (*toolOutput, error) {
	question := strings.TrimSpace(domain.Clean(a.Question))
	switch {
	case r.planStep != nil:
		return nil, domain.Errorf(domain.CodeInvalid, "Nobody can be asked within a plan. Choose the likelier reading and say which one it is.")
	case r.asked:
		return nil, domain.Errorf(domain.CodeInvalid, "The person has already been asked in this turn.")
	case question == "" || len([]rune(question)) > questionMax:
		return nil, domain.Errorf(domain.CodeInvalid, "The question has 1 to %d characters.", questionMax)
	case len(a.Options) < 2 || len(a.Options) > optionsMax:
		return nil, domain.Errorf(domain.CodeInvalid, "Give 2 to %d options.", optionsMax)
	}
	text := question + "\n\n" + optionsHeading + "\n"
	seen := make(map[string]bool)
	for _, o := range a.Options {
		// An option is one line, so that it is one item of the list.
		option := strings.Join(strings.Fields(domain.Clean(o)), " ")
		switch {
		case option == "" || len([]rune(option)) > optionMax:
			return nil, domain.Errorf(domain.CodeInvalid, "An option has 1 to %d characters.", optionMax)
		case seen[strings.ToLower(option)]:
			return nil, domain.Errorf(domain.CodeInvalid, "The options must differ.")
		}
		seen[strings.ToLower(option)] = true
		text += "\n- " + option
	}
	return &toolOutput{Result: ToolResult{Text: "The person was asked. The turn ends here."}, Question: text}, nil
}

// showQuestion shows the question as the answer of the turn.
func (r *run) showQuestion(ctx context.Context, text string) error {
	if _, _, err := r.speech.say(ctx, ChannelAnswer, text); err != nil {
		return err
	}
	if err := r.speech.annotate(ctx, domain.Annotation{Grade: domain.GradeAsked}); err != nil {
		return err
	}
	return r.speech.close(ctx)
}
