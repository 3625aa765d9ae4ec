package querytest

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func date(s string) time.Time {
	form := time.DateOnly
	if strings.Contains(s, "T") {
		form = "2006-01-02T15:04:05"
	}
	t, err := time.Parse(form, s)
	if err != nil {
		panic(err)
	}
	return t
}

// show writes a value as the words of a tree have it.
func show(v any) string {
	switch x := v.(type) {
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case time.Time:
		return x.Format(time.DateOnly)
	}
	return fmt.Sprint(v)
}

func compare(a any, operator string, b any) bool {
	if a == nil || b == nil {
		return false
	}
	order := ordered(a, b)
	switch operator {
	case "=":
		return order == 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// ordered is below 0 if a comes before b, and above 0 if it comes after it.
func ordered(a, b any) int {
	switch x := a.(type) {
	case float64:
		if y, ok := b.(float64); ok {
			return cmp.Compare(x, y)
		}
	case time.Time:
		if y, ok := b.(time.Time); ok {
			return x.Compare(y)
		}
	case string:
		if y, ok := b.(string); ok {
			return strings.Compare(x, y)
		}
	case bool:
		if y, ok := b.(bool); ok {
			return map[bool]int{true: 1, false: 0}[x] - map[bool]int{true: 1, false: 0}[y]
		}
	}
	panic(fmt.Sprintf("%T and %T cannot be compared", a, b))
}

func arithmetic(operator string, a, b float64) any {
	switch operator {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 {
		return nil
	}
	return a / b
}

func function(n *Node, x float64) any {
	switch n.Words[0] {
	case "ln", "log10":
		if x <= 0 {
			return nil
		}
		if n.Words[0] == "ln" {
			return math.Log(x)
		}
		return math.Log10(x)
	case "sqrt":
		if x < 0 {
			return nil
		}
		return math.Sqrt(x)
	case "abs":
		return math.Abs(x)
	case "exp":
		return math.Exp(x)
	case "floor":
		return math.Floor(x)
	case "ceil":
		return math.Ceil(x)
	case "round":
		p := math.Pow(10, n.Numbers[0])
		return math.Round(x*p) / p
	}
	panic("function " + n.Words[0])
}

// timed is a part of a time, or what it is cut to.
func timed(n *Node, t time.Time) any {
	switch {
	case n.Op == "trunc":
		return cut(n.Words[0], t)
	case n.Words[0] == "weekday name":
		return t.Weekday().String()
	case n.Words[0] == "month name":
		return t.Month().String()
	}
	return part(n.Words[0], t)
}

func part(name string, t time.Time) float64 {
	switch name {
	case "year":
		return float64(t.Year())
	case "quarter":
		return float64((int(t.Month())-1)/3 + 1)
	case "month":
		return float64(t.Month())
	case "week":
		_, w := t.ISOWeek()
		return float64(w)
	case "weekday":
		return float64((int(t.Weekday())+6)%7 + 1)
	case "day":
		return float64(t.Day())
	}
	return float64(t.Hour())
}

func cut(grain string, t time.Time) time.Time {
	y, m, d := t.Date()
	switch grain {
	case "year":
		m, d = 1, 1
	case "quarter":
		m, d = (m-1)/3*3+1, 1
	case "month":
		d = 1
	case "week":
		d -= (int(t.Weekday()) + 6) % 7
	case "hour":
		return t.Truncate(time.Hour)
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// back goes some units of time back.
func back(grain string, t time.Time, n int) time.Time {
	switch grain {
	case "year":
		return t.AddDate(-n, 0, 0)
	case "quarter":
		return t.AddDate(0, -3*n, 0)
	case "month":
		return t.AddDate(0, -n, 0)
	case "week":
		return t.AddDate(0, 0, -7*n)
	case "hour":
		return t.Add(-time.Duration(n) * time.Hour)
	}
	return t.AddDate(0, 0, -n)
}

func extract(pattern string, v any) any {
	if v == nil {
		return nil
	}
	s := show(v)
	m := regexp.MustCompile(pattern).FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	return m[min(1, len(m)-1)]
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}

func quantile(all []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(all))
	at := q * float64(len(s)-1)
	low := int(math.Floor(at))
	if low+1 >= len(s) {
		return s[low]
	}
	return s[low] + (s[low+1]-s[low])*(at-float64(low))
}

// moment is the mean of the powers of the distances from the mean.
func moment(all []float64, power float64) float64 {
	m, sum := mean(all), 0.0
	for _, x := range all {
		sum += math.Pow(x-m, power)
	}
	return sum / float64(len(all))
}

// statistic is a statistic of numbers, nil where it is not defined.
func statistic(name string, all []float64, q float64) any {
	n := float64(len(all))
	if n == 0 {
		return nil
	}
	switch name {
	case "mean":
		return mean(all)
	case "median":
		return quantile(all, 0.5)
	case "quantile":
		return quantile(all, q)
	case "min":
		return slices.Min(all)
	case "max":
		return slices.Max(all)
	case "range":
		return slices.Max(all) - slices.Min(all)
	case "iqr":
		return quantile(all, 0.75) - quantile(all, 0.25)
	case "mad":
		middle := quantile(all, 0.5)
		var far []float64
		for _, x := range all {
			far = append(far, math.Abs(x-middle))
		}
		return quantile(far, 0.5)
	case "stdp":
		return math.Sqrt(moment(all, 2))
	case "varp":
		return moment(all, 2)
	case "std", "var":
		if n < 2 {
			return nil
		}
		v := moment(all, 2) * n / (n - 1)
		if name == "std" {
			v = math.Sqrt(v)
		}
		return v
	case "skew":
		if n < 3 || moment(all, 2) == 0 {
			return nil
		}
		return math.Sqrt(n*(n-1)) / (n - 2) * moment(all, 3) / math.Pow(moment(all, 2), 1.5)
	case "kurtosis":
		if n < 4 || moment(all, 2) == 0 {
			return nil
		}
		excess := moment(all, 4)/math.Pow(moment(all, 2), 2) - 3
		return (n - 1) / ((n - 2) * (n - 3)) * ((n+1)*excess + 6)
	}
	panic("statistic " + name)
}

// pairs is a statistic of two numbers.
func pairs(name string, y, x []float64) any {
	n := float64(len(x))
	if n == 0 {
		return nil
	}
	switch name {
	case "spearman":
		return pairs("corr", ranks(y), ranks(x))
	case "spearman_p":
		return significance(pairs("corr", ranks(y), ranks(x)), n)
	case "p":
		return significance(pairs("corr", y, x), n)
	}
	mx, my := mean(x), mean(y)
	var sxx, syy, sxy float64
	for i := range x {
		sxx += (x[i] - mx) * (x[i] - mx)
		syy += (y[i] - my) * (y[i] - my)
		sxy += (x[i] - mx) * (y[i] - my)
	}
	switch {
	case sxx == 0:
		return nil
	case name == "slope":
		return sxy / sxx
	case name == "intercept":
		return my - sxy/sxx*mx
	case name == "r2" && syy == 0:
		return 1.0
	case syy == 0:
		return nil
	case name == "r2":
		return sxy * sxy / sxx / syy
	}
	return sxy / math.Sqrt(sxx*syy)
}

// described is what length, extract and bins make of a value.
func described(n *Node, v any) any {
	if v == nil {
		return nil
	}
	switch n.Op {
	case "length":
		return float64(len([]rune(show(v))))
	case "extract":
		return extract(n.Words[0], v)
	case "clock":
		if hour, _, ok := strings.Cut(show(v), ":"); ok && len(hour) > 0 && len(hour) < 3 {
			if h, err := strconv.Atoi(hour); err == nil && regexp.MustCompile(`^[0-9]+:[0-9]`).MatchString(show(v)) {
				return float64(h)
			}
		}
		return nil
	}
	x, ok := v.(float64)
	if !ok {
		return nil
	}
	i := 0
	for i < len(n.Numbers) && x >= n.Numbers[i] {
		i++
	}
	return n.Words[i]
}
