// Package columns says how people read the columns of a query's result: their names
// in words, their units, and what they are for. It reads what the sources' columns
// say of themselves and follows them through the query, so that the answer of every
// provider gets the same units, no matter who wrote the SQL. If it is not certain it
// gives none: a number without a unit is better than one with a wrong unit.
package columns
