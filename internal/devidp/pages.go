package devidp

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dexidp/dex/web"
)

// theme is the folder of the pages' style under assets/themes.
const theme = "parley"

// own holds the pages that people see: the sign-in page and the error page, with their
// header and footer. Dex's pages have inline scripts; these have none.
//
//go:embed assets
var own embed.FS

// pages returns our files with dex's files below them. Dex requires all of its pages to
// exist, also the pages that cannot be reached here.
func pages() fs.FS {
	// The folder is compiled in, so it is missing only in a broken build.
	ours, err := fs.Sub(own, "assets")
	if err != nil {
		panic(err)
	}

	return overlay{top: ours, bottom: web.FS()}
}

// overlay is a file system in which the files of top hide those of bottom.
type overlay struct{ top, bottom fs.FS }

// Open implements fs.FS. A folder is opened in bottom if it exists there, because bottom
// has all the pages that dex requires.
func (o overlay) Open(name string) (fs.File, error) {
	info, err := fs.Stat(o.top, name)
	if err == nil && !info.IsDir() {
		return o.top.Open(name) //nolint:wrapcheck // a file system passes errors on unchanged
	}

	file, err := o.bottom.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.top.Open(name) //nolint:wrapcheck // as above
	}

	return file, err //nolint:wrapcheck // as above
}

// pageHeaders returns the headers of every response. A sign-in page must not be shown in a
// frame, run scripts or be cached.
func pageHeaders() http.Header {
	header := http.Header{}
	header.Set("Content-Security-Policy", "default-src 'self'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'")
	header.Set("X-Frame-Options", "DENY")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cache-Control", "no-store")

	return header
}

// hint is one person as the sign-in page shows it.
type hint struct {
	Name     string `json:"name"`
	Email    string `json:"email"`
	Password string `json:"password"`
	Hint     string `json:"hint"`
	Initials string `json:"initials"`

	// Colour is one of the avatar colours of the style sheet.
	Colour int `json:"colour"`
}

// avatarColours is the number of avatar colours in the style sheet.
const avatarColours = 6

// pageValues returns the values that the pages use in addition to dex's own values. Dex
// passes only strings, so the list is encoded as JSON.
func pageValues(cfg Config) (map[string]string, error) {
	hints := make([]hint, 0, len(cfg.People))
	for _, person := range cfg.People {
		if person.Unlisted {
			continue
		}

		hints = append(hints, hint{
			Name: person.Name, Email: person.Email, Password: person.Password, Hint: person.Hint,
			Initials: initials(person.Name), Colour: len(hints)%avatarColours + 1,
		})
	}

	raw, err := json.Marshal(hints) //nolint:gosec // demo passwords, shown on purpose
	if err != nil {
		return nil, fmt.Errorf("people of the sign-in page: %w", err)
	}

	return map[string]string{"people": string(raw), "password": cfg.People[0].Password}, nil
}

// initials returns the first letters of the first and the last name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return "?"
	}

	first, _ := utf8.DecodeRuneInString(words[0])
	if len(words) == 1 {
		return string(unicode.ToUpper(first))
	}

	last, _ := utf8.DecodeRuneInString(words[len(words)-1])

	return string([]rune{unicode.ToUpper(first), unicode.ToUpper(last)})
}
