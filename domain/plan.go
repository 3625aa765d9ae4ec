package domain

// Plan is what a turn that runs a blueprint has to do: a copy of the blueprint
// made when the turn starts, so that an edit does not change a running turn.
// It is stored with the turn as JSON; its names are part of the schema.
type Plan struct {
	BlueprintID int64      `json:"blueprintId"`
	Blueprint   string     `json:"blueprint"` // its name at that time
	Steps       []PlanStep `json:"steps"`
}

// PlanStep is one step of a plan. Placeholders of inputs are filled in already.
type PlanStep struct {
	Number               int     `json:"number"` // from 1, without gaps
	Name                 string  `json:"name"`
	DetailedInstructions string  `json:"detailedInstructions,omitempty"`
	QAInstructions       string  `json:"qaInstructions,omitempty"`
	Code                 string  `json:"code,omitempty"`
	Language             string  `json:"language,omitempty"` // of Code; python when empty
	Memories             []int64 `json:"memories,omitempty"`
	AnalystID            int64   `json:"analystId,omitempty"` // 0: the agent of the turn
}

// PromptPlan is what a blueprint gives to a prompt of a conversation that is
// there already.
type PromptPlan struct {
	Plan *Plan // nil for a blueprint without steps
	// DataSources are those of the blueprint that the caller may use, for a
	// conversation that has none.
	DataSources []int64
}
