// Package querytest is for the tests of analyst/query: tables with random rows and their meaning (world.go), random questions
// about them (trees.go), and an oracle (oracle.go) that answers a question by walking the rows in memory. The oracle reads the
// JSON of a tree and knows nothing of SQL, so that it and the engines agree only if both are right.
package querytest
