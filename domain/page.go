package domain

// MaxPageSize caps every list; a larger request is answered with this many.
const MaxPageSize = 1000

// Page selects one page of a list. Number starts at 1.
type Page struct {
	Number int
	Size   int
}

// Offset is the number of rows before the page.
func (p Page) Offset() int { return (p.Number - 1) * p.Size }

// List is one page of results and the number of all of them.
type List[T any] struct {
	Results []T
	Count   int
	// LogHead is the seq of the newest entry of the caller's own log when the list was read:
	// the list includes the changes of every entry up to it, and of none after it. It is 0
	// for lists whose changes are not in the log.
	LogHead int64
}
