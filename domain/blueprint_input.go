package domain

import (
	"regexp"
	"strings"
	"unicode"
)

// Input is one input parameter of a blueprint.
type Input struct {
	Name string
	Hint string // the text after a colon; empty for none
}

// Inputs returns the parameters in their order. Two names with the same folded form are one
// parameter.
func (b *Blueprint) Inputs() []Input { return parseInputs(b.InputParameters) }

func parseInputs(lines string) []Input {
	var inputs []Input
	seen := map[string]bool{}
	for line := range strings.Lines(lines) {
		name, hint, _ := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		key := foldInput(name)
		if key == "" || seen[key] {
			continue
		}
		seen[key] = true
		inputs = append(inputs, Input{Name: name, Hint: strings.TrimSpace(hint)})
	}
	return inputs
}

// foldInput returns the form in which names are compared: Start date, start_date and
// startDate are equal, because clients may write the fields of a body in any of these ways.
func foldInput(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// placeholder matches {{Name}}, with or without spaces inside.
var placeholder = regexp.MustCompile(`\{\{([^{}\n]{1,200})\}\}`)

// values are the inputs of one start, by folded names.
type values map[string]string

// checkInputs returns the values of all parameters, or an error that says which are missing
// or invalid. Values that belong to no parameter are ignored.
func checkInputs(inputs []Input, given map[string]string) (values, error) {
	v := make(values, len(inputs))
	for name, value := range given {
		v[foldInput(name)] = value
	}
	var c Checks
	for _, in := range inputs {
		value := v[foldInput(in.Name)]
		c.Require(!Blank(value), "inputs."+in.Name, "Please enter "+in.Name+".")
		limit := cutAt("inputs."+in.Name, BlueprintTextMax)
		c.Require(Storable(value), limit.Field, errNotStorable)
		c.Require(short(value, limit.Most), limit.Field, in.Name+limit.In(" has at most {characters} characters."))
	}
	return v, c.Err()
}

// fill replaces the placeholders of known names, in one pass: a value that itself looks like
// a placeholder stays as it is. It adds the replaced names to used.
func (v values) fill(text string, used map[string]bool, quote func(string) string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		key := foldInput(found[2 : len(found)-2])
		value, ok := v[key]
		if !ok {
			return found
		}
		used[key] = true
		if quote != nil {
			return quote(value)
		}
		return value
	})
}

// quoteSQL makes a value safe inside a string of SQL, which O'Brien would otherwise end.
func quoteSQL(value string) string { return strings.ReplaceAll(value, "'", "''") }

// Start fills in the inputs. It returns the first message of the conversation and the plan
// of its turn, which is nil if there are no steps. Values that the message does not mention
// are appended, one per line, so that the analyst knows all of them. CodeInvalid for missing
// inputs, and for a blueprint with nothing to do.
func (b *Blueprint) Start(given map[string]string) (message string, plan *Plan, err error) {
	inputs := b.Inputs()
	v, err := checkInputs(inputs, given)
	if err != nil {
		return "", nil, err
	}
	if b.IsIdle() {
		return "", nil, Invalid("steps", ReasonIdleBlueprint)
	}
	message = b.InitialMessage
	if Blank(message) {
		message = b.WriteInitialMessage()
	}
	used := map[string]bool{}
	message = v.fill(message, used, nil)
	var rest strings.Builder
	for _, in := range inputs {
		if key := foldInput(in.Name); !used[key] {
			rest.WriteString("\n" + in.Name + ": " + v[key])
		}
	}
	if rest.Len() > 0 {
		message = strings.TrimRight(message, "\n") + "\n" + rest.String()
	}
	return message, b.plan(v), nil
}

// PlanFor returns the plan of a turn whose prompt a person wrote or edited, nil if there are
// no steps. Inputs that are not given are read from the prompt. CodeInvalid for inputs that
// are not in the prompt either.
func (b *Blueprint) PlanFor(prompt string, given map[string]string) (*Plan, error) {
	inputs := b.Inputs()
	all := b.readInputs(inputs, prompt)
	for name, value := range given {
		all[foldInput(name)] = value
	}
	v, err := checkInputs(inputs, all)
	if err != nil {
		return nil, err
	}
	return b.plan(v), nil
}

// plan fills the values into the steps.
func (b *Blueprint) plan(v values) *Plan {
	if len(b.Steps) == 0 {
		return nil
	}
	used := map[string]bool{}
	plan := &Plan{BlueprintID: b.ID, Blueprint: b.Name}
	for i := range b.Steps {
		s := &b.Steps[i]
		var quote func(string) string
		if strings.EqualFold(s.Language, "sql") {
			quote = quoteSQL
		}
		plan.Steps = append(plan.Steps, PlanStep{
			Number: i + 1, Name: v.fill(s.Name, used, nil), DetailedInstructions: v.fill(s.DetailedInstructions, used, nil),
			QAInstructions: v.fill(s.QAInstructions, used, nil), Code: v.fill(s.Code, used, quote), Language: s.Language,
			Memories: s.Memories, AnalystID: s.AnalystID,
		})
	}
	return plan
}

// readInputs reads values from a prompt, by their folded names: at the places of the
// placeholders in the blueprint's message, and from lines such as "Region: North".
func (b *Blueprint) readInputs(inputs []Input, prompt string) map[string]string {
	found := map[string]string{}
	if len(inputs) == 0 {
		return found
	}
	known := map[string]bool{}
	for _, in := range inputs {
		known[foldInput(in.Name)] = true
	}
	keep := func(key, value string) {
		value = strings.TrimSpace(value)
		// A placeholder that was not replaced is not a value.
		if known[key] && found[key] == "" && value != "" && !placeholder.MatchString(value) {
			found[key] = value
		}
	}
	for line := range strings.Lines(prompt) {
		name, value, ok := strings.Cut(strings.TrimLeft(line, " \t-*•"), ":")
		if ok {
			keep(foldInput(name), value)
		}
	}
	message := b.InitialMessage
	if Blank(message) {
		message = b.WriteInitialMessage()
	}
	for _, cut := range cutMessage(message, prompt) {
		keep(cut.key, cut.value)
	}
	return found
}
