// Package table reads CSV files as people make them: any of four delimiters,
// any of five encodings, with a header or none, with quotes that do not close.
// It only reads and judges; the command around it writes the database.
//
// A file is read twice. The first pass looks at every cell, so that a column's
// type is a fact about all of its rows and not a guess from the first ones; the
// second gives typed rows.
package table
