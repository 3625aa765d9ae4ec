package domain

import (
	"strings"
	"unicode"
)

// fileNameMax is in bytes, as file systems have it; longer ones come from no browser.
const fileNameMax = 255

// CheckFileName judges the name under which a file is kept. Beyond what the
// specification lets people type into a form (letters, digits, blanks,
// underscores, parentheses) it may have the hyphens and points that files from a
// disk or a script bring along. The name is only ever shown: no path is made of
// it. Errors: CodeInvalid with the specification's texts.
func CheckFileName(fileName string) error {
	stem, _ := splitName(fileName)
	switch {
	case Blank(stem):
		return Invalid("file", "File name cannot be empty")
	case len(fileName) > fileNameMax:
		return Invalid("file", "The file name is too long")
	case !plainName(stem):
		return Invalid("file", "The name cannot contain special characters")
	}
	return nil
}

// KeptFileName makes any name one that CheckFileName takes, and that a form takes too.
func KeptFileName(fileName string) string {
	stem, extension := splitName(fileName)
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

// splitName takes the extension off. A name without a point has none.
func splitName(fileName string) (stem, extension string) {
	at := strings.LastIndexByte(fileName, '.')
	if at < 0 {
		return fileName, ""
	}
	return fileName[:at], fileName[at+1:]
}

// plainName tells whether a name has only what CheckFileName takes. Path separators,
// control characters and marks that change the direction of text are none of it.
func plainName(stem string) bool {
	return !strings.HasPrefix(stem, ".") && !strings.Contains(stem, "..") &&
		!strings.ContainsFunc(stem, func(r rune) bool { return !takesRune(r) && r != '-' && r != '.' })
}

func takesRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || unicode.Is(unicode.Zs, r) || strings.ContainsRune("_()", r)
}

// NameOfFile proposes a data source's name: the file's name without its extension.
func NameOfFile(fileName string) string {
	stem, _ := splitName(fileName)
	return strings.TrimSpace(Shorten(strings.TrimSpace(stem), DataSourceNameMax))
}

// FileExtension is the part of a name behind its last point, in small letters.
func FileExtension(fileName string) string {
	_, extension := splitName(fileName)
	return strings.ToLower(extension)
}

// TitleOfFile is what people call the table: the name in words.
func TitleOfFile(fileName string) string {
	return strings.Join(strings.FieldsFunc(NameOfFile(fileName), func(r rune) bool { return r == '_' || r == ' ' || r == '-' }), " ")
}
