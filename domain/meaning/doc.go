// Package meaning has the types for what data mean: what one row of a table is, what each column is, what may be added up,
// and how tables are linked. A meaning is derived by analyst/semantic from the measured facts, the documents and the
// corrections of a data source; it is never stored, so that a better rule improves all sources at once.
package meaning
