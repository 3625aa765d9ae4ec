package guard

import "slices"

// Kind is what is wrong with a total.
type Kind string

// The kinds of faults.
const (
	// Repeated: rows of a join repeat what is counted.
	Repeated Kind = "repeated"
	// LevelSum: a level is added up over its periods.
	LevelSum Kind = "level"
	// RateSum: rates are added up.
	RateSum Kind = "rate"
	// EachValue: each different value is counted once, not each row.
	EachValue Kind = "distinct"
	// Mixed: values that a barrier separates are added up, such as of two currencies.
	Mixed Kind = "mixed"
)

// Kinds returns all kinds, as a model may accept them.
func Kinds() []Kind { return []Kind{Repeated, LevelSum, RateSum, EachValue, Mixed} }

// Fault is one total that is not what it seems.
type Fault struct {
	Kind Kind
	// Total is the aggregate as people read it: sum(departments.budget).
	Total string
	// Model says to a model what is wrong and how to mend the statement; People says it to a person, below the total.
	Model, People string
	// Control is the query of the true figure; nil if none is exact.
	Control *Control
}

// Verdict is what the guard says of a statement.
type Verdict struct {
	Faults []Fault
	// Unchecked are the reasons why something in it could not be judged.
	Unchecked []string
}

// add keeps a fault once: a common table expression is walked for each use of it.
func (v *Verdict) add(f Fault) {
	if !slices.ContainsFunc(v.Faults, func(o Fault) bool { return o.Kind == f.Kind && o.Model == f.Model }) {
		v.Faults = append(v.Faults, f)
	}
}

func (v *Verdict) unsure(why string) {
	if !slices.Contains(v.Unchecked, why) {
		v.Unchecked = append(v.Unchecked, why)
	}
}
