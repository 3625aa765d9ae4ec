package analyst

import "parley.dev/parley/domain"

// CSV writes a result as comma-separated text, with at most rows of its rows (a negative number means
// all). Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers.
func CSV(t *domain.ResultSet, rows int) string { return t.CSV(rows) }
