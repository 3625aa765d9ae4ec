package guard

// What determines what. A symbol stands for a value that each row of a relation has: a column, an expression, or the
// identity of the row of a base table that it was made of. Functional dependencies between symbols hold in every relation
// above the operator that brought them, so one store is enough for a plan.

import "slices"

// symbol is a value that each row has.
type symbol int

// dependency says that rows with equal values in from have equal values in to.
type dependency struct {
	from, to []symbol
	// unless holds identities of rows that an outer join may have left out. The dependency holds only for rows that have
	// one of them; empty means always.
	unless []symbol
	// besides holds identities of rows of the other branches of a union. Where one of them is there as well, as after a
	// GROUP BY that puts the branches side by side, the dependency says nothing.
	besides []symbol
	// group is the identity of the groups whose rows it is about; 0 if it is about no groups.
	group symbol
	// fixed marks constants of the statement itself, which no join leaves out.
	fixed bool
	// guess marks a dependency that may hold and is not proven, such as from an expression back to its only column. It is
	// used only to tell a proven fault from a doubt.
	guess bool
}

// store keeps the dependencies of a plan.
type store struct {
	next symbol
	deps []dependency
}

// fresh returns a new symbol.
func (s *store) fresh() symbol {
	s.next++
	return s.next
}

// add adds a dependency.
func (s *store) add(from []symbol, to ...symbol) {
	s.deps = append(s.deps, dependency{from: from, to: to})
}

// equal says that two symbols have the same value in each row.
func (s *store) equal(a, b symbol) {
	s.add([]symbol{a}, b)
	s.add([]symbol{b}, a)
}

// question is what a closure begins with.
type question struct {
	start []symbol
	// present are identities of rows that no row of the relation lacks.
	present []symbol
	// more are dependencies that hold only for this question, such as those of a FILTER.
	more []dependency
	// guess takes unproven dependencies as well.
	guess bool
}

// set is a set of symbols.
type set []bool

func (s set) has(x symbol) bool { return int(x) < len(s) && s[x] }

func (s set) all(list []symbol) bool {
	for _, x := range list {
		if !s.has(x) {
			return false
		}
	}
	return true
}

// closure returns everything that the start determines.
func (s *store) closure(q question) set {
	known, there := make(set, s.next+1), make(set, s.next+1)
	for _, x := range q.start {
		known[x], there[x] = true, true
	}
	for _, x := range q.present {
		there[x] = true
	}
	// Each dependency is used once. The loop ends when a round has used none.
	done := make([]bool, len(s.deps)+len(q.more))
	for again := true; again; {
		again = false
		for i := range done {
			if done[i] {
				continue
			}
			var d *dependency
			if i < len(s.deps) {
				d = &s.deps[i]
			} else {
				d = &q.more[i-len(s.deps)]
			}
			if !known.all(d.from) {
				continue
			}
			done[i] = true
			if d.guess && !q.guess || !d.holds(there) {
				continue
			}
			again = true
			for _, x := range d.to {
				known[x] = true
			}
		}
	}
	return known
}

// holds reports whether the rows that a dependency needs are there.
func (d *dependency) holds(there set) bool {
	return (len(d.unless) == 0 || slices.ContainsFunc(d.unless, there.has)) && !slices.ContainsFunc(d.besides, there.has)
}
