package domain

// MaxPageSize caps every list; a larger request is answered with this many.
const MaxPageSize = 1000

// Page asks for one page of a list. Number starts at 1.
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
	// LogHead is the seq of the newest entry of the caller's own log at the moment of
	// the list: the list knows of every entry up to there, and of none after it. Lists
	// that the log does not tell of leave it 0.
	LogHead int64
}
