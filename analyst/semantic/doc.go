// Package semantic derives what the data of sources mean: what a row is, what each column is, what may be added up, and how
// tables are linked (domain/meaning). It reads measured facts, what people have said, the documents of the sources and the
// names of tables and columns, in this order of trust, and is pure: equal inputs give an equal meaning, so that nothing is
// stored and a better rule improves all sources at once. docs/meaning.md has its rules.
//
// The files: input.go and derive.go are the entry; names.go, words.go and words/ know names; document.go reads descriptions and
// dictionaries; roles.go, numbers.go, units.go, tables.go, defaults.go, snapshots.go, verbs.go and links.go derive one part each;
// correct.go applies what people said; path.go chooses how tables are joined; prompt.go describes a meaning to a model.
package semantic
