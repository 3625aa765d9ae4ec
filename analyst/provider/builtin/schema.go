package builtin

import (
	"slices"
	"strings"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/analyst/specialist/columns"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// column is a column of a view, with the meaning of its name and statistics.
type column struct {
	*domain.Column
	table *table
	words []string // of the name, as stems
	shown []string // the words of a header that splits the name into more words; nil without such a header
	bare  []string // of the header before its unit in brackets, as stems; nil without one
	// made is the formula of a column that is computed from others; nil for a column of the table.
	made *formula
	// meaning is the word by which the data dictionary says what the column measures, and currency is
	// the currency that it names; "" if it names none.
	meaning, currency string
	// sign is the sign next to each number in the file: $, %, kg; "" if there is none.
	sign string
}

// table is one table of a view. The rows of the first table are counted; the other tables are joined to
// it by a key, with one row for each row of the first.
type table struct {
	*analyst.Table
	index   int
	columns []*column
	words   []string // of the name that people use, as stems
	manner  columns.Manner
	// from is the table to which it is joined: the first one, or one that is joined before. Each of ons, columns of from,
	// equals the one of keys at its place. All are nil for the first table.
	from      *table
	ons, keys []*column
	// on and key are the only column of ons and of keys; nil if there are several, because then no single column of from identifies a
	// row.
	on, key *column
	// meaning is what is known of the table in addition to its statistics; nil if nothing is.
	meaning *meaning.Table
	// said are the words that people have said for the table and its columns.
	said []meaning.Word
	// via are the links that lead to it; nil if only the names of keys say so.
	via []semantic.Hop
}

// view is a table with the tables that clear keys join to it.
type view struct {
	base   *table
	joined []*table
	// taken are the names of numbers in any of the tables, by their stems: such a name means the
	// number, and not a table or file with the same name.
	taken map[string]bool
	// tiedPaths are the tables to which several equally good paths lead, so that none of them is joined.
	tiedPaths []tiedPaths
	// namedPaths are the tables to which several equally good paths lead that have names.
	namedPaths []*namedPaths
}

// tables returns the tables of the view, the base first.
func (v *view) tables() []*table { return append([]*table{v.base}, v.joined...) }

// joins reports whether a table is joined to the rows of the view.
func (v *view) joins(t *table) bool {
	return slices.ContainsFunc(v.joined, func(o *table) bool { return o.Name == t.Name })
}

// columns returns the columns of all tables of the view.
func (v *view) columns() []*column {
	var out []*column
	for _, t := range v.tables() {
		out = append(out, t.columns...)
	}
	return out
}

// viewsMax is the maximum number of tables that are read. If there are more, the tables that the
// questions refer to are read.
const viewsMax = 12

// views returns one view for each table. m is what the tables mean; it may be nil.
func views(all []analyst.Table, m *meaning.Meaning) []*view {
	out := make([]*view, 0, len(all))
	for i := range all {
		out = append(out, &view{base: tableOf(all, i, m)})
	}
	taken := make(map[string]bool)
	for _, v := range out {
		for _, c := range v.base.columns {
			if c.isNumber() {
				for _, name := range [][]string{c.words, c.bare, coreOf(c.words)} {
					taken[strings.Join(name, " ")] = true
				}
			}
		}
	}
	for i, v := range out {
		v.taken = taken
		v.join(all, i, m)
	}
	return out
}

// together reports whether one statement may query both tables: a remote database can only query its
// own tables.
func together(a, b *table) bool {
	return a.Dialect.OfFiles() && b.Dialect.OfFiles() || a.SourceID == b.SourceID
}

// relevant keeps the tables that the questions refer to, in their order.
func relevant(all []analyst.Table, questions []string) []analyst.Table {
	if len(all) <= viewsMax {
		return all
	}
	asked := make(map[string]bool)
	for _, q := range questions {
		for _, t := range lex(q) {
			asked[t.stem] = true
		}
	}
	scores := make([]int, len(all))
	for i := range all {
		scores[i] = score(&all[i], asked)
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return scores[b] - scores[a] })
	order = order[:viewsMax]
	slices.Sort(order)
	out := make([]analyst.Table, 0, viewsMax)
	for _, i := range order {
		out = append(out, all[i])
	}
	return out
}

// score counts the words that a table has in common with the questions.
func score(t *analyst.Table, asked map[string]bool) int {
	n := 0
	count := func(weight int, words []string) {
		for _, w := range words {
			if asked[w] {
				n += weight
			}
		}
	}
	count(4, stems(splitName(t.Name+" "+t.Title)))
	for i := range t.Columns {
		c := &t.Columns[i]
		count(3, stems(splitName(c.Name)))
		count(1, stems(splitName(c.Description)))
		for _, v := range c.Values {
			count(1, stems(splitName(v)))
		}
	}
	return n
}

func tableOf(all []analyst.Table, i int, m *meaning.Meaning) *table {
	t := &table{Table: &all[i], index: i, manner: columns.MannerOf(all[i].Columns), meaning: all[i].In(m)}
	t.said = t.wordsFor(m)
	name := t.Name
	if _, bare, ok := strings.Cut(name, "."); ok {
		name = bare
	}
	t.words = stems(expanded(splitName(name)))
	if title := splitName(t.Title); parts(title, splitName(name)) {
		t.words = stems(title)
	}
	for k := range t.Columns {
		c := &t.Columns[k]
		words := splitKeyName(splitName(c.Name), all)
		var shown []string
		if header := splitName(headerOf(c)); parts(header, words) {
			// A header such as HomeTeam shows how hometeam splits into words.
			words, shown = header, header
		} else if h, _ := columns.Header(c); columns.BeginsWithDigit(h) {
			words, shown = header, header // SQL needs the letter in n_2023, the heading does not
		}
		t.columns = append(t.columns, &column{
			Column: c, table: t, words: stems(expanded(words)), shown: shown,
			bare: bareOf(c.Description, words), sign: signOf(c),
		})
	}
	t.learn()
	return t
}

// splitKeyName splits the name of a key that is written as one word: paperid is the id of a paper, if there is a table of papers.
// The name of a table decides, because paid and grid end like that as well.
func splitKeyName(words []string, all []analyst.Table) []string {
	n := len(words)
	if n == 0 {
		return words
	}
	thing, ok := strings.CutSuffix(words[n-1], "id")
	if !ok || len(thing) < 3 {
		return words
	}
	for i := range all {
		for _, name := range splitName(all[i].Bare()) {
			switch part := strings.TrimSuffix(thing, singular(name)); {
			case stem(thing) == stem(name):
				return append(words[:n-1:n-1], thing, "id")
			case len(name) > 3 && part != thing && len(part) > 2:
				return append(words[:n-1:n-1], part, singular(name), "id") // citingpaperid is the id of a citing paper
			}
		}
	}
	return words
}

// parts reports whether a header splits a name into more words than the name itself shows.
func parts(header, words []string) bool {
	return len(header) > len(words) && strings.Join(header, "") == strings.Join(words, "") &&
		!slices.ContainsFunc(header, func(w string) bool {
			return len(w) < 3 && !slices.Contains(words, w) && !isOne(w, "id", "no", "nr", "on", "at", "by", "of", "in", "to", "is", "up", "km",
				"kg", "hr")
		})
}

// headerOf returns the text above an uploaded column, without the notes after it, or else the
// description of the column.
func headerOf(c *domain.Column) string {
	if header, _ := columns.Header(c); header != "" {
		return header
	}
	if sign := signOf(c); sign != "" {
		return strings.TrimSuffix(c.Description, ", in "+sign)
	}
	return c.Description
}

// bareOf returns the words of a header without the unit in brackets after them: yield for "Yield
// (t/ha)".
func bareOf(header string, words []string) []string {
	name, unit, ok := strings.Cut(header, "(")
	bare := splitName(name)
	if !ok || !strings.Contains(unit, ")") || len(bare) == 0 || len(bare) >= len(words) || !slices.Equal(bare, words[:len(bare)]) {
		return nil
	}
	return stems(bare)
}

// joinKey finds a column that both tables share and that identifies one row of the other table: the
// same name, or customer_id here and id in customers. Anything less clear is not a join, because a
// wrong join returns wrong numbers without any sign of it.
func joinKey(base, other *table) (on, key *column) {
	for _, b := range base.columns {
		if !b.keyLike() {
			continue
		}
		for _, o := range other.columns {
			if !o.unique() || b.kind() != o.kind() {
				continue
			}
			same := strings.EqualFold(b.Name, o.Name) && len(b.words) > 1
			named := len(o.words) == 1 && o.words[0] == "id" && len(b.words) == 2 && b.words[1] == "id" && slices.Contains(other.words, b.words[0])
			if !same && !named {
				continue
			}
			if on != nil {
				// With two possible joins, none of them is clear.
				return nil, nil
			}
			on, key = b, o
		}
	}
	return on, key
}

// unique reports whether it is proven that a column identifies each row of its table: by a measured key, or by a count of its
// different values.
func (c *column) unique() bool {
	switch {
	case c.table.Rows == 0 || c.Nulls > 0:
		return false
	case c.Column != nil && c.Repeats:
		return false
	case !c.estimated() && c.table.Rows <= domain.DistinctCountedRows:
		return c.Distinct >= c.table.Rows
	default:
		return c.isKey()
	}
}

// estimated reports whether the number of its different values is an estimate of a remote database.
func (c *column) estimated() bool { return c.Column != nil && c.Estimated }

// isKey reports whether a column is by itself a measured or declared key of its table.
func (c *column) isKey() bool {
	m := c.table.meaning
	return m != nil && c.Column != nil &&
		slices.ContainsFunc(m.Keys, func(key []string) bool { return len(key) == 1 && key[0] == c.Name })
}

// names reports whether a column identifies the rows: it is unique, except for rows that are in the
// file more than once.
func (c *column) names() bool {
	if c.unique() {
		return true
	}
	return c.table.Rows >= 20 && c.Nulls == 0 && 100*c.Distinct >= 95*c.table.Rows && c.keyLike()
}

// keyLike reports whether a column refers to something, rather than measures it.
func (c *column) keyLike() bool {
	if len(c.words) == 0 {
		return false
	}
	if strings.HasSuffix(strings.TrimSpace(c.Description), "#") || strings.HasSuffix(strings.TrimSpace(c.Description), "№") {
		return true
	}
	switch c.words[len(c.words)-1] {
	case "id", "code", "key", "line", "no", "nr", "number", "uuid", "sku", "num", "ref", "isbn", "ean":
		return true
	default:
		return false
	}
}

// kind groups the types by the operations that they allow.
func (c *column) kind() domain.ColumnType {
	if c.Type == domain.ColumnInteger {
		return domain.ColumnNumber
	}
	return c.Type
}

func (c *column) isDate() bool { return c.Type == domain.ColumnDate || c.Type == domain.ColumnTime }
func (c *column) isBool() bool { return c.Type == domain.ColumnBoolean }
func (c *column) isText() bool { return c.Type == domain.ColumnText }

// isNumber reports whether a column can be measured: numbers that are not a key, a year or a code.
func (c *column) isNumber() bool {
	if m := c.meant(); m != nil && m.Reasons["role"].State == meaning.Said {
		return c.kind() == domain.ColumnNumber && m.Role == meaning.Measure
	}
	return c.kind() == domain.ColumnNumber && !c.identifies() && !c.isYear() && !c.isFlag()
}

// identifies reports whether a number or text only names things.
func (c *column) identifies() bool {
	if c.keyLike() {
		return true
	}
	if len(c.words) == 0 {
		return false
	}
	if c.isSerial() || c.unique() && c.Type == domain.ColumnInteger &&
		(strings.ContainsAny(c.Description, "#№") && !c.numberOf() || slices.Equal(c.words, c.table.words[max(0, len(c.table.words)-1):])) {
		return true
	}
	switch c.words[len(c.words)-1] {
	case "zip", "zipcod", "postcod", "postal", "phone", "telephon", "mobil", "fax", "latitud", "longitud", "lat", "lon", "lng", "index":
		return true
	default:
		return false
	}
}

// isSerial reports whether whole numbers only number the rows: 1, 2, 3 and so on, or 1001, 1002, 1003.
func (c *column) isSerial() bool {
	if c.Type != domain.ColumnInteger || !c.unique() {
		return false
	}
	if name := splitName(c.Name); c.table.Rows < 8 && (c.table.Rows < 3 || !countable(name[len(name)-1]) || isPlural(name[len(name)-1])) {
		return false // if there are few rows, only a name such as order is a sign of it
	}
	low, high := parseNumber(c.Min), parseNumber(c.Max)
	return high-low+1 == float64(c.table.Rows)
}

// isFlag reports whether a column contains zeros and ones that mean no and yes.
func (c *column) isFlag() bool {
	return c.Type == domain.ColumnInteger && c.Distinct == 2 && c.Min == "0" && c.Max == "1"
}

// isYear reports whether a column contains calendar years.
func (c *column) isYear() bool {
	if c.Type != domain.ColumnInteger || len(c.words) == 0 || len(c.Min) != 4 || len(c.Max) != 4 {
		return false
	}
	return slices.Contains(c.words, "year") || yearName(c.words[len(c.words)-1]) && parseNumber(c.Min) >= 1800 && parseNumber(c.Max) <= 2100
}

// isPart reports whether a number is a part of the calendar, such as month 1 to 12.
func (c *column) isPart() bool {
	if c.Type != domain.ColumnInteger || len(c.words) == 0 {
		return false
	}
	if raw := splitName(c.Name); strings.HasSuffix(raw[len(raw)-1], "s") {
		// Delivery days are a duration, and not days of a calendar.
		return c.isYear()
	}
	if len(c.words) > 2 || parseNumber(c.Min) < 0 || parseNumber(c.Max) > 53 && !c.isYear() {
		return false
	}
	switch c.words[len(c.words)-1] {
	case "month", "quarter", "week", "hour", "day", "weekday":
		return c.Distinct <= 53
	default:
		return c.isYear()
	}
}

// groups reports whether it is useful to group rows by the column.
func (c *column) groups() bool {
	switch {
	case c.isBool(), c.isPart():
		return true
	case c.isText():
		return !c.unique() || c.table.Rows == 0
	case c.isDate():
		return true
	default:
		return !c.isNumber() || (c.Distinct > 0 && c.Distinct <= 20)
	}
}

// rate reports whether a number must not be summed: a price, a percentage, a temperature. Its mean is
// meaningful, its sum is not.
func (c *column) rate() bool {
	if c.made != nil {
		return c.made.rate()
	}
	if n := c.stated(); n != nil {
		return n.Adds == meaning.Rate
	}
	if c.openPart() {
		return false
	}
	if c.isFraction() || c.isOpinion() || c.sign == "%" {
		return true
	}
	if slices.Contains(c.words, "total") {
		// A total price is already multiplied, and can be summed.
		return false
	}
	if c.lasts() || c.earns() || len(c.words) > 1 && c.words[0] == "year" && !c.isYear() {
		return true // years at the company belong to one person
	}
	for _, w := range append(append(splitName(c.Name), c.words...), c.meaning) {
		switch w {
		case "kw", "watt", "watts", "amp", "amperag", "hz", "co2", "ppm", "noise", "pulse", "puls", "glucos", "cholesterol", "bp", "systolic",
			"diastolic", "wind",
			"utilization", "utilisation", "efficiency", "elevation", "altitud", "odometer", "body", "result", "finish", "split", "lap", "elaps",
			"frequenc":
			return true
		case "price", "pric", "rate", "ratio", "percent", "pct", "percentag", "share", "age", "score", "rating", "temperatur", "temp", "humidity",
			"pressur", "speed", "salary", "wage", "grade", "gpa", "satisfaction", "nps", "csat", "index", "level", "stars", "star", "tenur",
			"average", "averag", "avg", "mean", "median", "margin", "vibration", "voltag", "rpm", "height", "bmi", "density", "experienc",
			"stay", "balanc", "batter", "battery", "population", "occupancy", "eas", "ease", "discount",
			"duration", "latency", "wait", "delay", "size", "depth", stem("thickness"), stem("diameter"), "slope",
			"salinity", "turbidity", "likelihood", "probability", "frequency", "rank":
			if w == "margin" && !slices.Contains(c.words, "pct") && !slices.Contains(c.words, "percent") && !slices.Contains(c.words, "rate") {
				continue
			}
			return true
		}
	}
	return strings.Contains(c.Name, "%") || strings.HasSuffix(c.words[len(c.words)-1], "temperatur")
}

// lasts reports whether a column is a duration that belongs to one row: the response time.
func (c *column) lasts() bool {
	return slices.Contains(c.words, "time") && !slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, stem("spent"), stem("worked"), stem("work"), stem("overtime"), "over", "full", "part", "on", "count", "number")
	})
}

// earns reports whether a column is the income of a person, where each row is a person: it is compared
// by its mean.
func (c *column) earns() bool {
	if slices.Contains(splitName(c.Name), "paid") {
		return false // an amount that was paid for a thing is not an income
	}
	if !slices.ContainsFunc(c.words, func(w string) bool {
		return isOne(w, stem("income"), stem("earnings"), stem("compensation"), "pay")
	}) {
		return false
	}
	return slices.ContainsFunc(c.table.columns, func(other *column) bool {
		return slices.ContainsFunc(other.words, func(w string) bool {
			return isOne(w, "age", "gender", "sex", "hire", stem("employee"), "job", stem("department"), "education", "marital")
		})
	})
}

// isFraction reports whether a column contains fractions of one, such as a discount of 0.2.
func (c *column) isFraction() bool {
	return c.Type == domain.ColumnNumber && c.Distinct > 1 && c.Max != "" && parseNumber(c.Min) >= 0 && parseNumber(c.Max) <= 1
}

// isOpinion reports whether a column contains answers on a scale: its name is a whole question, or a
// rating of the table has the same scale.
func (c *column) isOpinion() bool {
	if c.Type != domain.ColumnInteger || c.Distinct < 3 || c.Distinct > 11 || (c.Min != "0" && c.Min != "1") {
		return false
	}
	if len(c.words) >= 4 && isOne(c.words[0], "how", "what", "would", "do", "i", "my", "the", "did", "are", "is") {
		return true
	}
	for _, other := range c.table.columns {
		if other.Min == c.Min && other.Max == c.Max && slices.ContainsFunc(other.words, func(w string) bool {
			return isOne(w, "satisfaction", "rating", "agree", "recommend")
		}) {
			return !slices.ContainsFunc(c.words, func(w string) bool {
				return isOne(w, "quantity", "qty", "unit", "item", "count", "number", "bedroom", "child")
			})
		}
	}
	return false
}

// title returns the column's name as people read it.
func (c *column) title() string { return strings.Join(c.titleWords(), " ") }

// titleWords returns the words of that name.
func (c *column) titleWords() []string {
	if c.shown != nil {
		return slices.Clone(c.shown)
	}
	return splitName(c.Name)
}

// entity returns the noun for the rows of the table: orders.
func (t *table) entity() string {
	name := t.Name
	if _, bare, ok := strings.Cut(name, "."); ok {
		name = bare
	}
	return strings.Join(splitName(name), " ")
}

// label returns the name that people use for the table, with their own capitals if the title has the
// same words: Umsätze 2025 Filialen.
func (t *table) label() string {
	entity, words := t.entity(), splitName(t.Title)
	switch {
	case entity == strings.Join(words, " "):
		return strings.Join(columns.Split(t.Title), " ")
	case entity == "n "+strings.Join(words, " "):
		return t.Title // SQL needs the letter in n_2024, people do not
	case strings.ReplaceAll(entity, " ", "") == strings.Join(words, ""):
		return strings.Join(strings.FieldsFunc(t.Title, func(r rune) bool { return r == '_' || r == ' ' }), " ") // churnDataSet 2024
	default:
		return entity
	}
}

// dates returns the dates of the table; the one that is meant if a question names none is first.
func (t *table) dates() []*column {
	var out []*column
	for _, c := range t.columns {
		if c.isDate() {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *column) int { return dateRank(b) - dateRank(a) })
	if m := t.meaning; m != nil && m.Time != "" {
		slices.SortStableFunc(out, func(a, b *column) int { return rankOf(a.Name == m.Time) - rankOf(b.Name == m.Time) })
	}
	return out
}

// dateRank prefers the date of the event itself to the dates of its record. It orders the dates that are not the default time.
func dateRank(c *column) int {
	rank := 0
	for _, w := range c.words {
		switch w {
		case "order", "invoic", "sale", "sales", "transaction", "purchas", "event", "visit", "timestamp", "measur", "record", "ticket", "hire",
			"open":
			rank += 2
		case "created", "creat", "date", "time", "day":
			rank++
		case "updat", "modifi", "modify", "birth", "delet", "due", "ship", "deliver", "delivery", "end", "close", "clos", "termination", "exit",
			"resolv":
			rank -= 2
		}
	}
	if n := len(c.table.words); n > 0 && slices.Contains(c.words, c.table.words[n-1]) {
		rank += 2 // the date of a booking is the day on which it was booked
	}
	if c.table.Rows > 0 && c.Nulls*2 > c.table.Rows {
		rank -= 3
	}
	return rank
}
