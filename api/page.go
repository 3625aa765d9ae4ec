package api

import "parley.dev/parley/domain"

type (
	// PageOf10 has 10 entries a page.
	PageOf10 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"10" doc:"At most 1000; a larger one is answered with 1000."`
	}
	// PageOf25 has 25 entries a page.
	PageOf25 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"25" doc:"At most 1000; a larger one is answered with 1000."`
	}
	// PageOf50 are the page parameters of a list with 50 entries a page. A page size above
	// the maximum means the maximum. It is exported because huma reads only exported
	// embedded structs.
	PageOf50 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"50" doc:"At most 1000; a larger one is answered with 1000."`
	}
	// PageOf100 has 100 entries a page.
	PageOf100 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"100" doc:"At most 1000; a larger one is answered with 1000."`
	}
	// PageOf600 has 600 entries a page.
	PageOf600 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"600" doc:"At most 1000; a larger one is answered with 1000."`
	}
	// PageOf1000 has as many entries a page as a page may have.
	PageOf1000 struct {
		Page     int `query:"page" minimum:"1" maximum:"1000000" default:"1"`
		PageSize int `query:"pageSize" minimum:"1" default:"1000" doc:"At most 1000; a larger one is answered with 1000."`
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

// window is one page of a list that is held in memory.
func window[T any](all []T, page domain.Page) domain.List[T] {
	list := domain.List[T]{Count: len(all)}
	if page.Offset() < len(all) {
		list.Results = all[page.Offset():min(page.Offset()+page.Size, len(all))]
	}
	return list
}
