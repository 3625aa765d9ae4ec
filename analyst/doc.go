// Package analyst makes answers: a turn is a loop in which a model sees the question and the
// schema of the data, calls tools, reads their results and writes text. It is computation
// only: no mailbox, no database of ours, no transport. An actor (actors/turn) runs the
// Pipeline and is its Sink.
package analyst
