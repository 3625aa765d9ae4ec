package persistence

import (
	"context"
	"strings"

	"parley.dev/parley/domain"
)

// farPage is beyond the end of every list, and its offset still fits a number.
const farPage = 1 << 31

// window is a page as the database needs it.
type window struct{ size, skip int64 }

// pageOf limits a page to the allowed values; a size of 0 means the value usual.
func pageOf(p domain.Page, usual int) window {
	if p.Size <= 0 {
		p.Size = usual
	}
	p.Size = min(p.Size, domain.MaxPageSize)
	p.Number = min(max(p.Number, 1), farPage)
	return window{size: int64(p.Size), skip: int64(p.Offset())}
}

// readPage reads a page whose rows have the total of all pages. A page past the end has no
// rows: then the first row is read for the total.
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

// patternOf is a LIKE pattern that matches a person's words anywhere in a text, with LIKE's
// special characters escaped; empty matches everything.
func patternOf(search string) string {
	search = strings.TrimSpace(domain.Clean(search))
	if search == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(search) + "%"
}
