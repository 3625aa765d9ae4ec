package columns

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// Shown returns how the columns of a query's result are shown. The tables are the ones that
// the query may have read.
func Shown(sql string, tables []Table, result *domain.ResultSet) []domain.ShownColumn {
	names := make(scope)
	for i := range tables {
		meaning, manner := meanings(tables[i].Dictionary), MannerOf(tables[i].Columns)
		for k := range tables[i].Columns {
			c := &tables[i].Columns[k]
			f := sourceFact(c, meaning[fold(c.Name)])
			if f.spoken != "" {
				f.spoken = manner.Spoken(f.spoken)
			}
			names.add(strings.ToLower(c.Name), f)
		}
	}
	sources := make(scope, len(names))
	for name, f := range names {
		sources[name] = f
	}
	items := query(trimmed(tokensOf(sql)), names, 0)
	out := make([]domain.ShownColumn, len(result.Columns))
	for i := range result.Columns {
		out[i] = shown(result, i, factOf(items, i, len(result.Columns), result.Columns[i].Name, sources))
	}
	unitOnce(out)
	return out
}

// trimmed removes the semicolons at the end of a statement.
func trimmed(ts []sqltext.Token) []sqltext.Token {
	for len(ts) > 0 && ts[len(ts)-1].Is(";") {
		ts = ts[:len(ts)-1]
	}
	return ts
}

// factOf finds the item of a result's column: by its position if the list has no star, else
// by its name. A column that is selected by a star has the fact of its source.
func factOf(items []item, place, count int, name string, sources scope) fact {
	stars := false
	for _, i := range items {
		stars = stars || i.star
	}
	if !stars && len(items) == count {
		return items[place].fact
	}
	for _, i := range items {
		if i.name == strings.ToLower(name) {
			return i.fact
		}
	}
	if stars || len(items) == 0 {
		return sources[strings.ToLower(name)]
	}
	return fact{}
}

// shown combines what is known about a column with its name and its values.
func shown(t *domain.ResultSet, index int, f fact) domain.ShownColumn {
	c := &t.Columns[index]
	switch own := f.label != "" && strings.EqualFold(f.source, c.Name); {
	case own:
	case f.spoken != "":
		f.label = derivedLabel(c.Name, f)
	default:
		// The name that the query chose says more than the name of the source's column.
		f.label = ""
	}
	out := domain.ShownColumn{Name: c.Name, Label: orElse(f.label, Label(c.Name)), Format: domain.FormatText, Role: domain.RoleOfCategory}
	v := valuesOf(t, index)
	switch {
	case v.filled == 0:
	case c.Type == domain.ColumnDate || c.Type == domain.ColumnTime:
		out.Format, out.Role, out.Until = timeFormat(c, f, v), domain.RoleOfTime, f.until
	case v.numbers == v.filled && c.Type != domain.ColumnText:
		numeric(&out, f, v)
	case v.periods == v.filled:
		out.Format, out.Role, out.Until = periodFormat(v.sample), domain.RoleOfTime, f.until
	}
	return out
}

// derivedLabel returns the heading of a name that a query derived from a column's name: for
// total_r_d_cost, derived from the column R&D cost, it is Total R&D cost. It is empty for any other
// name.
func derivedLabel(name string, f fact) string {
	name, source := strings.ToLower(name), strings.ToLower(f.source)
	if name == source+"_value" {
		return f.label
	}
	what, ok := strings.CutSuffix(strings.TrimSuffix(name, "_value"), "_"+source)
	if !ok && BeginsWithDigit(f.label) {
		what, ok = strings.CutSuffix(name, "_"+strings.TrimPrefix(source, "n_")) // total_2023, derived from n_2023
	}
	if !ok {
		return ""
	}
	what = Label(what)
	words := strings.Fields(what)
	if len(words) == 0 { // _net_sales, derived from net_sales
		return f.label
	}
	if strings.HasPrefix(strings.ToLower(f.spoken)+" ", strings.ToLower(words[len(words)-1])+" ") {
		return capital(strings.TrimSuffix(what, words[len(words)-1]) + f.spoken) // Total (net), not Total total (net)
	}
	return what + " " + f.spoken
}

// numeric decides how numbers are shown: as years, keys, amounts, shares or counts.
func numeric(out *domain.ShownColumn, f fact, v values) {
	out.Role = domain.RoleOfMeasure
	inName, bareName := unitInName(out.Name)
	switch {
	case v.years && (f.grain == "year" || isYear(out.Name)):
		out.Format, out.Role, out.Until = domain.FormatYear, domain.RoleOfTime, f.until
	case f.key || !f.known && isKey(out.Name):
		out.Format, out.Role = domain.FormatPlain, domain.RoleOfKey
	case f.count:
		out.Format, out.Adds = domain.FormatCount, f.adds
	case f.format != "":
		out.Unit, out.Format, out.Adds = f.unit, f.format, f.adds
	case isShare(out.Name) && !f.hundred && inName.unit != "%" && v.min >= 0 && v.max <= 1:
		out.Unit, out.Format = "%", domain.FormatFraction
	case inName.unit != "":
		out.Unit, out.Format, out.Adds = inName.unit, inName.format, f.adds
	case f.known && f.adds && v.whole:
		out.Format, out.Adds = domain.FormatCount, true
	default:
		out.Format, out.Adds = domain.FormatNumber, f.known && f.adds
	}
	if f.label != "" {
		return
	}
	// The unit is shown only once, next to the numbers.
	if inName.unit != "" && inName.unit == out.Unit && bareName != out.Name {
		out.Label = Label(bareName)
	} else if bare := withoutUnit(out.Name, out.Unit); bare != "" {
		out.Label = Label(bare)
	}
}

// withoutUnit removes the unit from the end of a name, such as min from average_how_long_min. It
// returns an empty text if the name does not end with the unit.
func withoutUnit(name, unit string) string {
	words := Split(name)
	for n := 1; n <= 2 && n < len(words) && fold(unit) != ""; n++ {
		if at := len(words) - n; fold(strings.Join(words[at:], "")) == fold(unit) && !Describes(words[at-1]) {
			return strings.Join(words[:at], "_")
		}
	}
	return ""
}

// unitOnce removes the word percent from headings of shares, because their numbers have the sign:
// Share, and not Share percent. If another column has that heading, such as the change as an
// amount, the heading ends with "in percent" instead, so that the two are different.
func unitOnce(all []domain.ShownColumn) {
	for i := range all {
		bare, ok := strings.CutSuffix(all[i].Label, " percent")
		taken := slices.ContainsFunc(all, func(c domain.ShownColumn) bool { return c.Label == bare })
		switch {
		case !ok || all[i].Unit != "%":
		case taken:
			all[i].Label = bare + " in percent"
		case strings.HasSuffix(strings.ToLower(bare), "share"):
			all[i].Label = bare
		}
	}
}

func timeFormat(c *domain.Column, f fact, v values) domain.ColumnFormat {
	last := ""
	if words := Split(strings.ToLower(c.Name)); len(words) > 0 {
		last = words[len(words)-1]
	}
	is := func(grain string) bool { return f.grain == grain || f.grain == "" && last == grain }
	switch {
	case is("year") && v.yearly:
		return domain.FormatYear
	case is("quarter") && v.quarterly:
		return domain.FormatQuarter
	case is("month") && v.monthly:
		return domain.FormatMonth
	case is("week") && v.midnight:
		return domain.FormatWeek
	case v.midnight:
		return domain.FormatDate
	default:
		return domain.FormatTime
	}
}

// values summarises the cells of a column.
type values struct {
	filled, numbers, periods int
	years, whole             bool
	min, max                 float64
	midnight, monthly        bool
	quarterly, yearly        bool
	sample                   string
}

var period = regexp.MustCompile(`^(?:19|20)\d\d[-/ ]?(?:(Q[1-4])|(W[0-5]\d)|(0[1-9]|1[0-2]))$`)

func valuesOf(t *domain.ResultSet, index int) values {
	v := values{years: true, whole: true, min: math.Inf(1), max: math.Inf(-1), midnight: true, monthly: true, quarterly: true, yearly: true}
	for _, row := range t.Rows {
		if index >= len(row) || row[index] == nil {
			continue
		}
		v.filled++
		switch x := row[index].(type) {
		case int64:
			v.number(float64(x))
		case float64:
			v.number(x)
		case string:
			v.text(x)
		}
	}
	return v
}

func (v *values) number(x float64) {
	v.numbers++
	v.min, v.max = min(v.min, x), max(v.max, x)
	v.whole = v.whole && x == math.Trunc(x)
	v.years = v.years && x == math.Trunc(x) && x >= 1900 && x <= 2100
}

func (v *values) text(x string) {
	if period.MatchString(x) {
		v.periods++
		v.sample = x
	}
	on := day(x)
	if on == "" {
		v.midnight, v.monthly, v.quarterly, v.yearly = false, false, false, false
		return
	}
	v.midnight = v.midnight && strings.Trim(x[10:], "T 0:.Z+") == ""
	v.monthly = v.monthly && on[8:] == "01"
	v.quarterly = v.quarterly && on[8:] == "01" && strings.Contains("01 04 07 10", on[5:7])
	v.yearly = v.yearly && on[5:] == "01-01"
}

func periodFormat(sample string) domain.ColumnFormat {
	switch m := period.FindStringSubmatch(sample); {
	case m[1] != "":
		return domain.FormatQuarter
	case m[2] != "":
		return domain.FormatWeek
	default:
		return domain.FormatMonth
	}
}

func isYear(name string) bool {
	for _, w := range Split(strings.ToLower(name)) {
		if w == "year" || w == "yr" || w == "jahr" {
			return true
		}
	}
	return false
}
