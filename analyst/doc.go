// Package analyst creates answers: a turn is a loop in which a model sees the question and the schema
// of the data, calls tools, reads their results and writes text. The package only computes: it has no
// mailbox, no database of its own, no transport. An actor (actors/turn) runs the Pipeline and is its
// Sink.
package analyst
