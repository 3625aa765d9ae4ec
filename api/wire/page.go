package wire

import (
	"net/url"
	"strconv"

	"parley.dev/parley/domain"
)

// Page is the answer of every list.
type Page[T any] struct {
	Results    []T        `json:"results" nullable:"false" doc:"The entries of this page."`
	Pagination Pagination `json:"pagination" doc:"The position of the page in the list."`
}

// Pagination says how many entries there are, and contains links to the neighbouring pages.
// The links are relative URLs, ready to use.
type Pagination struct {
	Count    int     `json:"count" doc:"The number of entries on all pages."`
	Next     *string `json:"next" doc:"The relative URL of the next page; null for the last page."`
	Previous *string `json:"previous" doc:"The relative URL of the previous page; null for the first page."`
}

// NewPage converts a list and makes the links, which have the same path and query with
// another page number.
func NewPage[D, W any](list domain.List[D], page domain.Page, self url.URL, convert func(*D) W) Page[W] {
	out := Page[W]{Results: make([]W, 0, len(list.Results))}
	for i := range list.Results {
		out.Results = append(out.Results, convert(&list.Results[i]))
	}
	out.Pagination.Count = list.Count
	if page.Offset()+len(list.Results) < list.Count && len(list.Results) > 0 {
		out.Pagination.Next = pageLink(self, page.Number+1)
	}
	if page.Number > 1 {
		// After the end of the list it leads to the last page that has entries.
		last := max((list.Count+page.Size-1)/max(page.Size, 1), 1)
		out.Pagination.Previous = pageLink(self, min(page.Number-1, last))
	}
	return out
}

// Whole returns the page of a list that is not paged.
func Whole[D, W any](entries []D, convert func(*D) W) Page[W] {
	out := Page[W]{Results: make([]W, 0, len(entries)), Pagination: Pagination{Count: len(entries)}}
	for i := range entries {
		out.Results = append(out.Results, convert(&entries[i]))
	}
	return out
}

// pageLink keeps the caller's own spelling of every other parameter.
func pageLink(self url.URL, number int) *string {
	query := self.Query()
	query.Set("page", strconv.Itoa(number))
	link := self.Path + "?" + query.Encode()
	return &link
}
