package connectors

import (
	"strings"
	"unicode"

	"parley.dev/parley/domain"
)

// fileNameMax is in bytes, as file systems have it; longer ones come from no browser.
const fileNameMax = 255

// CheckName judges the name under which a file is kept. Beyond what the
// specification lets people type into a form (letters, digits, blanks,
// underscores, parentheses) it may have the hyphens and points that files from a
// disk or a script bring along. The name is only ever shown: no path is made of
// it. Errors: CodeInvalid with the specification's texts.
func CheckName(fileName string) error {
	stem, _ := split(fileName)
	switch {
	case domain.Blank(stem):
		return domain.Invalid("file", "File name cannot be empty")
	case len(fileName) > fileNameMax:
		return domain.Invalid("file", "The file name is too long")
	case !plain(stem):
		return domain.Invalid("file", "The name cannot contain special characters")
	}
	return nil
}

// KeptName makes any name one that CheckName takes, and that a form takes too.
func KeptName(fileName string) string {
	stem, extension := split(fileName)
	stem = strings.TrimSpace(strings.Map(func(r rune) rune {
		if takesRune(r) {
			return r
		}
		return '_'
	}, stem))
	if strings.Trim(stem, "_ ") == "" {
		stem = "table"
	}
	if extension == "" {
		return stem
	}
	return stem + "." + extension
}

// split takes the extension off. A name without a point has none.
func split(fileName string) (stem, extension string) {
	at := strings.LastIndexByte(fileName, '.')
	if at < 0 {
		return fileName, ""
	}
	return fileName[:at], fileName[at+1:]
}

// plain tells whether a name has only what CheckName takes. Path separators,
// control characters and marks that change the direction of text are none of it.
func plain(stem string) bool {
	return !strings.HasPrefix(stem, ".") && !strings.Contains(stem, "..") &&
		!strings.ContainsFunc(stem, func(r rune) bool { return !takesRune(r) && r != '-' && r != '.' })
}

func takesRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.Zs, r) || strings.ContainsRune("_()", r)
}

// Name proposes a data source's name: the file's name without its extension.
func Name(fileName string) string {
	stem, _ := split(fileName)
	return strings.TrimSpace(domain.Shorten(strings.TrimSpace(stem), domain.DataSourceNameMax))
}

// Extension is the part of a name behind its last point, in small letters.
func Extension(fileName string) string {
	_, extension := split(fileName)
	return strings.ToLower(extension)
}

// Title is what people call the table: the name in words.
func Title(fileName string) string {
	return strings.Join(strings.FieldsFunc(Name(fileName), func(r rune) bool { return r == '_' || r == ' ' || r == '-' }), " ")
}
