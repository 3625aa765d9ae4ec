package columns

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// acronyms are written in capitals wherever they occur in a name.
var acronyms = map[string]string{ //nolint:gochecknoglobals // a constant list
	"id": "ID", "sku": "SKU", "vat": "VAT", "roi": "ROI", "kpi": "KPI", "ctr": "CTR", "cpc": "CPC", "cpm": "CPM", "cpa": "CPA",
	"aov": "AOV", "arpu": "ARPU", "mrr": "MRR", "arr": "ARR", "url": "URL", "ip": "IP", "uk": "UK", "usa": "USA", "eu": "EU",
	"gdp": "GDP", "api": "API", "crm": "CRM", "yoy": "YoY", "mom": "MoM", "ytd": "YTD", "mtd": "MTD", "nps": "NPS", "b2b": "B2B",
	"b2c": "B2C", "cogs": "COGS", "ebit": "EBIT", "ebitda": "EBITDA", "gmv": "GMV", "cac": "CAC", "ltv": "LTV", "clv": "CLV",
	"sla": "SLA", "hr": "HR", "co2": "CO₂", "iban": "IBAN", "isin": "ISIN", "ean": "EAN", "uuid": "UUID", "utm": "UTM", "gps": "GPS",
	"bmi": "BMI", "sms": "SMS", "pos": "POS", "uvp": "UVP", "plz": "PLZ", "dau": "DAU", "mau": "MAU", "q1": "Q1", "q2": "Q2", "q3": "Q3",
	"q4":  "Q4",
	"usd": "USD", "eur": "EUR", "gbp": "GBP", "chf": "CHF", "kwh": "kWh", "mwh": "MWh", "fte": "FTE", "csat": "CSAT",
}

// abbreviations maps abbreviations in names to the full words.
var abbreviations = map[string]string{ //nolint:gochecknoglobals // a constant list
	"avg": "average", "num": "number of", "cnt": "count", "qty": "quantity", "pct": "percent", "amt": "amount", "yr": "year",
	"min": "minimum", "max": "maximum",
}

// Label returns a column's name in words: order_date and orderDate become Order date,
// customer_id becomes Customer ID. In a name that a person wrote, such as sales (gross), only the
// first letter changes.
func Label(name string) string {
	name = strings.TrimSpace(name)
	if isWritten(name) {
		return capital(name)
	}
	words := Split(name)
	for i, w := range words {
		lower := strings.ToLower(w)
		switch {
		case acronyms[lower] != "":
			words[i] = acronyms[lower]
		case abbreviations[lower] != "" && len(words) > 1:
			words[i] = abbreviations[lower]
		case isCapitals(w) && !isCapitals(name), hasSmallStart(w):
			// NetVAT keeps its acronym, iPhone its letters.
		default:
			words[i] = lower
		}
	}
	// A query may put average before avg_session: the word is written only once.
	return capital(strings.Join(slices.Compact(words), " "))
}

// isWritten reports whether a name was written by a person: it contains blanks or signs that
// identifiers do not have.
func isWritten(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func isCapitals(s string) bool {
	return utf8.RuneCountInString(s) > 1 && s == strings.ToUpper(s) && s != strings.ToLower(s)
}

// Acronym returns the spelling of a word that always has capitals, such as VAT and kWh; any
// other word is returned unchanged.
func Acronym(word string) string { return orElse(acronyms[strings.ToLower(word)], word) }

// capital makes the first letter of a text a capital, except for kWh, pH and similar words.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[n:]); n == 0 || r == utf8.RuneError || unicode.IsUpper(next) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Split splits a name into its words, without changing their letters.
func Split(name string) []string {
	var out []string
	from := 0 // where the word begins
	runes := []rune(name)
	at := 0 // the byte of the letter: a word is a part of the name and not copied
	cut := func(next int) {
		if at > from {
			out = append(out, name[from:at])
		}
		from = next
	}
	for i, r := range runes {
		size := utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
			// It may stand for a byte that is no UTF-8, which is shorter.
			_, size = utf8.DecodeRuneInString(name[at:])
			cut(at + size)
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(at + size)
		case i > 0 && startsSmall(runes, i):
			// eMail, iPhone and pH are one word.
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) &&
			unicode.IsUpper(runes[i-1])):
			cut(at)
		}
		at += size
	}
	cut(at)
	return out
}

// startsSmall reports whether the letter is a capital after a single lower-case letter at
// the start of a word.
func startsSmall(runes []rune, at int) bool {
	return unicode.IsUpper(runes[at]) && unicode.IsLower(runes[at-1]) && (at == 1 || !unicode.IsLetter(runes[at-2]) &&
		!unicode.IsDigit(runes[at-2]))
}

// hasSmallStart reports whether a word begins with a single lower-case letter before a capital.
func hasSmallStart(w string) bool {
	runes := []rune(w)
	return len(runes) > 1 && startsSmall(runes, 1)
}

// fold makes names comparable: Net Amount, net_amount and NetAmount are equal.
func fold(name string) string { return strings.ToLower(strings.Join(Split(name), "")) }
