package statistics

import (
	"math"
	"slices"
)

// methods lists the methods of a kind; the first one is the default.
func (k Kind) methods() []string {
	switch k {
	case Correlation:
		return []string{"pearson", "spearman"}
	case Outliers:
		return []string{"z", "iqr"}
	case Change:
		return []string{"sum", "mean"}
	case Bins:
		return []string{"width", "quantile"}
	case Profile, Regression, WelchT, PairedT, Anova, ChiSquare, JarqueBera, DAgostino, MannWhitney:
	}
	return nil
}

// steps lists the steps of a change over time.
func steps() []string { return []string{"month", "year", "quarter", "week", "day", "hour"} }

// validateOptions checks what is not a column, and fills in defaults.
func (q *Request) validateOptions() error {
	for _, check := range []func() error{q.checkMethod, q.checkOutliers, q.checkChange, q.checkBins, q.checkGroups} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (q *Request) checkMethod() error {
	methods := q.Kind.methods()
	switch {
	case q.Method == "" && len(methods) > 0:
		q.Method = methods[0]
	case q.Method != "" && len(methods) == 0:
		return invalid("%s has no method to choose.", q.Kind)
	case q.Method != "" && !slices.Contains(methods, q.Method):
		return invalid("The methods of %s are: %s.", q.Kind, listed(methods))
	}
	return nil
}

func (q *Request) checkOutliers() error {
	switch {
	case q.Kind != Outliers && (q.K != 0 || q.Rows):
		return invalid("Only outliers take k and rows.")
	case q.K < 0 || q.K > 100 || math.IsNaN(q.K):
		return invalid("k must be above 0 and at most 100.")
	case q.Kind == Outliers && q.K == 0 && q.Method == "z":
		q.K = 3
	case q.Kind == Outliers && q.K == 0:
		q.K = 1.5
	}
	return nil
}

func (q *Request) checkChange() error {
	if q.Kind != Change {
		if q.Step != "" {
			return invalid("Only percent_change takes a step.")
		}
		return nil
	}
	if q.Step == "" {
		q.Step = steps()[0]
	}
	if !slices.Contains(steps(), q.Step) {
		return invalid("The steps are: %s.", listed(steps()))
	}
	value, err := q.find(q.Columns[0])
	if err != nil {
		return err
	}
	at, err := q.find(q.Columns[1])
	switch {
	case err != nil:
		return err
	case !isNumber(value) || !isTime(at):
		return invalid("percent_change takes a column of numbers and then a column of dates; %s is %s and %s is %s.", value.Name, value.Type,
			at.Name, at.Type)
	}
	return nil
}

func (q *Request) checkBins() error {
	switch {
	case q.Kind != Bins && (q.Count != 0 || len(q.Edges) > 0):
		return invalid("Only bins take a number of bins and edges.")
	case q.Kind != Bins:
		return nil
	case len(q.Edges) > 0 && q.Count != 0:
		return invalid("Give edges or a number of bins, not both.")
	case q.Count < 0 || q.Count > MaxBins || len(q.Edges) > MaxBins+1 || len(q.Edges) == 1:
		return invalid("There can be 1 to %d bins.", MaxBins)
	}
	for i, e := range q.Edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || i > 0 && e <= q.Edges[i-1] {
			return invalid("The edges must rise.")
		}
	}
	if q.Count == 0 {
		q.Count = 10
	}
	if len(q.Edges) > 0 {
		q.Count = len(q.Edges) - 1
	}
	return nil
}

func (q *Request) checkGroups() error {
	switch n := len(q.Groups); {
	case n == 0:
		return nil
	case q.Kind != WelchT && q.Kind != MannWhitney:
		return invalid("Only welch_t and mann_whitney take groups.")
	case n != 2 || q.Groups[0] == q.Groups[1]:
		return invalid("groups are two different values of the column in by.")
	}
	return nil
}
