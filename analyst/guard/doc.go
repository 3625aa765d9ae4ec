// Package guard judges what a statement adds up. It walks the engine's bound plan of the statement, in which every column is
// traced to its table, and knows from exact facts which columns determine a row. A total that counts a row several times, adds
// up a level over time, adds up rates or mixes currencies is a fault. What the walk does not know is unchecked, and never
// counts as checked.
//
// The walk (walk.go) turns each operator into a relation: columns, and the rows that they come from (relation.go). It keeps
// functional dependencies between them (closure.go), and tests one thing at every aggregate (aggregate.go): do the rows that
// the argument comes from, together with the groups, determine all other rows of the relation? If not, the argument is repeated
// once for each of the other rows.
//
// The package only computes: it has no engine and reads nothing. Its caller runs the control queries (control.go), which return
// the correct total for a wrong one.
package guard
