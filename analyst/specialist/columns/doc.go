// Package columns decides how the columns of a query's result are shown: their names in
// words, their units, and their roles. It reads what is known about the sources' columns and
// follows them through the query, so that results have the same units with every model
// provider, no matter who wrote the SQL. If a unit is not certain, it is left out: a number
// without a unit is better than a number with a wrong unit.
package columns
