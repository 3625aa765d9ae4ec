// Package scale fills a separate organisation with as much data as a big customer has, for
// measurements. SQL statements (queries) insert the rows, from random values that a seed
// determines, in the form in which the engine would leave them. scaledb is generated from
// this SQL. The product does not use this package.
package scale
