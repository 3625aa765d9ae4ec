package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// statKind is a kind of question about how numbers are distributed or go together.
type statKind string

const (
	// statShape is the skewness, the kurtosis and the like of a number, in place of its standard deviation.
	statShape statKind = "shape"
	// statRelated is the correlation of two numbers, by groups or of their ranks.
	statRelated statKind = "related"
	// statMatrix is the correlation of each two of several numbers.
	statMatrix statKind = "matrix"
	// statLine is the line of least squares of two numbers.
	statLine statKind = "line"
	// statOutliers counts the values that are far from the others, or lists their rows.
	statOutliers statKind = "outliers"
	// statBins counts the values in a number of equal classes.
	statBins statKind = "bins"
	// statWelch is the test of two means.
	statWelch statKind = "welch"
	// statAnova, statChi2, statMann, statNormal and statPaired are the other tests: of the means of groups, of two columns, of the
	// ranks of two groups, of a normal distribution, and of two numbers of the same rows.
	statAnova  statKind = "anova"
	statChi2   statKind = "chi2"
	statMann   statKind = "ranks"
	statNormal statKind = "normal"
	statPaired statKind = "paired"
	// statFit is the regression of a number on several others.
	statFit statKind = "fit"
	// statMissing counts the missing values of each column.
	statMissing statKind = "missing"
)

// inquiry is the statistic that a question asks for. The rest of the form (its table, groups and conditions) is read by the grammar
// from the same question, in which the statistic is replaced by a standard deviation (or, for a test, by a mean).
type inquiry struct {
	kind statKind
	// shapes are the figures of statShape.
	shapes []shape
	// ranks takes the ranks of the numbers, and tested wants the p-value too.
	ranks, tested bool
	// rule is z or iqr and factor its distance; chosen reports that the question names the rule. list wants the rows.
	rule   string
	factor float64
	chosen bool
	list   bool
	// bins is the number of classes.
	bins int
	// share wants parts of all rows instead of numbers of rows.
	share bool
	// columns are those of statMatrix and statMissing, and those whose values make the groups of a test.
	columns []*column
	// part is the condition of a share whose groups are tested; nil for two columns.
	part *condition
}

// reads returns the columns that only the statistic knows of; s may be nil.
func (s *inquiry) reads() []*column {
	switch {
	case s == nil:
		return nil
	case s.part != nil:
		return append(slices.Clone(s.columns), s.part.col)
	}
	return s.columns
}

// shape is a figure of the distribution of a number.
type shape struct {
	// name is that of the query tree, said is how people call it, and least is how many values it needs.
	name, said, short string
	least             int64
}

var (
	// asksShapes matches one or several figures, and what ties them to their number.
	asksShapes = regexp.MustCompile(`(?i)\b` + shapeWords + `(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)(?:the\s+)?` + shapeWords +
		`)*\s+(?:of|in|for)\b`)
	oneShape = regexp.MustCompile(`(?i)` + shapeWords)
	// shapeAfter matches a figure after its number: salary skewness.
	shapeAfter = regexp.MustCompile(`(?i)\b(\w+)\s+(skewness|kurtosis)\b`)
	// asksSkewed matches a question for the skewness as a property.
	asksSkewed = regexp.MustCompile(`(?i)^(?:how\s+skewed\s+(?:is|are)|is|are)\s+(?:the\s+)?(.+?)(?:\s+skewed|)(\s+(?:by|per|for\s+` +
		`each)\s+.+?)?\s*\?*$`)
)

const shapeWords = `(?:(?:sample\s+)?skewness|skew|(?:sample\s+|excess\s+)*kurtosis|(?:sample\s+)?variance|` +
	`median\s+absolute\s+deviation|mad|inter-?\s?quartile\s+range|iqr|standard\s+deviation|std\.?\s?dev|stddev)`

// shapeOf is the figure of a word.
func shapeOf(word string) shape {
	w := strings.ToLower(word)
	switch {
	case strings.Contains(w, "skew"):
		return shape{"skew", "skewness (of a sample, G1)", "skewness", 3}
	case strings.Contains(w, "kurtosis"):
		return shape{"kurtosis", "excess kurtosis (of a sample, G2; 0 is that of a normal distribution)", "kurtosis", 4}
	case strings.Contains(w, "variance"):
		return shape{"var", "variance (of a sample)", "variance", 2}
	case strings.Contains(w, "absolute") || w == "mad":
		return shape{"mad", "median absolute deviation (the median of the distances from the median)", "median absolute deviation", 1}
	case strings.Contains(w, "quartile") || w == "iqr":
		return shape{"iqr", "interquartile range (the third quartile minus the first one)", "interquartile range", 1}
	}
	return shape{"std", "standard deviation (of a sample)", "standard deviation", 2}
}

// carrier replaces the statistic of a number in a question, so that the grammar reads the rest of the question.
const carrier = "standard deviation of "

// statistical reads a phrased question for a statistic; nil if it asks for none.
func (p *planner) statistical(text string, before *form) *form {
	for _, read := range []func(string) *form{
		p.tested, p.testOfMeans, p.missingOfColumns, p.matrix, p.line, p.outliers, p.classes, p.related,
	} {
		if f := read(text); f != nil {
			return f
		}
	}
	return p.shapes(text, before)
}

// attached gives a form that was read from a carrier its statistic, and writes its query. check refuses what the statistic is
// not made of.
func attached(f *form, s *inquiry, check func(f *form)) *form {
	if f == nil {
		return nil
	}
	if f.help || !f.understood() {
		// The person has not asked for the replacement, so the reason must not name it.
		f.reason = strings.NewReplacer(carrier, "", "“standard deviation”", "that").Replace(f.reason)
		return f
	}
	f.stat = s
	if len(f.ignored) > 0 {
		f.block(fmt.Sprintf("I could not place %s beside a statistic.", strings.Join(quoteAll(f.ignored), ", ")))
	}
	if f.limit > 0 || len(f.having) > 0 || f.share || f.shareOf != nil || f.growth || f.running || f.moving != nil || f.counted != nil {
		f.block("I make this statistic of rows and of their groups, without rankings, shares or changes of it.")
	}
	for _, m := range f.measures {
		if m.col != nil && m.col.made == nil && !f.blocked && !f.follows && !f.pointsAt(m.col) {
			f.block(fmt.Sprintf("You do not name %s, and I could not tell which numbers you mean.", quoteName(m.col)))
		}
	}
	for i := range f.atoms {
		if a := &f.atoms[i]; a.kind == atomLink && !f.blocked && !f.follows && !f.holds(a) {
			f.block(fmt.Sprintf("I could not tell what “%s” has to do with the statistic.", a.words))
		}
	}
	if !f.blocked {
		check(f)
	}
	if f.blocked && s.tests() {
		f.stat = nil // it may lack what its words speak of
	}
	f.write()
	return f
}

// pointsAt reports whether the question itself names a column.
func (f *form) pointsAt(c *column) bool {
	return slices.ContainsFunc(f.atoms, func(a atom) bool {
		return slices.ContainsFunc(a.links, func(l link) bool {
			return !l.isValue && l.column != nil && l.column.Name == c.Name && l.column.table.Name == c.table.Name
		})
	})
}

// holds reports whether a name of the question is a part of the form: a table, a value, or a column that is used.
func (f *form) holds(a *atom) bool {
	used := func(c *column) bool {
		return slices.ContainsFunc(f.measures, func(m measure) bool { return m.col == c }) || f.filters(c) ||
			slices.ContainsFunc(f.dims, func(d dimension) bool { return d.col == c }) ||
			slices.ContainsFunc(f.where, func(w condition) bool { return w.other == c }) || f.stat.part != nil && f.stat.part.col == c
	}
	return slices.ContainsFunc(a.links, func(l link) bool { return l.table != nil || l.isValue || l.column == nil || used(l.column) })
}

// spread returns the numbers of a form whose standard deviation replaced the statistic.
func (f *form) spread() []*column {
	var out []*column
	for _, m := range f.measures {
		if m.agg == aggStddev && m.col != nil && m.per == nil && m.over == nil && m.each == grainNone && !slices.Contains(out, m.col) {
			out = append(out, m.col)
		}
	}
	return out
}

// fits reports whether a form still has what its statistic is made of; a later question may have taken it away.
func (s *inquiry) fits(f *form) bool {
	switch s.kind {
	case statShape, statOutliers:
		return len(f.spread()) > 0
	case statRelated, statLine:
		return len(f.spread()) == 2 && len(f.measures) == 2
	case statPaired, statFit:
		return len(f.spread()) == len(f.measures) && len(f.measures) > 1 && len(f.dims) == 0
	case statNormal:
		return len(f.spread()) == 1 && len(f.dims) == 0
	case statWelch, statMann:
		_, ok := f.twoSides()
		return ok
	case statAnova:
		return f.mode == modeGroups && len(f.dims) == 0 && len(f.measures) == 1 && f.measures[0].agg == aggAvg
	case statBins:
		return f.mode == modeGroups && len(f.dims) == 1 && f.dims[0].col.isNumber()
	default:
		return f.mode == modeGroups && len(f.dims) == 0
	}
}

// keepStatistic drops the statistic of the question before if a later one has taken away what it is made of, and says what was
// kept in the words of the person.
func (f *form) keepStatistic() {
	if f.stat == nil {
		return
	}
	if !f.stat.fits(f) {
		if f.follows && f.stat.tests() {
			f.block("That changes what the test is made of: please ask for the whole test again.")
		}
		f.stat = nil
		return
	}
	said := ""
	if len(f.stat.shapes) > 0 {
		said = f.stat.shapes[0].short + " of "
	}
	for i, n := range f.notes {
		f.notes[i] = strings.ReplaceAll(n, carrier, said)
	}
}

// numeric refuses a statistic of anything but a number of want columns of the table whose rows are read.
func (f *form) numeric(want int, what string) {
	found := f.spread()
	switch {
	case len(found) != len(f.measures) || want > 0 && len(found) != want || len(found) == 0:
		f.block(fmt.Sprintf("%s needs %s, and I could not read them here.", what,
			map[bool]string{true: "columns of numbers", false: map[int]string{
				1: "one column of numbers",
				2: "two columns of numbers",
			}[want]}[want == 0]))
	case f.mode != modeGroups:
		f.block("I could not tell what the statistic should be of.")
	}
	for _, c := range found {
		f.spreadOut(c, what)
	}
}

// spreadOut refuses a number whose rows a join repeats, and a column that is not a quantity.
func (f *form) spreadOut(c *column, what string) {
	switch {
	case !c.isNumber() || c.keyLike() || c.identifies():
		f.block(fmt.Sprintf("%s needs numbers, and %s has none to calculate with.", what, quoteName(c)))
	case c.made == nil && c.table != f.view.base:
		f.block(fmt.Sprintf("%s is a column of `%s`, and would be repeated for each row of `%s`, so %s of it would count values several times.",
			quoteName(c), c.table.label(), f.view.base.label(), strings.ToLower(what)))
	}
}

// enough refuses a statistic of a column that has too few values, if that is known before the query runs.
func (f *form) enough(c *column, least int64, what string) {
	if c.made == nil && c.table.Rows > 0 && c.table.Rows-c.Nulls < least {
		f.block(fmt.Sprintf("%s has %s, and %s needs at least %d.", quoteName(c), count(int(c.table.Rows-c.Nulls), "value"), what, least))
	}
}

// shapes reads a question for the shape of a distribution.
func (p *planner) shapes(text string, before *form) *form {
	names := p.namesColumn
	var words []string
	rest := ""
	switch at := asksShapes.FindStringIndex(text); {
	case at != nil && !names(text[at[0]:at[1]]):
		words = oneShape.FindAllString(text[at[0]:at[1]], -1)
		rest = text[:at[0]] + strings.TrimSpace(carrier) + " " + text[at[1]:]
		if strings.HasSuffix(text[:at[0]], " the ") {
			rest = strings.TrimSuffix(text[:at[0]], "the ") + carrier + text[at[1]:]
		}
	case shapeAfter.MatchString(text) && !names("skewness kurtosis"):
		m := shapeAfter.FindStringSubmatch(text)
		words, rest = m[2:], strings.Replace(text, m[0], carrier+m[1], 1)
	case strings.Contains(strings.ToLower(text), "skewed") && asksSkewed.MatchString(text):
		m := asksSkewed.FindStringSubmatch(text)
		words, rest = []string{"skewness"}, carrier+m[1]+m[2]
	default:
		return nil
	}
	s := &inquiry{kind: statShape}
	for _, w := range words {
		if one := shapeOf(w); !slices.Contains(s.shapes, one) {
			s.shapes = append(s.shapes, one)
		}
	}
	if !slices.ContainsFunc(s.shapes, func(x shape) bool { return x.name != "std" }) {
		return nil // the grammar has a word for the standard deviation
	}
	return attached(p.readGrammar(rest, before), s, func(f *form) {
		if len(f.spread()) == 0 {
			f.block(fmt.Sprintf("I could not tell which numbers the %s should be of.", s.shapes[0].short))
		}
		for _, c := range f.spread() {
			f.spreadOut(c, "A "+s.shapes[0].short)
			if len(f.where) == 0 {
				for _, x := range s.shapes {
					f.enough(c, x.least, "a "+x.short)
				}
			}
		}
	})
}

// namesColumn reports whether a column has one of the words of a figure in its name: the variance of a budget.
func (p *planner) namesColumn(words string) bool {
	for _, t := range lex(words) {
		if isOne(t.norm, "of", "in", "for", "the", "and", "standard", "sample", "range", "median", "excess", "absolute") {
			continue
		}
		for _, v := range p.views {
			if slices.ContainsFunc(v.columns(), func(c *column) bool { return slices.Contains(c.words, t.stem) }) {
				return true
			}
		}
	}
	return false
}
