package domain

import (
	"strings"
	"unicode"
)

// fileNameMax is in bytes, like the limit of file systems; no browser sends longer names.
const fileNameMax = 255

// CheckFileName checks the name under which a file is stored. In addition to the characters
// that the specification allows in a form (letters, digits, blanks, underscores, parentheses)
// it allows hyphens and dots, which file names from a disk or a script often have. The name
// is only shown and never used as a path. Errors: CodeInvalid with the specification's texts.
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

// KeptFileName turns any name into one that CheckFileName and a form accept.
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

// splitName splits off the extension. A name without a dot has none.
func splitName(fileName string) (stem, extension string) {
	at := strings.LastIndexByte(fileName, '.')
	if at < 0 {
		return fileName, ""
	}
	return fileName[:at], fileName[at+1:]
}

// plainName reports whether a name has only allowed characters. Path separators, control
// characters and marks that change the direction of text are not allowed.
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

// FileExtension returns the part of a name after its last dot, in lower case.
func FileExtension(fileName string) string {
	_, extension := splitName(fileName)
	return strings.ToLower(extension)
}

// TitleOfFile returns a title for the file's table: the name in words.
func TitleOfFile(fileName string) string {
	return strings.Join(strings.FieldsFunc(NameOfFile(fileName), func(r rune) bool { return r == '_' || r == ' ' || r == '-' }), " ")
}
