package guard

// Functional dependencies between values. A symbol represents a value that each row of a relation has: a column, an expression,
// or the identity of the base table's row from which it comes. A dependency holds in every relation above the operator that
// added it, so one store is enough for a plan.

import "slices"

// symbol identifies a value that each row has.
type symbol int

// dependency means that rows with equal values in from have equal values in to.
type dependency struct {
	from, to []symbol
	// requires holds identities of rows that an outer join may not find. The dependency holds only where one of them exists;
	// empty means always.
	requires []symbol
	// excludes holds identities of rows of the other branches of a union. The dependency does not hold where one of them
	// exists, such as after a GROUP BY whose groups contain rows of several branches.
	excludes []symbol
	// group is the identity of the groups to which it applies; 0 if it does not apply to groups.
	group symbol
	// literal marks constants of the statement, which an outer join does not turn into NULL.
	literal bool
	// unproven marks a dependency that may hold, such as from an expression to its only column. It is used only to distinguish
	// a proven fault from a doubt.
	unproven bool
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

// addEqual adds that two symbols have the same value in each row.
func (s *store) addEqual(a, b symbol) {
	s.add([]symbol{a}, b)
	s.add([]symbol{b}, a)
}

// closureInput is the input of a closure.
type closureInput struct {
	start []symbol
	// present are identities of rows that exist in every row of the relation.
	present []symbol
	// extra are dependencies that hold only for this closure, such as those of a FILTER.
	extra []dependency
	// unproven includes unproven dependencies.
	unproven bool
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

// closure returns all symbols that the start determines.
func (s *store) closure(q closureInput) set {
	known, there := make(set, s.next+1), make(set, s.next+1)
	for _, x := range q.start {
		known[x], there[x] = true, true
	}
	for _, x := range q.present {
		there[x] = true
	}
	// Each dependency is used once. The loop ends after a round that used none.
	done := make([]bool, len(s.deps)+len(q.extra))
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
				d = &q.extra[i-len(s.deps)]
			}
			if !known.all(d.from) {
				continue
			}
			done[i] = true
			if d.unproven && !q.unproven || !d.holds(there) {
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

// holds reports whether a dependency holds where the given rows exist.
func (d *dependency) holds(there set) bool {
	return (len(d.requires) == 0 || slices.ContainsFunc(d.requires, there.has)) && !slices.ContainsFunc(d.excludes, there.has)
}
