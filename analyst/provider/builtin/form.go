package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/domain"
)

// dimension is the column or time that the rows are grouped by.
type dimension struct {
	col   *column
	grain grain   // of a date
	width float64 // of a number's bins
	// periods are the times that are compared, if no grain separates them.
	periods []span
}

// operator is the operator of a condition.
type operator string

const (
	opIn       operator = "in"
	opNotIn    operator = "not in"
	opEq       operator = "="
	opNe       operator = "!="
	opGt       operator = ">"
	opGe       operator = ">="
	opLt       operator = "<"
	opLe       operator = "<="
	opBetween  operator = "between"
	opContains operator = "contains"
	opStarts   operator = "starts"
	opEnds     operator = "ends"
	opNull     operator = "null"
	opNotNull  operator = "not null"
	opSpan     operator = "span"
	// opRecurring selects a time that recurs: weekends, summers.
	opRecurring operator = "recurring"
)

// condition is a filter on rows.
type condition struct {
	col     *column
	op      operator
	values  []string
	nums    []float64
	span    span
	recur   recurring
	percent bool      // the number was written as a percentage
	not     bool      // of opRecurring and opSpan
	other   *column   // compared with, instead of a number
	also    []*column // these columns may contain the value as well
	guessed bool      // the question did not name the column
	events  *form     // of opHasNone, opHasSome and opHasFew: the rows that belong to the thing
	than    operator  // of opHasFew
}

// having is a filter on groups.
type having struct {
	rows    bool // the question says that the number counts rows
	measure int
	op      operator
	nums    []float64
}

// mode is the kind of answer that is asked for.
type mode string

const (
	modeGroups      mode = "groups"
	modeRows        mode = "rows"
	modeDescribe    mode = "describe"
	modeCorrelation mode = "correlation"
)

// form is the meaning of a question, independent of its words and of SQL.
type form struct {
	view *view
	// over is the planner that reads the form over one of several paths between two tables, if the question chose a path; nil
	// otherwise.
	over     *planner
	mode     mode
	measures []measure
	dims     []dimension
	where    []condition
	having   []having
	// orderDim orders by the first dimension rather than by the first measure.
	orderDim bool
	desc     bool
	ordered  bool // the question names the order
	reverse  bool // the order of the question before is to be turned
	orderCol *column
	limit    int
	nth      int // the place of a ranking that was asked for, from 2 on; 0 for no such place
	// share is the part of the whole of each group; with shareOf, the part of the rows that match
	// shareOf.
	share   bool
	tested  bool // the p-value of a correlation was asked for
	shared  bool // a share was asked for, of the number of the question before
	shareOf *condition
	// stat is what is asked of the distribution of the numbers; nil for the plain figures.
	stat    *inquiry
	growth  bool
	running bool    // each total includes the totals before it
	moving  *window // each value covers the units up to it; nil for an ordinary form
	compare bool
	// single reports that the question asks for one group: "which region has the highest revenue".
	single bool
	// latestOf keeps only the latest rows, by the order, for each of its values.
	latestOf *column
	counted  *column // the groups of this column are counted: how many customers have more than 10 orders
	thing    *column // the column of the base that names the things of such a condition, if they have no table of their own
	within   *column // the limit applies to each value of it: top 3 products in each region
	// blocked reports that an answer would belong to another question; reason says why, unless a name
	// is the reason.
	blocked bool
	reason  string
	columns []*column // of modeRows
	chart   string
	// further sentences of the plan
	notes []string
	// asks means that the reason is a question to the person, who can mean several things.
	asks bool
	// atEnd means that the question asks for what there is at the end of a time, and nothing has been taken as such yet.
	atEnd bool
	// lastOf are the levels of which the last period was taken by default: nobody said so.
	lastOf []lastTaken
	// taken is the number by which things are ranked by default; nil if the question or a person named one.
	taken   *column
	ignored []string
	read    []string // typing errors that were corrected, such as "revnue" → revenue
	// score of the reading: explained words, and words without an explanation
	explained float64
	fragment  bool   // the question does not say what is asked; it may depend on the question before
	unranked  bool   // it asks for a ranking without naming what to rank
	few       int    // how many places such a ranking has
	unsure    string // why it is not answered alone, though it may follow another question
	follows   bool   // the question itself says that it follows another one
	stance    stance // its relation to the question before
	flow      string // money out (<) or in (>), of a column that contains both
	flowed    bool   // the order already takes the flow into account
	fanned    bool   // another table would have to be the base, because a join repeats rows
	// These are the question's words, and what each of them was read as.
	tokens []token
	atoms  []atom
	help   bool
	// statement is the query in the SQL of its tables, of a form that was understood.
	statement string
	// queryTree is the query tree of the statement; nil for a statement that is written by hand.
	queryTree *queryTree
	// greeting is what was said instead of a question, such as hello or thanks; "" for a request for
	// help.
	greeting string
}

// clone copies a form so that a follow-up can change it.
func (f *form) clone() *form {
	c := *f
	c.measures = slices.Clone(f.measures)
	c.dims = slices.Clone(f.dims)
	c.where = slices.Clone(f.where)
	c.having = slices.Clone(f.having)
	c.columns = slices.Clone(f.columns)
	c.notes, c.ignored, c.read, c.lastOf = nil, nil, nil, nil
	return &c
}

// understood reports whether enough of the question is explained to answer it.
func (f *form) understood() bool {
	if f.mode == modeDescribe {
		return len(f.ignored) <= 1
	}
	return !f.blocked && f.explained > 0 && float64(len(f.ignored)) < max(1, f.explained)
}

// block prevents an answer to a part of a question, if the rest would change the meaning.
func (f *form) block(reason string) {
	f.blocked = true
	if f.reason == "" {
		f.reason = brief(reason)
	}
}

// ask prevents an answer until the person says which of several things is meant.
func (f *form) ask(reason string) {
	f.asks = f.asks || f.reason == ""
	f.block(reason)
}

// note adds a sentence to the plan, once.
func (f *form) note(text string) {
	if text = brief(text); !slices.Contains(f.notes, text) {
		f.notes = append(f.notes, text)
	}
}

// quotedMax is the maximum length at which a word or a value of the question is quoted, in characters.
const quotedMax = 80

// longQuote matches a longer text between quotation marks.
var longQuote = regexp.MustCompile(fmt.Sprintf("“([^”]{%d,})”", quotedMax+1))

// brief shortens the quotations of a sentence: a word of sixty thousand letters is not repeated
// completely.
func brief(text string) string {
	return longQuote.ReplaceAllStringFunc(text, func(quoted string) string {
		return "“" + cut(strings.Trim(quoted, "“”")) + "”"
	})
}

// cut shortens a word for a quotation.
func cut(w string) string {
	if short := domain.Shorten(w, quotedMax); short != w {
		return short + "…"
	}
	return w
}

// timed returns the first dimension of time, or nil.
func (f *form) timed() *dimension {
	for i := range f.dims {
		if f.dims[i].grain != grainNone {
			return &f.dims[i]
		}
	}
	return nil
}

// dateColumn selects the date that a span or a grain refers to.
func (f *form) dateColumn(hint []string) *column {
	for _, t := range f.view.tables() {
		dates := t.dates()
		for _, c := range dates {
			for _, w := range c.words {
				if len(w) > 2 && w != "date" && w != "time" && !whoOrWhat(w) && w != "order" && w != "event" && !slices.Contains(t.words, stem(w)) &&
					!slices.Contains(f.view.base.words, w) && slices.Contains(hint, w) {
					return c
				}
			}
		}
	}
	if dates := f.view.base.dates(); len(dates) > 0 {
		return dates[0]
	}
	for _, t := range f.view.joined {
		if dates := t.dates(); len(dates) > 0 {
			return dates[0]
		}
	}
	return nil
}

// whoOrWhat reports whether a noun in a date's name says whose date it is, and not what happened: a
// question for customers does not ask by customer_since.
func whoOrWhat(w string) bool {
	return isOne(w, "customer", "client", "account", "user", "member", "employe", "employee", "patient", "student", "product", "item",
		"supplier", "person", "company", "contract", "subscriber", "order", "ticket", "driver", "agent", "doctor", "store", "hotel", "school",
		"team", "player", "vehicle", "machine", "vendor", "book", "course", "project", "event")
}

// reach returns the first and last day of a date column.
func (c *column) reach() (from, to time.Time) {
	if c == nil || c.Column == nil {
		return time.Time{}, time.Time{}
	}
	return parseDay(c.Min), parseDay(c.Max)
}

func parseDay(s string) time.Time {
	if len(s) >= 10 {
		if t, err := time.Parse(time.DateOnly, s[:10]); err == nil {
			return t
		}
	}
	return time.Time{}
}

// used returns the joined tables that the form needs.
func (f *form) used() []*table {
	var out []*table
	var use func(c *column)
	use = func(c *column) {
		if c != nil && c.made != nil {
			c = c.made.a // both are columns of one table
		}
		if c != nil && c.table != f.view.base && !slices.Contains(out, c.table) {
			if c.table.from != nil {
				use(c.table.ons[0]) // a table on the path is joined before
			}
			out = append(out, c.table)
		}
	}
	for _, m := range f.measures {
		use(m.col)
		use(m.per)
		use(m.over)
	}
	for _, d := range f.dims {
		use(d.col)
	}
	for _, w := range f.where {
		use(w.col)
		use(w.other)
	}
	for _, c := range slices.Concat(f.columns, f.stat.reads()) {
		use(c)
	}
	use(f.latestOf)
	use(f.orderCol)
	if f.shareOf != nil {
		use(f.shareOf.col)
	}
	return out
}

// prefix keeps a name from repeating a word: total_total_amount.
func prefix(p, s string) string {
	if strings.HasPrefix(s, p) || s == strings.TrimRight(p, "_ ") {
		return s
	}
	return p + s
}

func snake(s string) string {
	words := splitName(s)
	if len(words) == 0 {
		return "value"
	}
	return strings.Join(words, "_")
}

// coreTitle returns a column's name without the words for its form: customer for customer_id.
func coreTitle(c *column) string {
	words := c.titleWords()
	for len(words) > 1 && isOne(words[len(words)-1], "id", "name", "code", "no", "nr", "number", "key") {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

func singular(s string) string {
	switch {
	case strings.HasSuffix(s, "ies"):
		return s[:len(s)-3] + "y"
	case strings.HasSuffix(s, "zzes"):
		return s[:len(s)-3]
	case strings.HasSuffix(s, "xes"), strings.HasSuffix(s, "ches"), strings.HasSuffix(s, "shes"), strings.HasSuffix(s, "sses"):
		return s[:len(s)-2]
	case strings.HasSuffix(s, "ss"), strings.HasSuffix(s, "us"), !strings.HasSuffix(s, "s"), len(s) < 4:
		return s
	default:
		return s[:len(s)-1]
	}
}

func plural(s string) string {
	switch {
	case s == "" || strings.HasSuffix(s, "s"), strings.HasSuffix(s, "people"), strings.HasSuffix(s, "children"):
		return s
	case strings.HasSuffix(s, "child"):
		return s + "ren"
	case strings.HasSuffix(s, "person"):
		return strings.TrimSuffix(s, "person") + "people"
	case strings.HasSuffix(s, "y") && len(s) > 1 && !strings.ContainsRune("aeiou", rune(s[len(s)-2])):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	default:
		return s + "s"
	}
}

// name returns the name of the dimension in SQL.
func (d dimension) name() string {
	switch d.grain {
	case grainNone, grainAuto, grainMinute:
	case grainMonthName:
		return "month"
	case grainHourOfDay:
		return "hour"
	case grainWeekend:
		return "part_of_week"
	case grainHour, grainDay, grainWeek, grainMonth, grainQuarter, grainYear, grainWeekday:
		return string(d.grain)
	}
	if d.width > 0 {
		return snake(d.col.title()) + "_from"
	}
	if len(d.periods) > 0 {
		return "period"
	}
	return d.col.Name
}

// booleanLike reports whether a column contains yes and no, also in words.
func (c *column) booleanLike() bool {
	if c.isBool() {
		return true
	}
	if c.isFlag() {
		return true
	}
	if !c.isText() || c.Distinct < 2 || c.Distinct > 4 || len(c.Values) != int(c.Distinct) {
		return false
	}
	sides := 0
	for _, v := range c.Values {
		switch v = strings.ToLower(v); {
		case saysYes(v) || saysNo(v):
			sides++
		case !isOne(v, "maybe", "unknown", "not sure", "unsure", "n/a", "na", "don't know", "prefer not to say", "no answer", "undecided", "-"):
			return false
		}
	}
	return sides == 2
}

// saysYes reports whether a word in small letters means yes.
func saysYes(v string) bool {
	return isOne(v, "yes", "y", "true", "t", "ja", "oui", "si", "sí", "sì", "sim", "tak")
}

func saysNo(v string) bool {
	return isOne(v, "no", "n", "false", "f", "nein", "non", "não", "nie")
}

// truth returns the column's own word for yes or no.
func (c *column) truth(yes bool) string {
	if c.isFlag() {
		return map[bool]string{true: "1", false: "0"}[yes]
	}
	for _, v := range c.Values {
		if said := strings.ToLower(v); yes && saysYes(said) || !yes && saysNo(said) {
			return v
		}
	}
	if yes {
		return "true"
	}
	return "false"
}

// hasOrder reports whether the values of a column have an order.
func (c *column) hasOrder() bool { return c.kind() == domain.ColumnNumber || c.isDate() }
