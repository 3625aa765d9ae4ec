// Package analyst is how an answer is made: a turn is a loop in which a model
// sees the question and the data's shape, calls tools, reads what they gave and
// speaks. It is computation only: no mailbox, no SQL of ours, no transport. An
// actor (actors/turn) runs the Pipeline and is its Sink.
package analyst
