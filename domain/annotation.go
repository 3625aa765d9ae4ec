package domain

import "github.com/google/uuid"

// MessagePart is the function of an assistant's message in its turn.
type MessagePart string

// The parts of a turn.
const (
	// PartUnsaid means that the part is not known; the message is treated as the answer.
	PartUnsaid MessagePart = ""
	PartAnswer MessagePart = "answer"
	// PartWorking is text on the way to the answer: before a tool call, or in a check.
	PartWorking MessagePart = "working"
)

// Annotation is what is known about a message in addition to its text. It is built up in
// steps: Merge adds a later annotation to an earlier one.
type Annotation struct {
	Part MessagePart `json:"part,omitempty"`
	// PlanStep is the step of a blueprint that the message belongs to, from 1; 0 for none.
	PlanStep int `json:"planStep,omitempty"`
	// CaveatsAt is the byte offset in the text where the remarks on what the numbers leave
	// out begin; 0 for none.
	CaveatsAt int `json:"caveatsAt,omitempty"`
	// Figures are the numbers of the text that are cells of a table or are calculated from
	// cells, in the order of the text.
	Figures []Figure `json:"figures,omitempty"`
	// Table is the display object, of another message of the turn, that is the answer's table.
	Table uuid.UUID `json:"table,omitzero"`
	// FollowUps are questions that follow from the answer.
	FollowUps []string `json:"followUps,omitempty"`
	// Facts describe the turn that the message belongs to.
	Facts *TurnFacts `json:"facts,omitempty"`
}

// FigureOf says how a number of a text is calculated from the cells of a table.
type FigureOf string

// The calculations.
const (
	// FigureCell is the value of the cell itself.
	FigureCell FigureOf = ""
	// FigureRows is the number of rows of the table.
	FigureRows FigureOf = "rows"
	// FigureSum is the sum of the column over all rows.
	FigureSum FigureOf = "sum"
	// FigureGroupSum is the sum of the column over the rows with the same value in the
	// column Other as Row.
	FigureGroupSum FigureOf = "groupSum"
	// FigureShare is the cell in percent of the sum over all rows.
	FigureShare FigureOf = "share"
	// FigureDifference is the difference between the cell and the cell of the row Other.
	FigureDifference FigureOf = "difference"
	// FigureChange is this difference in percent of the cell of the row Other.
	FigureChange FigureOf = "change"
	// FigureTimes is the cell divided by the cell of the row Other.
	FigureTimes FigureOf = "times"
)

// Figure is a number of a text with the cell that it was read from, or the cells that it is
// calculated from.
type Figure struct {
	// Start and End are byte offsets in the message's text.
	Start int `json:"start"`
	End   int `json:"end"`
	// Object is the table; Row and Column are the position of the cell, from 0.
	Object uuid.UUID `json:"object"`
	Row    int       `json:"row"`
	Column int       `json:"column"`
	Of     FigureOf  `json:"of,omitempty"`
	// Other is the row to compare with, or the column that defines the group.
	Other int `json:"other,omitempty"`
}

// TurnFacts are the costs of a turn.
type TurnFacts struct {
	Queries int     `json:"queries"`
	Seconds float64 `json:"seconds"`
	Credits float64 `json:"credits"`
}

// IsZero reports whether the annotation is empty.
func (a *Annotation) IsZero() bool {
	return a.Part == PartUnsaid && a.PlanStep == 0 && a.CaveatsAt == 0 && len(a.Figures) == 0 &&
		a.Table == uuid.Nil && len(a.FollowUps) == 0 && a.Facts == nil
}

// Merge overwrites the fields of a that are set in b; the other fields stay.
func (a *Annotation) Merge(b *Annotation) {
	if b.Part != PartUnsaid {
		a.Part = b.Part
	}
	if b.PlanStep != 0 {
		a.PlanStep = b.PlanStep
	}
	if b.CaveatsAt != 0 {
		a.CaveatsAt = b.CaveatsAt
	}
	if len(b.Figures) > 0 {
		a.Figures = b.Figures
	}
	if b.Table != uuid.Nil {
		a.Table = b.Table
	}
	if len(b.FollowUps) > 0 {
		a.FollowUps = b.FollowUps
	}
	if b.Facts != nil {
		a.Facts = b.Facts
	}
}
