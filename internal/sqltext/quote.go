package sqltext

import "strings"

// QuoteName writes any text as a quoted name. Like QuoteText it writes the standard's form, which all dialects share that are
// used here: a session of Postgres has standard_conforming_strings on.
func QuoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// QuoteText writes any text as a string literal.
func QuoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
