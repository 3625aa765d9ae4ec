package statistics

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// Kind names a statistic.
type Kind string

// These are the kinds.
const (
	Profile     Kind = "profile"
	Outliers    Kind = "outliers"
	Correlation Kind = "correlation"
	Regression  Kind = "regression"
	Change      Kind = "percent_change"
	Bins        Kind = "bins"
	WelchT      Kind = "welch_t"
	PairedT     Kind = "paired_t"
	Anova       Kind = "anova"
	ChiSquare   Kind = "chi_square"
	JarqueBera  Kind = "jarque_bera"
	DAgostino   Kind = "dagostino"
	MannWhitney Kind = "mann_whitney"
)

// Kinds lists all kinds.
func Kinds() []Kind {
	return []Kind{
		Profile, Outliers, Correlation, Regression, Change, Bins, WelchT, PairedT, Anova, ChiSquare, JarqueBera, DAgostino, MannWhitney,
	}
}

// Limits of a request. They keep the statement short enough to be read and its pass over the data within the worker's
// memory.
const (
	// MaxColumns is the maximum number of columns; 20 columns make 190 pairs.
	MaxColumns = 20
	// MaxPredictors is the maximum number of predictors of a regression.
	MaxPredictors = 6
	// MaxBins is the maximum number of bins.
	MaxBins = 50
)

// Request asks for one statistic. Fields that its kind does not use must be zero, so that a misunderstanding is told
// and not ignored.
type Request struct {
	Kind Kind
	// From is what stands after FROM: a quoted table, or a SELECT in parentheses.
	From string
	// Known are the columns of From.
	Known []domain.Column
	// Columns are the columns of the statistic, in the order that its kind says (docs/statistics.md).
	Columns []string
	// By is the column of the groups; "" means one group of all rows.
	By string
	// Method is pearson or spearman for Correlation, z or iqr for Outliers, sum or mean for Change, width or quantile
	// for Bins; "" means the first one.
	Method string
	// K is the distance of Outliers: in standard deviations for z (0 means 3), in quartile ranges for iqr (0 means 1.5).
	K float64
	// Rows asks Outliers for their rows instead of their counts.
	Rows bool
	// Step is year, quarter, month, week, day or hour for Change; "" means month.
	Step string
	// Count is the number of bins; 0 means 10. Edges are given borders of bins, rising.
	Count int
	Edges []float64
	// Groups are the two groups to compare, as texts, if By has more than two.
	Groups []string
}

// shape says what the columns of a kind must be.
type shape struct {
	least, most int
	numbers     bool // all columns must be numbers
	by          byUse
}

// byUse says whether a kind takes groups.
type byUse int

const (
	byNever byUse = iota
	byMay
	byMust
)

func (k Kind) shape() shape {
	switch k {
	case Profile:
		return shape{1, MaxColumns, false, byMay}
	case JarqueBera, DAgostino:
		return shape{1, MaxColumns, true, byMay}
	case Outliers, Bins:
		return shape{1, 1, true, byMay}
	case Correlation:
		return shape{2, MaxColumns, true, byMay}
	case Regression:
		return shape{2, 1 + MaxPredictors, true, byMay}
	case Change:
		return shape{2, 2, false, byMay}
	case WelchT, Anova, MannWhitney:
		return shape{1, 1, true, byMust}
	case PairedT:
		return shape{2, 2, true, byNever}
	case ChiSquare:
		return shape{2, 2, false, byNever}
	}
	return shape{}
}

// rowsName is the name of the request's rows inside its statement. The other parts have short names, which a table may have
// as well, so only the part of this name reads From.
const rowsName = "the_rows"

// SQL checks the request and returns its SELECT. Errors have the code invalid, and say what to write instead.
func (q *Request) SQL() (string, error) {
	if err := q.validate(); err != nil {
		return "", err
	}
	return "WITH " + rowsName + " AS (SELECT * FROM " + q.From + "),\n" + q.parts(), nil
}

// parts returns what follows the rows.
func (q *Request) parts() string {
	switch q.Kind {
	case Profile:
		return q.profile()
	case JarqueBera, DAgostino:
		return q.normality()
	case Outliers:
		return q.outliers()
	case Correlation:
		return q.correlation()
	case Regression:
		return q.regression()
	case Change:
		return q.change()
	case Bins:
		return q.bins()
	case WelchT, MannWhitney:
		return q.twoGroups()
	case PairedT:
		return q.paired()
	case Anova:
		return q.anova()
	case ChiSquare:
		return q.chiSquare()
	}
	return ""
}

// validate checks the columns and then the options.
func (q *Request) validate() error {
	s := q.Kind.shape()
	if s.most == 0 {
		return invalid("There is no statistic %q. The kinds are: %s.", domain.Shorten(string(q.Kind), 40), listed(Kinds()))
	}
	switch n := len(q.Columns); {
	case n < s.least || n > s.most:
		return invalid("%s takes %s, and %d were given.", q.Kind, span(s.least, s.most), n)
	case q.By == "" && s.by == byMust:
		return invalid("%s compares groups: say in by which column has them.", q.Kind)
	case q.By != "" && s.by == byNever:
		return invalid("%s takes no by. Select the rows of a group with sql instead.", q.Kind)
	}
	for i, name := range q.Columns {
		c, err := q.find(name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(q.Columns[:i], func(other string) bool { return strings.EqualFold(other, name) }) {
			return invalid("The column %s is named twice.", c.Name)
		}
		if s.numbers && !isNumber(c) {
			return invalid("%s needs numbers, and the column %s is %s.", q.Kind, c.Name, c.Type)
		}
		q.Columns[i] = c.Name
	}
	if q.By != "" {
		c, err := q.find(q.By)
		if err != nil {
			return err
		}
		q.By = c.Name
		if slices.Contains(q.Columns, q.By) {
			return invalid("The column %s cannot be measured and be the groups at once.", q.By)
		}
	}
	return q.validateOptions()
}

// find returns a column by its name, which SQL compares without regard to case.
func (q *Request) find(name string) (domain.Column, error) {
	for _, c := range q.Known {
		if strings.EqualFold(c.Name, name) {
			return c, nil
		}
	}
	names := make([]string, 0, len(q.Known))
	for _, c := range q.Known {
		names = append(names, c.Name)
	}
	return domain.Column{}, invalid("There is no column %q. The columns are: %s.", domain.Shorten(name, 60),
		domain.Shorten(strings.Join(names, ", "), 1000))
}

func isNumber(c domain.Column) bool {
	return c.Type == domain.ColumnInteger || c.Type == domain.ColumnNumber || c.Type == domain.ColumnBoolean
}

// isTime reports whether a column has dates.
func isTime(c domain.Column) bool { return c.Type == domain.ColumnDate || c.Type == domain.ColumnTime }

func invalid(format string, args ...any) error {
	return domain.Errorf(domain.CodeInvalid, format, args...)
}

// span says how many columns a kind takes.
func span(least, most int) string {
	switch {
	case least == most && least == 1:
		return "one column"
	case least == most:
		return fmt.Sprintf("%d columns", least)
	}
	return fmt.Sprintf("%d to %d columns", least, most)
}

// listed joins names.
func listed[T ~string](names []T) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return strings.Join(out, ", ")
}
