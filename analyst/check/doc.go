// Package check creates the checks of an answer from its query tree and judges its figures: a total against the sum of its
// groups, parts of a whole against 100 %, the periods of a level, counts, and relations between statistics of one column. It
// explains empty results. The package only computes: it writes statements and reads results, but runs no queries.
//
//	plan.go    what is checked, created from a query tree; it is sent with the query
//	judge.go   the report on a result
//	total.go share.go level.go count.go bounds.go again.go repeat.go   one check each
//	empty.go   why a result is empty
//	say.go     all texts for people
//
// The package guard judges the statement; this package judges the figures of its result.
package check
