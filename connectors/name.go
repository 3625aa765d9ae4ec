package connectors

import (
	"strings"
	"unicode"

	"parley.dev/parley/domain"
)

// fileNameMax is in bytes, as file systems have it; longer ones come from no browser.
const fileNameMax = 255

// CheckName applies the specification's rules to an uploaded file's name. The
// name is only ever shown: no path is made of it. Errors: CodeInvalid with the
// specification's texts.
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

// split takes the extension off. A name without a point has none.
func split(fileName string) (stem, extension string) {
	at := strings.LastIndexByte(fileName, '.')
	if at < 0 {
		return fileName, ""
	}
	return fileName[:at], fileName[at+1:]
}

// plain tells whether the name has only what the specification lets people type
// (letters, digits, blanks, underscore, parentheses), and the hyphen and point
// that files from elsewhere bring along. Path separators, control characters and
// marks that change the direction of text are none of these.
func plain(stem string) bool {
	for i, r := range stem {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), unicode.Is(unicode.Zs, r), r == '_', r == '(', r == ')', r == '-':
		case r == '.' && i > 0:
		default:
			return false
		}
	}
	return !strings.Contains(stem, "..")
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
