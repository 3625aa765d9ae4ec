// Package specialist makes what stands beside an analyst's words from the data
// alone: charts from a result's columns and types, and formatted numbers. It
// knows no model, so whatever it shows comes from the tool record.
package specialist
