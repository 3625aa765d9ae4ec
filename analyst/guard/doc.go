// Package guard judges what a statement adds up. It walks the engine's own bound plan of the statement, in which every
// column is traced to its table, and knows from exact facts which columns determine a row. A total that counts a row
// several times, adds up a level over time, adds up rates or mixes currencies is a fault. What the walk does not know is
// unchecked, and is never passed as checked.
//
// The walk (walk.go) turns each operator into a relation: columns, and the rows that they come from (relation.go). What
// determines what is kept as functional dependencies, and one question is asked of them at every aggregate (aggregate.go):
// do the rows that the argument comes from, together with the groups, determine all other rows of the relation? If they
// do not, the argument is there once for each of the others (closure.go).
//
// The package computes only: it has no engine and reads nothing. Its caller runs the control queries (control.go) that
// give the true total beside a wrong one.
package guard
