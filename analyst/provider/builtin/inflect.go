package builtin

import (
	"strings"
	"unicode"

	"parley.dev/parley/analyst/specialist/columns"
)

// stem reduces the forms of a word to one: plurals, -ing and -ed. The result need not be a correct
// word; it only has to be the same for a question and a schema.
func stem(w string) string {
	w = plainLetters(w)
	if len(w) < 4 || !ascii(w) {
		return w
	}
	if base, ok := irregular(w); ok {
		return base
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "xes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "s"):
		return stem(w[:len(w)-1])
	case strings.HasSuffix(w, "ied"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ing") && len(w) > 6 && !keepsIng(w):
		return undouble(w[:len(w)-3])
	case strings.HasSuffix(w, "ed") && len(w) > 4 && !strings.HasSuffix(w, "eed"):
		return undouble(w[:len(w)-2])
	case strings.HasSuffix(w, "e") && len(w) > 4:
		return w[:len(w)-1]
	default:
		return w
	}
}

// undouble reverts what a suffix did: shipp(ed) becomes ship, and pric(ing) becomes pric, as price
// does.
func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// irregular returns the base of words whose form does not follow a rule.
func irregular(w string) (string, bool) {
	switch w {
	case "sold":
		return "sell", true
	case "bought":
		return "buy", true
	case "spent":
		return "spend", true
	case "paid":
		return "pay", true
	case "left":
		return "leave", true
	case "people":
		return "person", true
	case "men":
		return "man", true
	case "women":
		return "woman", true
	case "children":
		return "child", true
	case "made":
		return "make", true
	case "grew", "grown":
		return "grow", true
	case "fell":
		return "fall", true
	case "rose":
		return "rise", true
	case "held":
		return "hold", true
	case "news":
		return "news", true
	case "hired", "hire", "hires", "hiring":
		return "hire", true
	case "fired":
		return "fire", true
	case "diagnoses":
		return "diagnosis", true
	case "analyses":
		return "analysis", true
	case "indices":
		return "index", true
	case "sales":
		return "sales", true
	case "rated", "rates", "rate":
		return "rate", true
	case "date", "dates", "dated":
		return "date", true
	case "size", "sizes":
		return "size", true
	case "status", "statuses":
		return "status", true
	case "bus", "buses":
		return "bus", true
	case "series":
		return "series", true
	case "days":
		return "day", true
	case "yes":
		return "yes", true
	case "use", "used", "uses":
		return "use", true
	case "age", "ages", "aged":
		return "age", true
	case "site", "sites":
		return "site", true
	default:
		return "", false
	}
}

// keepsIng reports whether the -ing of a noun is not an ending.
func keepsIng(w string) bool {
	switch w {
	case "rating", "building", "morning", "evening", "ceiling", "meeting", "marketing", "engineering",
		"manufacturing", "accounting", "operating", "setting", "listing", "housing", "during", "spring",
		"string", "something", "anything", "nothing", "everything", "missing", "reading", "training":
		return true
	default:
		return false
	}
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// splitName splits the name of a column or table into words: order_date, orderDate and "Order Date
// (UTC)" all become order, date.
func splitName(name string) []string {
	words := columns.Split(name)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return words
}

// plainLetters removes accents, because people leave them out: Région becomes region, Zähler zahler and
// Straße strasse, on both sides of a comparison.
func plainLetters(s string) string {
	if ascii(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch base, ok := plainLetter(unicode.ToLower(r)); {
		case !ok:
			b.WriteRune(r)
		case unicode.IsUpper(r):
			b.WriteString(strings.ToUpper(base))
		default:
			b.WriteString(base)
		}
	}
	return b.String()
}

// plainLetter returns a Latin letter without its marks.
func plainLetter(r rune) (string, bool) {
	for _, group := range []struct{ base, marked string }{
		{"a", "àáâãäåāăą"},
		{"c", "çćĉč"},
		{"d", "ďđ"},
		{"e", "èéêëēėęě"},
		{"g", "ğģ"},
		{"i", "ìíîïīįı"},
		{"l", "ĺļľł"},
		{"n", "ñńņň"},
		{"o", "òóôõöøōő"},
		{"r", "ŕř"},
		{"s", "śşš"},
		{"t", "ťţ"},
		{"u", "ùúûüūůűų"},
		{"y", "ýÿ"},
		{"z", "źżž"},
		{"ss", "ß"},
		{"ae", "æ"},
		{"oe", "œ"},
	} {
		if strings.ContainsRune(group.marked, r) {
			return group.base, true
		}
	}
	return "", false
}

// stems returns the stems of a list of words.
func stems(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = stem(w)
	}
	return out
}

// near reports whether two words differ by at most limit letters that are left out, added, changed or
// swapped. The first letter must be equal, because it is rarely mistyped.
func near(a, b string, limit int) bool {
	if a == b {
		return true
	}
	if len(a) == 0 || len(b) == 0 || a[0] != b[0] || abs(len(a)-len(b)) > limit || len(a) > 40 || len(b) > 40 {
		return false
	}
	return distance(a, b) <= limit
}

// distance is the optimal string alignment distance.
func distance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		old, last, now := rows[0], rows[1], rows[2]
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], old[j-2]+1)
			}
		}
		rows[0], rows[1], rows[2] = last, now, old
	}
	return rows[1][len(b)]
}

func abs(n int) int { return max(n, -n) }
