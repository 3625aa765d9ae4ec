package domain

import "github.com/google/uuid"

// MessagePart says what an assistant's message is to its turn.
type MessagePart string

// The parts of a turn.
const (
	// PartUnsaid is that of a message of which nobody has said it: it is taken for the answer.
	PartUnsaid MessagePart = ""
	PartAnswer MessagePart = "answer"
	// PartWorking is what was said on the way to the answer: before a tool was called, or in a check.
	PartWorking MessagePart = "working"
)

// Annotation is what is known of a message beside its text. It grows by pieces:
// Merge says what a later one changes.
type Annotation struct {
	Part MessagePart `json:"part,omitempty"`
	// PlanStep is the step of a blueprint that the message belongs to, from 1; 0 for none.
	PlanStep int `json:"planStep,omitempty"`
	// CaveatsAt is where the remarks on what the numbers leave out begin, in bytes of
	// the text; 0 for none.
	CaveatsAt int `json:"caveatsAt,omitempty"`
	// Figures are the numbers of the text that are cells of a table, or follow from such, in the order of the text.
	Figures []Figure `json:"figures,omitempty"`
	// Table is the display object, of another message of the turn, that is the answer's table.
	Table uuid.UUID `json:"table,omitzero"`
	// FollowUps are questions that follow from the answer.
	FollowUps []string `json:"followUps,omitempty"`
	// Facts are those of the turn that the message answers.
	Facts *TurnFacts `json:"facts,omitempty"`
}

// FigureOf says how a number of a text follows from the cells of a table.
type FigureOf string

// The ways in which it does.
const (
	// FigureCell is that of a number that is a cell.
	FigureCell FigureOf = ""
	// FigureRows is how many rows the table has.
	FigureRows FigureOf = "rows"
	// FigureSum adds up the column, over all rows.
	FigureSum FigureOf = "sum"
	// FigureGroupSum adds up the column over the rows that have the same as Row in the column Other.
	FigureGroupSum FigureOf = "groupSum"
	// FigureShare is what the cell is of the sum over all rows, in percent.
	FigureShare FigureOf = "share"
	// FigureDifference is how far the cell is from that of the row Other.
	FigureDifference FigureOf = "difference"
	// FigureChange is the same in percent of the row Other's.
	FigureChange FigureOf = "change"
	// FigureTimes is the cell divided by that of the row Other.
	FigureTimes FigureOf = "times"
)

// Figure is a number of a text and the cell that it was read from, or the cells that
// it follows from.
type Figure struct {
	// Start and End are offsets in bytes of the message's text.
	Start int `json:"start"`
	End   int `json:"end"`
	// Object is the table, Row and Column the cell's place in it, from 0.
	Object uuid.UUID `json:"object"`
	Row    int       `json:"row"`
	Column int       `json:"column"`
	Of     FigureOf  `json:"of,omitempty"`
	// Other is the row that is compared with, or the column by which a group is added up.
	Other int `json:"other,omitempty"`
}

// TurnFacts are what a turn took.
type TurnFacts struct {
	Queries int     `json:"queries"`
	Seconds float64 `json:"seconds"`
	Credits float64 `json:"credits"`
}

// IsZero tells an annotation that says nothing.
func (a *Annotation) IsZero() bool {
	return a.Part == PartUnsaid && a.PlanStep == 0 && a.CaveatsAt == 0 && len(a.Figures) == 0 &&
		a.Table == uuid.Nil && len(a.FollowUps) == 0 && a.Facts == nil
}

// Merge takes what b says in place of what a has said of it; what b leaves out stays.
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
