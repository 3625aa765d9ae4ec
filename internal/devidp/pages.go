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

// own holds the pages that people see: the sign-in, the error, and the frame
// around both. Dex's pages bring inline scripts; these bring none.
//
//go:embed assets
var own embed.FS

// pages are our files over dex's, which fill in the pages that dex insists on
// having but nobody can reach here.
func pages() fs.FS {
	// The folder is compiled in, so that its absence is a broken build.
	ours, err := fs.Sub(own, "assets")
	if err != nil {
		panic(err)
	}

	return overlay{top: ours, bottom: web.FS()}
}

// overlay is a file system whose files hide those of another.
type overlay struct{ top, bottom fs.FS }

// Open implements fs.FS. Folders are the lower one's where it has them, which
// names every page there must be.
func (o overlay) Open(name string) (fs.File, error) {
	info, err := fs.Stat(o.top, name)
	if err == nil && !info.IsDir() {
		return o.top.Open(name) //nolint:wrapcheck // a file system passes on what it is told
	}

	file, err := o.bottom.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.top.Open(name) //nolint:wrapcheck // as above
	}

	return file, err //nolint:wrapcheck // as above
}

// pageHeaders go with every answer. A sign-in page shows in no frame, runs no
// script and is kept by no cache.
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

// avatarColours is how many the style sheet has.
const avatarColours = 6

// pageValues are what the pages get beside dex's own values. Dex passes only
// strings, so the list travels as JSON.
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

// initials are the first letters of the first and the last name.
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
