// Package scale fills an organisation of its own with as much as a big customer has,
// to measure with. Its rows are made by SQL (queries), from what is drawn from a seed,
// and look as the engine leaves them; scaledb is generated from the SQL. The product
// knows nothing of it.
package scale
