package columns

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// cutName is the minimum number of letters and digits of a column's name that may be only the
// beginning of its header, because the reader of files cuts longer names.
const cutName = 60

// unnamed matches the name that the reader of files gives to a column whose header has
// neither letters nor digits.
var unnamed = regexp.MustCompile(`^column_\d+$`)

// Header splits a column's description into the header of the file and the notes after it, such
// as how its cells were read. The header is empty if the description does not begin with one.
func Header(c *domain.Column) (header, note string) {
	for text := c.Description; text != ""; {
		if isHeaderOf(text, c.Name) {
			return text, strings.TrimPrefix(strings.TrimPrefix(c.Description, text), ", ")
		}
		at := strings.LastIndex(text, ", ")
		if at < 0 {
			break
		}
		text = text[:at]
	}
	return "", c.Description
}

// isHeaderOf reports whether the name was made from the header: bestell_nr from Bestell-Nr,
// and n_2023 from 2023, because a name cannot begin with a digit.
func isHeaderOf(header, name string) bool {
	folded, foldedName := fold(header), fold(name)
	switch {
	case folded == "":
		return unnamed.MatchString(name) && strings.TrimSpace(header) != ""
	case folded == foldedName:
		return true
	case BeginsWithDigit(header):
		return "n"+folded == foldedName
	default:
		return utf8.RuneCountInString(foldedName) >= cutName && strings.HasPrefix(folded, foldedName)
	}
}

// BeginsWithDigit reports whether the first letter or digit of a header is a digit, as in 2023
// and 1st half.
func BeginsWithDigit(header string) bool {
	at := strings.IndexFunc(header, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	if at < 0 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(header[at:])
	return unicode.IsDigit(r)
}

// asWritten returns a header as its author meant it: words stay as they are, and so do capitals;
// identifiers, such as order_date and HomeTeam, become words.
func asWritten(header string) string {
	if header = strings.TrimSpace(header); isCapitals(header) && !strings.ContainsRune(header, '_') {
		return header
	}
	return Label(header)
}

// Manner is how the headers of a table are written.
type Manner struct {
	German bool // its nouns have a capital letter
	Shouts bool // most headers are in capitals, which then mean nothing
}

// MannerOf derives the manner from the headers. A table is German if one header has a letter or a
// word that is rare in other languages.
func MannerOf(all []domain.Column) Manner {
	var m Manner
	headers, capitals := 0, 0
	for i := range all {
		header, _ := Header(&all[i])
		m.German = m.German || slices.ContainsFunc(Split(strings.ToLower(header)), func(w string) bool {
			return strings.ContainsAny(w, "äöüß") || slices.Contains(germanWords, w)
		})
		if header != "" {
			headers++
		}
		if isCapitals(header) {
			capitals++
		}
	}
	m.Shouts = capitals*2 > headers
	return m
}

var germanWords = []string{ //nolint:gochecknoglobals // a constant list
	"umsatz", "datum", "kunde", "kunden", "menge", "preis", "artikel", "betrag", "jahr", "monat", "anzahl", "kosten", "filiale", "bundesland",
	"abteilung", "mitarbeiter", "bestell", "bestellung", "rechnung", "rechnungs", "gewinn", "stadt", "lieferant", "gehalt", "einheit",
	"bezeichnung",
	"standort", "verbrauch", "gesamt", "brutto", "netto", "strasse", "vorname", "nachname", "rabatt", "lager", "bestand",
}

// Spoken returns a heading as it is written in a sentence: in lower case, except for acronyms,
// single letters (Temp C, R&D), words with capitals inside (kWh) and the nouns of a German
// table. Punctuation stays.
func (m Manner) Spoken(heading string) string {
	m.Shouts = m.shouts(heading)
	var b strings.Builder
	for rest := heading; rest != ""; {
		at := strings.IndexFunc(rest, inWord)
		if at < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:at])
		end := strings.IndexFunc(rest[at:], func(r rune) bool { return !inWord(r) })
		if end < 0 {
			end = len(rest) - at
		}
		b.WriteString(m.word(rest[at : at+end]))
		rest = rest[at+end:]
	}
	return b.String()
}

// Words returns the words of a heading as they are (own) and as they are written in a sentence
// (spoken), and the text between each word and the next (signs): a blank if there is none or only
// underscores. The last of the signs is empty.
func (m Manner) Words(heading string) (own, spoken, signs []string) {
	m.Shouts = m.shouts(heading)
	rest := heading
	for _, w := range Split(heading) {
		at := strings.Index(rest, w)
		if n := len(signs); n > 0 {
			if signs[n-1] = rest[:at]; strings.Trim(signs[n-1], "_") == "" {
				signs[n-1] = " "
			}
		}
		own, spoken, signs = append(own, w), append(spoken, m.word(w)), append(signs, "")
		rest = rest[at+len(w):]
	}
	return own, spoken, signs
}

// shouts reports whether a heading is in capitals that mean nothing, because it has several words
// or because most headings of the table are in capitals.
func (m Manner) shouts(heading string) bool {
	return isCapitals(heading) && (m.Shouts || len(strings.Fields(heading)) > 1)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// word returns a word of a heading as it is written in a sentence.
func (m Manner) word(word string) string {
	lower := strings.ToLower(word)
	letters := []rune(word)
	switch {
	case acronyms[lower] != "":
		return acronyms[lower]
	case m.Shouts && m.German:
		return capital(lower)
	case m.Shouts:
		return lower
	case len(letters) == 1 && word != "A", m.German, slices.ContainsFunc(letters[1:], unicode.IsUpper):
		return word
	default:
		return lower
	}
}
