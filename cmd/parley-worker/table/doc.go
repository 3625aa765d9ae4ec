// Package table reads CSV files as people make them, and the sheets of workbooks: with any of four delimiters, in any of
// five encodings, with or without a header, with quotation marks that are never closed. It reads tables and finds the types
// of their columns; the command that uses it writes the database.
//
// A file is read twice. The first pass reads every cell, so that the type of a column is true for all of its rows and not
// guessed from the first rows. The second pass returns typed rows.
package table
