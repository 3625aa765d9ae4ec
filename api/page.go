package api

import "parley.dev/parley/domain"

type (
	// PageOf10 are the page parameters of a list with 10 entries per page by default.
	PageOf10 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"10"`
	}
	// PageOf25 are the page parameters of a list with 25 entries per page by default.
	PageOf25 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"25"`
	}
	// PageOf50 are the page parameters of a list with 50 entries per page by default. A page size above
	// the maximum means the maximum. It is exported because huma reads only exported embedded
	// structs.
	PageOf50 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"50"`
	}
	// PageOf100 are the page parameters of a list with 100 entries per page by default.
	PageOf100 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"100"`
	}
	// PageOf600 are the page parameters of a list with 600 entries per page by default.
	PageOf600 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"600"`
	}
	// PageOf1000 are the page parameters of a list with 1000 entries per page by default, which is
	// the maximum.
	PageOf1000 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"1000"`
	}
)

func (p PageOf10) page() domain.Page   { return newPage(p.Page, p.PageSize) }
func (p PageOf25) page() domain.Page   { return newPage(p.Page, p.PageSize) }
func (p PageOf50) page() domain.Page   { return newPage(p.Page, p.PageSize) }
func (p PageOf100) page() domain.Page  { return newPage(p.Page, p.PageSize) }
func (p PageOf600) page() domain.Page  { return newPage(p.Page, p.PageSize) }
func (p PageOf1000) page() domain.Page { return newPage(p.Page, p.PageSize) }

func newPage(number, size int) domain.Page {
	return domain.Page{Number: max(number, 1), Size: min(max(size, 1), domain.MaxPageSize)}
}

// window returns one page of a list that is in memory.
func window[T any](all []T, page domain.Page) domain.List[T] {
	list := domain.List[T]{Count: len(all)}
	if page.Offset() < len(all) {
		list.Results = all[page.Offset():min(page.Offset()+page.Size, len(all))]
	}
	return list
}
