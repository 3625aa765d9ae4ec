// Package specialist makes what is shown in addition to an analyst's text: charts, from a result's
// columns and types, and formatted numbers. It uses only the data of results and no model, so
// everything that it shows is from the record of the tools.
package specialist
