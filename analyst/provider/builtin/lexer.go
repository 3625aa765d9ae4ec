package builtin

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// tokenKind is the kind of a token.
type tokenKind int

const (
	tokenWord tokenKind = iota
	tokenNumber
	tokenQuoted
	tokenSymbol
	tokenDate  // 2025-03 or 2025-03-15
	tokenClock // 8am or 12:30, its value in hours
)

// token is one word, number, quoted text or sign of a question.
type token struct {
	text  string // as written
	norm  string // lower case, without a possessive
	stem  string
	kind  tokenKind
	value float64 // of a number
}

// maxTokens limits the work on one question; tokens beyond it are not read.
const maxTokens = 200

var (
	isoDate  = regexp.MustCompile(`^(19|20)\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$`)
	number   = regexp.MustCompile(`^[$€£]?\d[\d,]*(\.\d+)?(k|m|bn|b|%)?$`)
	negative = regexp.MustCompile(`^[-−][$€£]?\d[\d,]*(\.\d+)?(k|m|bn|b|%)?$`)
	// The German form of numbers is 100.000 and 1.234.567,50: three zeros at the end, more than one
	// point, or a comma after the point distinguish them from a fraction.
	thousands = regexp.MustCompile(`^(\d{1,3}\.000|\d{1,3}(\.\d{3}){2,}(,\d+)?|\d{1,3}\.\d{3}(,\d+|€))€?$`)
	clockTime = regexp.MustCompile(`^(([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?|(1[0-2]|[1-9])(:[0-5]\d)?(am|pm))$`)
	quarter   = regexp.MustCompile(`^(\d{4})-?q([1-4])$`)
)

// lex splits a question into tokens.
func lex(question string) []token {
	var out []token
	for _, piece := range pieces(question) {
		if len(out) >= maxTokens {
			break
		}
		out = append(out, tokensOf(piece)...)
	}
	for i := range out {
		if i > 0 && out[i].norm == "may" && isOne(out[i-1].norm, "in", "during", "since", "until", "till", "before", "after", "last", "of") {
			out[i].text = "May" // the month, and not the verb
		}
		if i > 1 && out[i].norm == "may" && isOne(out[i-1].norm, "to", "and", "through", "until", "till", "or", "vs", "versus", ",") &&
			(monthOf(out[i-2].norm) > 0 || i > 2 && monthOf(out[i-3].norm) > 0 && out[i-2].kind == tokenNumber) {
			out[i].text = "May" // from March to May
		}
	}
	for i := 1; i+1 < len(out); i++ {
		// "more than an hour" means more than one hour.
		if isOne(out[i].norm, "a", "an") && isOne(out[i-1].norm, "over", "than", "least", "most", "under", "within", "exactly") &&
			isOne(out[i+1].norm, "hour", "minute", "day", "week", "year", "million", "thousand", "kilometer", "mile", "dozen") {
			n := numberToken("1")
			n.text = out[i].text
			out[i] = n
		}
	}
	return joinMagnitudes(joinSquares(out))
}

// pieces splits at blanks, keeps quoted text whole and separates signs.
func pieces(s string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case closing(r) != 0 && (b.Len() == 0):
			if end := indexRune(runes, i+1, closing(r)); end > 0 {
				flush()
				out = append(out, `"`+string(runes[i+1:end]))
				i = end
				continue
			}
		case unicode.IsSpace(r):
			flush()
		case strings.ContainsRune("<>=!≥≤≠", r):
			flush()
			sign := string(r)
			if i+1 < len(runes) && runes[i+1] == '=' {
				sign += "="
				i++
			}
			if sign != "!" {
				out = append(out, sign)
			}
		case r == ',' && !betweenDigits(runes, i):
			flush()
			out = append(out, ",")
		case (r == '/' || r == ':') && betweenDigits(runes, i):
			// 3/15/2024 and 12:30 are one piece.
			b.WriteRune(r)
		case r == '/' && b.Len() == 0 && i+1 < len(runes) && unicode.IsSpace(runes[i+1]):
			out = append(out, "/")
		case r == '*' || r == '+' || r == '-' && b.Len() == 0 && i+1 < len(runes) && unicode.IsSpace(runes[i+1]):
			flush()
			out = append(out, string(r))
		case r == '#' && i+1 < len(runes) && unicode.IsDigit(runes[i+1]):
			flush() // #3
		case strings.ContainsRune("?;:()[]{}/\\|", r), r == '!' || r == '"':
			flush()
		case r == '.' && (i+1 == len(runes) || unicode.IsSpace(runes[i+1])):
			flush()
		default:
			b.WriteRune(r)
		}
	}
	flush()
	return out
}

// betweenDigits distinguishes the comma of 1,000 from the comma of a sentence.
func betweenDigits(runes []rune, i int) bool {
	return i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
}

// closing returns the mark that ends a quotation; 0 if there is none.
func closing(r rune) rune {
	switch r {
	case '"', '\'', '`':
		return r
	case '“':
		return '”'
	case '‘':
		return '’'
	case '«':
		return '»'
	default:
		return 0
	}
}

func indexRune(runes []rune, from int, want rune) int {
	for i := from; i < len(runes); i++ {
		if runes[i] == want && i > from {
			return i
		}
	}
	return -1
}

// tokensOf returns the tokens of one piece; hyphens and underscores separate words.
func tokensOf(piece string) []token {
	if strings.HasPrefix(piece, `"`) {
		text := piece[1:]
		return []token{{text: text, norm: strings.ToLower(text), stem: strings.ToLower(text), kind: tokenQuoted}}
	}
	lower := strings.ToLower(piece)
	switch {
	case piece == ",", piece == "*", piece == "+", piece == "-", piece == "/", strings.ContainsAny(piece, "<>=!≥≤≠"):
		return []token{{text: piece, norm: piece, stem: piece, kind: tokenSymbol}}
	case isoDate.MatchString(piece):
		return []token{{text: piece, norm: piece, stem: piece, kind: tokenDate}}
	case quarter.MatchString(lower):
		m := quarter.FindStringSubmatch(lower)
		return []token{word("Q" + m[2]), numberToken(m[1])}
	case thousands.MatchString(lower):
		return []token{numberToken(strings.ReplaceAll(strings.ReplaceAll(strings.TrimSuffix(lower, "€"), ".", ""), ",", "."))}
	case number.MatchString(lower):
		return []token{numberToken(lower)}
	case strings.HasSuffix(lower, "s") && len(lower) == 4 && decadeOf(lower) == 0 && number.MatchString(lower[:3]):
		return []token{numberToken(lower[:3])} // 404s
	case negative.MatchString(lower):
		t := numberToken(lower[1:])
		t.text, t.norm, t.stem, t.value = piece, piece, piece, -t.value
		return []token{t}
	case clockTime.MatchString(lower):
		return []token{{text: piece, norm: lower, stem: lower, kind: tokenClock, value: hourOf(lower)}}
	case piece == "US":
		// In capitals it is the country; "us" is a pronoun.
		return []token{{text: piece, norm: "usa", stem: "usa"}}
	}
	if day := dottedDay(piece); day != "" {
		return []token{{text: piece, norm: day, stem: day, kind: tokenDate}}
	}
	var out []token
	for _, part := range strings.FieldsFunc(piece, func(r rune) bool {
		return r == '/' || r == ':' || r == '-' || r == '_' || r == '–' || r == '—' || r == '&'
	}) {
		if number.MatchString(strings.ToLower(part)) {
			out = append(out, numberToken(strings.ToLower(part)))
			continue
		}
		if isOne(part, "ins", "outs", "ups", "offs") {
			part = strings.TrimSuffix(part, "s") // check-ins, sign-ups
		}
		if t := word(part); t.norm != "" {
			out = append(out, t)
		}
	}
	return out
}

// word returns the token of a word.
func word(text string) token {
	norm := plainLetters(strings.ToLower(strings.Trim(text, `'’.*`)))
	norm = strings.TrimSuffix(strings.TrimSuffix(norm, "'s"), "’s")
	if v, ok := numberWord(norm); ok {
		return token{text: text, norm: norm, stem: norm, kind: tokenNumber, value: v}
	}
	return token{text: text, norm: norm, stem: stem(norm), kind: tokenWord}
}

func numberToken(text string) token {
	clean := strings.ReplaceAll(strings.TrimLeft(text, "$€£"), ",", "")
	factor := 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "m": 1e6, "bn": 1e9, "b": 1e9, "%": 1} {
		if strings.HasSuffix(clean, suffix) {
			clean, factor = strings.TrimSuffix(clean, suffix), f
			break
		}
	}
	v, err := strconv.ParseFloat(clean, 64)
	if err != nil {
		return word(text)
	}
	return token{text: text, norm: text, stem: text, kind: tokenNumber, value: v * factor}
}

// joinSquares makes one word of "square metre", which the names of columns call an area.
func joinSquares(in []token) []token {
	out := in[:0:0]
	for i := 0; i < len(in); i++ {
		if isOne(in[i].norm, "square", "sq") && i+1 < len(in) && isOne(in[i+1].stem, stem("metre"), stem("meter"), "foot", "feet", "m", "ft",
			"sqm") {
			sqm := word("sqm")
			sqm.text = in[i].text + " " + in[i+1].text
			out = append(out, sqm)
			i++
			continue
		}
		if isOne(in[i].norm, "m²", "m2", "qm", "sqft") {
			sqm := word("sqm")
			sqm.text = in[i].text
			out = append(out, sqm)
			continue
		}
		out = append(out, in[i])
	}
	return out
}

// joinMagnitudes makes one number of "2 million".
func joinMagnitudes(in []token) []token {
	out := in[:0:0]
	for _, t := range in {
		if n := len(out); n > 0 && out[n-1].kind == tokenNumber && t.kind == tokenWord {
			if f := magnitude(t.norm); f > 0 {
				out[n-1].value *= f
				out[n-1].text += " " + t.text
				out[n-1].norm = out[n-1].text
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

func magnitude(s string) float64 {
	switch s {
	case "thousand", "thousands":
		return 1e3
	case "million", "millions", "mio":
		return 1e6
	case "billion", "billions":
		return 1e9
	case "percent":
		return 1
	default:
		return 0
	}
}

func numberWord(w string) (float64, bool) {
	switch w {
	case "zero":
		return 0, true
	case "two":
		return 2, true
	case "three":
		return 3, true
	case "four":
		return 4, true
	case "five":
		return 5, true
	case "six":
		return 6, true
	case "seven":
		return 7, true
	case "eight":
		return 8, true
	case "nine":
		return 9, true
	case "ten":
		return 10, true
	case "eleven":
		return 11, true
	case "twelve":
		return 12, true
	case "fifteen":
		return 15, true
	case "twenty":
		return 20, true
	case "thirty":
		return 30, true
	case "fifty":
		return 50, true
	case "hundred":
		return 100, true
	default:
		return 0, false
	}
}
