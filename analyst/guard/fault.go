package guard

import "slices"

// Kind is the kind of a fault of a total.
type Kind string

// The kinds of faults.
const (
	// Repeated: a join repeats the rows that are counted.
	Repeated Kind = "repeated"
	// LevelSum: a level is added up over its periods.
	LevelSum Kind = "level"
	// RateSum: rates are added up.
	RateSum Kind = "rate"
	// EachValue: each different value is counted once, and not each row.
	EachValue Kind = "distinct"
	// Mixed: values that a barrier separates, such as two currencies, are added up.
	Mixed Kind = "mixed"
)

// Kinds returns all kinds, as a model may accept them.
func Kinds() []Kind { return []Kind{Repeated, LevelSum, RateSum, EachValue, Mixed} }

// Fault is one total that is wrong.
type Fault struct {
	Kind Kind
	// Total is the aggregate as people read it: sum(departments.budget).
	Total string
	// Model is the text for a model, with how to correct the statement; People is the text for a person.
	Model, People string
	// Control is the query of the correct figure; nil if no query is exact.
	Control *Control
}

// Verdict is the result of the judgement of a statement.
type Verdict struct {
	Faults []Fault
	// Unchecked are the reasons why a part of the statement could not be judged.
	Unchecked []string
}

// addFault adds a fault once, because a common table expression is walked for each use of it.
func (v *Verdict) addFault(f Fault) {
	if !slices.ContainsFunc(v.Faults, func(o Fault) bool { return o.Kind == f.Kind && o.Model == f.Model }) {
		v.Faults = append(v.Faults, f)
	}
}

func (v *Verdict) addUnchecked(why string) {
	if !slices.Contains(v.Unchecked, why) {
		v.Unchecked = append(v.Unchecked, why)
	}
}
