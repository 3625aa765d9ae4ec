package persistence

import (
	"context"
	"strings"

	"parley.dev/parley/domain"
)

// farPage is beyond the end of every list, and its offset still fits a number.
const farPage = 1 << 31

// window is a page as the database wants it.
type window struct{ size, skip int64 }

// pageOf puts a page within its limits; a size of 0 means usual.
func pageOf(p domain.Page, usual int) window {
	if p.Size <= 0 {
		p.Size = usual
	}
	p.Size = min(p.Size, domain.MaxPageSize)
	p.Number = min(max(p.Number, 1), farPage)
	return window{size: int64(p.Size), skip: int64(p.Offset())}
}

// readPage reads a page whose rows say how many there are on all pages. A page past the
// end has no row that could: then the first row is asked for it.
func readPage[T any](
	ctx context.Context, s *core, organisation int64, w window, queue func(r *reading, w window, into *[]T, total *int64),
) (rows []T, total int, err error) {
	var number int64
	err = s.asTenant(ctx, organisation, func(r *reading) { queue(r, w, &rows, &number) })
	if err == nil && len(rows) == 0 && w.skip > 0 {
		var first []T
		err = s.asTenant(ctx, organisation, func(r *reading) { queue(r, window{size: 1}, &first, &number) })
	}
	return rows, int(number), err
}

// patternOf matches a person's words anywhere in a text, taking LIKE's own
// characters as they stand; empty matches all.
func patternOf(search string) string {
	search = strings.TrimSpace(domain.Clean(search))
	if search == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(search) + "%"
}
