// Package check makes the checks of an answer from its query tree, and judges its figures by them: a total against the sum of its
// groups, parts of a whole against 100 %, the periods of a level, counts, and what the values of one number must be to each other.
// It explains empty results. It is pure: it writes statements and reads results, and runs nothing.
//
//	plan.go    what is checked, made from a tree; it travels with the query
//	judge.go   the report on a result
//	total.go share.go level.go count.go bounds.go   one check each
//	empty.go   why a result is empty
//	say.go     every sentence for people
//
// The package guard judges the statement; this one judges the figures that came back.
package check
