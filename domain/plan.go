package domain

// Plan is what a turn that runs a blueprint has to do. It is a copy of the blueprint that is
// made when the turn starts, so that an edit does not change a running turn.
// It is stored with the turn as JSON; its names are part of the schema.
type Plan struct {
	BlueprintID int64      `json:"blueprintId"`
	Blueprint   string     `json:"blueprint"` // its name at that time
	Steps       []PlanStep `json:"steps"`
}

// PlanStep is one step of a plan. The placeholders of inputs are already replaced.
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

// PromptPlan is the effect of a blueprint on a prompt in an existing conversation.
type PromptPlan struct {
	Plan *Plan // nil for a blueprint without steps
	// DataSources are the blueprint's data sources that the caller may use, for a
	// conversation without data sources.
	DataSources []int64
}
