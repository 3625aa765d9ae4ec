// Package query is the tree of a question about data: what is counted or added up, of which rows, by what. It is made with
// constructors that refuse what would give a wrong figure, each with a sentence for people that names what can be asked
// instead. What may not be calculated cannot be built: Total takes an Amount, only Model.Number makes one, and for a level
// such as a stock it gives a Level.
//
// A tree prints as JSON (the journal of a turn), as an English sentence (Say) and as SQL (Compile, by Dialect). Each measure
// is aggregated at its own table before tables are put together, so that no join repeats what is added up.
//
// The files: model.go, path.go and column.go read a meaning; scalar.go, pred.go, measure.go, window.go, set.go, groups.go,
// rows.go, change.go and script.go are the tree; normal.go is its normal form; json.go reads it back; compile*.go and
// dialect*.go write SQL; say*.go write the sentence. docs/query-tree.md says how to add an operation.
package query
