package query

import (
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// scope is a FROM clause that grows: a column of another table adds the joins that lead to it, each to at most one row.
type scope struct {
	c      *compiler
	p      place
	alias  string
	from   strings.Builder
	joined map[string]string
}

func (c *compiler) scope(p place) *scope {
	s := &scope{c: c, p: p, joined: map[string]string{}}
	source := c.source(p)
	s.alias = c.alias(p)
	s.from.WriteString(source + " AS " + sqltext.QuoteName(s.alias))
	return s
}

// follow joins the places of a path and returns the alias of the last one.
func (s *scope) follow(path route) string {
	at := s.alias
	for _, h := range path {
		key := at + "\x00" + h.to.key() + "\x00" + strings.Join(h.fromCols, "\x00")
		if s.joined[key] == "" {
			source := s.c.source(h.to)
			alias := s.c.alias(h.to)
			s.joined[key] = alias
			var on []string
			for i := range h.fromCols {
				on = append(on, s.c.column(at, h.fromCols[i])+" = "+s.c.column(alias, h.toCols[i]))
			}
			s.join(source, alias, on)
		}
		at = s.joined[key]
	}
	return at
}

func (s *scope) join(source, alias string, on []string) {
	if len(on) == 0 {
		on = []string{"TRUE"}
	}
	*s.c.joins++
	s.from.WriteString("\nLEFT JOIN " + source + " AS " + sqltext.QuoteName(alias) + " ON " + strings.Join(on, " AND "))
}

func (c *compiler) column(alias, name string) string {
	return sqltext.QuoteName(alias) + "." + c.name(name)
}

// column writes a column, over the path that leads to it.
func (s *scope) column(n *node) string {
	t := s.c.m.find(n.Table)
	path, found, err := s.c.m.route(s.p, t, n.Column, n.Part)
	if err != nil || !found {
		// The constructors have checked that there is a path.
		return s.c.fail(fmt.Errorf("no way to %s of %s: %w", n.Column, n.Table, err))
	}
	if s.c.lookups {
		return s.lookup(path, n.Column)
	}
	return s.c.column(s.follow(path), n.Column)
}

// columns writes columns of a table.
func (s *scope) columns(t *table, names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, s.column(column(t, n)))
	}
	return out
}

// scalar writes one value of a row.
func (s *scope) scalar(n *node) string {
	switch n.Op {
	case opCol:
		return s.column(n)
	case opCalendar:
		return s.column(column(s.p.t, s.p.t.Time))
	case opNumber:
		return number(n.Numbers[0])
	case opText:
		return s.c.text(n.word(0))
	case opDay:
		return day(n.word(0))
	case opNamed:
		return s.scalar(n.Kids[0])
	case opPart:
		if part, ok := partNamed(n); ok {
			return s.c.d.PartName(part, s.scalar(n.Kids[0]))
		}
		return s.c.d.DatePart(n.word(0), s.scalar(n.Kids[0]))
	case opTrunc:
		return s.c.d.Trunc(n.word(0), s.scalar(n.Kids[0]))
	case opClock:
		return s.c.d.Clock(s.asText(n.Kids[0]))
	case opBetween:
		seconds := s.c.d.Between(s.scalar(n.Kids[0]), s.scalar(n.Kids[1]))
		per := map[string]string{"days": "86400.0", "hours": "3600.0", "minutes": "60.0", "seconds": "1.0"}[n.word(0)]
		return "(" + seconds + " / " + per + ")"
	case opLength:
		return "length(" + s.asText(n.Kids[0]) + ")"
	case opExtract:
		return s.c.must(s.c.d.Extract(s.asText(n.Kids[0]), n.word(0)))
	case opArith:
		return s.c.arith(n.word(0), s.scalar(n.Kids[0]), s.scalar(n.Kids[1]))
	case opFunc:
		digits := 0
		if len(n.Numbers) > 0 {
			digits = int(n.Numbers[0])
		}
		return s.c.d.Func(n.word(0), s.scalar(n.Kids[0]), digits)
	case opBins:
		return s.bins(n)
	case opCase:
		out := "CASE"
		for i := 0; i+1 < len(n.Kids); i += 2 {
			out += " WHEN " + s.pred(n.Kids[i]) + " THEN " + s.scalar(n.Kids[i+1])
		}
		return out + " ELSE " + s.scalar(n.Kids[len(n.Kids)-1]) + " END"
	case opOf:
		return s.of(n)
	case opOverall:
		inner := s.c.inner()
		g := op(opGroups, n.Kids[1], op(opList), op(opList, n.Kids[0]), op(opList), op(opList), op(opList), op(opList))
		return s.c.close(inner, inner.groups(g).write(inner))
	case opZScore:
		at, x := s.stats(n.Kids, "mean", "sd")
		return fmt.Sprintf("((%s - %s.\"mean\") / nullif(%s.\"sd\", 0))", x, at, at)
	case opScaled:
		at, x := s.stats(n.Kids, "low", "high")
		return "(" + s.c.d.Quotient(fmt.Sprintf("(%s - %s.\"low\")", x, at), fmt.Sprintf("nullif(%s.\"high\" - %s.\"low\", 0)", at, at)) + ")"
	}
	return s.c.fail(fmt.Errorf("no SQL for the value %s", n.Op))
}

// asText writes a scalar as text, if it might not be stored as one.
func (s *scope) asText(n *node) string {
	if s.c.m.kind(n) == kindText {
		return s.scalar(n)
	}
	return "CAST(" + s.scalar(n) + " AS VARCHAR)"
}

// day writes a date, or a moment.
func day(date string) string {
	if at, hour, ok := strings.Cut(date, "T"); ok {
		return "TIMESTAMP " + sqltext.QuoteText(at+" "+hour)
	}
	return "DATE " + sqltext.QuoteText(date)
}

func (c *compiler) arith(operator, a, b string) string {
	if operator == "/" {
		return "(" + c.d.Quotient(a, "nullif("+b+", 0)") + ")"
	}
	return "(" + a + " " + operator + " " + b + ")"
}

func (s *scope) bins(n *node) string {
	x := s.scalar(n.Kids[0])
	out := "CASE WHEN " + x + " IS NULL THEN NULL"
	for i, e := range n.Numbers {
		out += " WHEN " + x + " < " + number(e) + " THEN " + s.c.text(n.word(i))
	}
	return out + " ELSE " + s.c.text(n.word(len(n.Numbers))) + " END"
}

// of joins a figure of each thing.
func (s *scope) of(n *node) string {
	thing, err := s.c.m.base(n)
	if err != nil {
		return s.c.fail(err)
	}
	g, err := s.c.m.asGroups(thing, n.Kids[0])
	if err != nil {
		return s.c.fail(err)
	}
	key := n.text()
	keys, err := keysOf(thing)
	if err != nil {
		return s.c.fail(err)
	}
	if s.joined[key] == "" {
		outer := s.columns(thing.t, keys)
		inner := s.c.inner()
		f := inner.groups(g.n)
		f.order = nil
		alias := s.c.fresh("each")
		s.joined[key] = alias
		f.rename()
		sql := s.c.close(inner, f.write(inner))
		var on []string
		for i, o := range outer {
			on = append(on, fmt.Sprintf("%s = %s.\"k%d\"", o, sqltext.QuoteName(alias), i+1))
		}
		s.join(sql, alias, on)
	}
	value := fmt.Sprintf("%s.\"k%d\"", sqltext.QuoteName(s.joined[key]), len(keys)+1)
	if counts(n.Kids[0]) {
		return "coalesce(" + value + ", 0)"
	}
	return value
}

// counts reports whether a measure is 0 where there are no rows.
func counts(n *node) bool {
	for n.Op == opWhen || n.Op == opNamed {
		n = n.Kids[0]
	}
	return n.Op == opCount || n.Op == opDistinct || n.Op == opEach && n.word(1) == "count"
}

// stats joins two statistics of a number over all rows of its table, by its groups, and returns their alias and the number.
func (s *scope) stats(kids []*node, one, other string) (alias, x string) {
	x = s.scalar(kids[0])
	key := "stats " + one
	for _, k := range kids {
		key += k.text()
	}
	if s.joined[key] == "" {
		t := s.c.m.find(kids[0].Table)
		name := s.c.name(kids[0].Column)
		var columns, by, on []string
		alias := s.c.fresh("stats")
		s.joined[key] = alias
		for i, k := range kids[1:] {
			columns = append(columns, fmt.Sprintf("%s AS \"g%d\"", s.c.name(k.Column), i+1))
			by = append(by, s.c.name(k.Column))
			on = append(on, fmt.Sprintf("%s IS NOT DISTINCT FROM %s.\"g%d\"", s.scalar(k), sqltext.QuoteName(alias), i+1))
		}
		for _, f := range []struct {
			name, as string
			q        float64
		}{{"mean", "mean", 0}, {"std", "sd", 0}, {"quantile", "q1", 0.25}, {"quantile", "q3", 0.75}, {"min", "low", 0}, {"max", "high", 0}} {
			if f.as == one || f.as == other {
				columns = append(columns, s.c.must(s.c.d.Stat(f.name, name, f.q, ""))+` AS "`+f.as+`"`)
			}
		}
		sql := "(SELECT " + strings.Join(columns, ", ") + " FROM " + s.c.table(t)
		if len(by) > 0 {
			sql += " GROUP BY " + strings.Join(by, ", ")
		}
		s.join(sql+")", alias, on)
	}
	return sqltext.QuoteName(s.joined[key]), x
}

// where writes a WHERE clause, or nothing.
func (s *scope) where(all []*node) string {
	if all = s.c.filters(all); len(all) == 0 {
		return ""
	}
	return "\nWHERE " + s.all(all)
}

func (c *compiler) filters(all []*node) []*node {
	return slices.DeleteFunc(slices.Clone(all), func(n *node) bool { return n.Op == opAll })
}

func (s *scope) all(nodes []*node) string {
	var out []string
	for _, n := range nodes {
		out = append(out, s.pred(n))
	}
	return strings.Join(out, " AND ")
}
