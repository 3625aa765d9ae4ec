package domain

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"parley.dev/parley/domain/meaning"
)

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
	// Assumptions are what the answer took of the data although nobody said so; at most AssumptionsMax.
	Assumptions []Assumption `json:"assumptions,omitempty"`
	// Grade says what the answer rests on.
	Grade Grade `json:"grade,omitempty"`
	// Checks are what was checked of the figures, in the order in which people read them; at most AnswerChecksMax.
	Checks []AnswerCheck `json:"checks,omitempty"`
	// Facts describe the turn that the message belongs to.
	Facts *TurnFacts `json:"facts,omitempty"`
}

// AnswerChecksMax is the maximum number of checks of an answer: each kind is there once.
const AnswerChecksMax = 8

// AnswerCheck is one kind of check of an answer's figures and what came of it.
type AnswerCheck struct {
	Kind    string `json:"kind"`
	Outcome string `json:"outcome"`
	// Note says more, as people read it; empty if there is nothing to add.
	Note string `json:"note,omitempty"`
}

// The kinds of checks in addition to those of the figures (package check).
const (
	// CheckRows: no row is counted twice, and nothing is added up that does not add up.
	CheckRows = "rows"
)

// What came of a check.
const (
	CheckPassed    = "passed"
	CheckFailed    = "failed"
	CheckSkipped   = "skipped"
	CheckUnchecked = "unchecked"
)

// The limits of the assumptions of an answer.
const (
	AssumptionsMax      = 3
	AssumptionOthersMax = 3
)

// Assumption is something that an answer took of the data and that a correction can change.
type Assumption struct {
	// Source, Table and Column are those of the correction; Column is empty for the time of a table.
	Source int64  `json:"source"`
	Table  string `json:"table"`
	Column string `json:"column,omitempty"`
	// Step is the distance of the periods of a level; empty for all else, and if it is none of them.
	Step meaning.Step `json:"step,omitempty"`
	// Taken is what was taken, and Others is what can be said instead; at most AssumptionOthersMax.
	Taken  Statement   `json:"taken"`
	Others []Statement `json:"others"`
}

// Statement is the field and the value of a correction.
type Statement struct {
	Field meaning.Field `json:"field"`
	Value string        `json:"value"`
}

// Validate checks the assumptions, which come from a provider. All else is checked where it is read.
func (a *Annotation) Validate() error {
	if n := len(a.Assumptions); n > AssumptionsMax {
		return fmt.Errorf("an answer has %d assumptions, and at most %d are allowed", n, AssumptionsMax)
	}
	for i := range a.Assumptions {
		if err := a.Assumptions[i].validate(); err != nil {
			return fmt.Errorf("assumption %d: %w", i+1, err)
		}
	}
	return nil
}

func (a *Assumption) validate() error {
	if a.Source <= 0 || a.Table == "" {
		return errors.New("it names no table of a data source")
	}
	if n := len(a.Others); n == 0 || n > AssumptionOthersMax {
		return fmt.Errorf("it has %d alternatives, and must have 1 to %d", n, AssumptionOthersMax)
	}
	if !slices.Contains([]meaning.Step{"", meaning.Day, meaning.Week, meaning.Month, meaning.Quarter, meaning.Year}, a.Step) {
		return fmt.Errorf("the step %q is unknown", a.Step)
	}
	for _, s := range append([]Statement{a.Taken}, a.Others...) {
		if (a.Column == "") != ofTable(s.Field) {
			return fmt.Errorf("the field %q does not fit the column %q", s.Field, a.Column)
		}
		n := NewCorrection{Table: a.Table, Column: a.Column, Field: s.Field, Value: s.Value}
		if err := n.Validate(); err != nil {
			return fmt.Errorf("%s %q: %w", s.Field, s.Value, err)
		}
	}
	return nil
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
		a.Table == uuid.Nil && len(a.FollowUps) == 0 && len(a.Assumptions) == 0 && a.Grade == GradeUnsaid && len(a.Checks) == 0 && a.Facts == nil
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
	if len(b.Assumptions) > 0 {
		a.Assumptions = b.Assumptions
	}
	if b.Grade != GradeUnsaid {
		a.Grade = b.Grade
	}
	if len(b.Checks) > 0 {
		a.Checks = b.Checks
	}
	if b.Facts != nil {
		a.Facts = b.Facts
	}
}
