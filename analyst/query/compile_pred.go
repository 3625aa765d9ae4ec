package query

import (
	"fmt"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// pred writes a condition. Its value is true or false and never NULL: an unknown condition counts as false.
func (s *scope) pred(n *node) string {
	switch n.Op {
	case opAll:
		return "TRUE"
	case opAnd, opOr:
		var out []string
		for _, k := range n.Kids {
			out = append(out, s.pred(k))
		}
		return "(" + strings.Join(out, map[string]string{opAnd: " AND ", opOr: " OR "}[n.Op]) + ")"
	case opNot:
		return s.not(n.Kids[0])
	case opCmp:
		return s.scalar(n.Kids[0]) + " " + n.word(0) + " " + s.scalar(n.Kids[1])
	case opIn:
		values := s.values(n)
		if len(values) == 1 {
			return s.scalar(n.Kids[0]) + " = " + values[0]
		}
		return s.scalar(n.Kids[0]) + " IN (" + strings.Join(values, ", ") + ")"
	case opMatch:
		return s.c.d.Match(n.word(0), s.asText(n.Kids[0]), s.c.text(n.word(1)))
	case opMissing:
		return s.scalar(n.Kids[0]) + " IS NULL"
	case opBlank:
		x := s.asText(n.Kids[0])
		return "(" + x + " IS NULL OR trim(" + x + ") = '')"
	case opDuring:
		x := s.scalar(n.Kids[0])
		return "(" + x + " >= " + day(n.word(0)) + " AND " + x + " < " + day(n.word(1)) + ")"
	case opRecurs:
		var values []string
		for _, v := range n.Numbers {
			values = append(values, number(v))
		}
		return s.c.d.DatePart(n.word(0), s.scalar(n.Kids[0])) + " IN (" + strings.Join(values, ", ") + ")"
	case opYes:
		return s.yes(n.Kids[0])
	case opAlive, opBorn, opGone:
		return s.pred(lowered(s.c.m.find(n.Table), n))
	case opOutlier:
		return s.outlier(n)
	case opRank:
		return s.rank(n)
	case opSome:
		return "EXISTS " + s.belonging(n, "1", nil)
	case opEvery:
		return "NOT EXISTS " + s.belonging(n, "1", op(opNot, n.Kids[1]))
	case opCountOf, opAllOf:
		return s.number(n)
	}
	return s.c.fail(fmt.Errorf("no SQL for the condition %s", n.Op))
}

// not writes the negation of a condition in the shortest form that also keeps the rows for which the condition is unknown.
func (s *scope) not(n *node) string {
	switch {
	case n.Op == opMissing:
		return s.scalar(n.Kids[0]) + " IS NOT NULL"
	case n.Op == opBlank:
		return "trim(" + s.asText(n.Kids[0]) + ") <> ''"
	case n.Op == opSome, n.Op == opEvery, n.Op == opRank:
		p := s.pred(n)
		if rest, ok := strings.CutPrefix(p, "NOT "); ok {
			return rest
		}
		return "NOT " + p
	case n.Op == opIn && len(n.Words) == 1:
		return s.scalar(n.Kids[0]) + " IS DISTINCT FROM " + s.values(n)[0]
	}
	return "(" + s.pred(n) + ") IS NOT TRUE"
}

func (s *scope) values(n *node) []string {
	var out []string
	for _, w := range n.Words {
		switch s.c.m.kind(n.Kids[0]) {
		case kindNumber:
			out = append(out, numberWord(w))
		case kindTime:
			out = append(out, day(w))
		case kindText, kindOpen:
			out = append(out, s.c.text(w))
		}
	}
	return out
}

func (s *scope) yes(n *node) string {
	x := s.scalar(n)
	y, err := yesOf(s.c.m.find(n.Table).columns[n.Column])
	switch {
	case err != nil:
		return s.c.fail(err)
	case y.truth:
		return x
	case y.number:
		return x + " = " + y.text
	}
	return x + " = " + s.c.text(y.text)
}

func (s *scope) outlier(n *node) string {
	k := number(n.Numbers[0])
	if n.word(0) == "z" {
		at, x := s.stats(n.Kids, "mean", "sd")
		return fmt.Sprintf("abs(%s - %s.\"mean\") > %s * %s.\"sd\"", x, at, k, at)
	}
	at, x := s.stats(n.Kids, "q1", "q3")
	beyond := k + " * (" + at + `."q3" - ` + at + `."q1")`
	return "(" + x + " < " + at + `."q1" - ` + beyond + " OR " + x + " > " + at + `."q3" + ` + beyond + ")"
}

// belonging writes a subquery over the rows of a set that belong to the thing, with a further condition.
func (s *scope) belonging(n *node, show string, more *node) string {
	in, on := s.inside(n)
	if in == nil {
		return "NULL"
	}
	where := conjuncts(n.Kids[0])
	if more != nil {
		where = append(where[:len(where):len(where)], more)
	}
	if all := in.all(s.c.filters(where)); all != "" {
		on += " AND " + all
	}
	return "(SELECT " + show + " FROM " + in.from.String() + " WHERE " + on + ")"
}

// inside makes the scope of the rows of a set, and the condition that they belong to the thing of this scope.
func (s *scope) inside(n *node) (in *scope, on string) {
	thing, err := s.c.m.base(n)
	if err != nil {
		s.c.fail(err)
		return nil, ""
	}
	of, err := s.c.m.base(n.Kids[0])
	if err != nil {
		s.c.fail(err)
		return nil, ""
	}
	found, err := s.c.m.many(thing.place(), of.t)
	if err != nil || found == nil {
		s.c.fail(fmt.Errorf("no rows of %s for %s: %w", of.t.Name, n.Table, err))
		return nil, ""
	}
	in = s.c.scope(of.place())
	alias := in.follow(found.path)
	var all []string
	for i, outer := range s.columns(thing.t, found.cols) {
		all = append(all, s.c.column(alias, found.their[i])+" = "+outer)
	}
	return in, strings.Join(all, " AND ")
}

// number writes conditions on the number of rows or values that belong to a thing.
func (s *scope) number(n *node) string {
	in, on := s.inside(n)
	if in == nil {
		return "NULL"
	}
	show := "count(*)"
	if len(n.Kids) > 1 {
		show = "count(DISTINCT " + in.scalar(n.Kids[1]) + ")"
	}
	if all := in.all(s.c.filters(conjuncts(n.Kids[0]))); all != "" {
		on += " AND " + all
	}
	count := "(SELECT " + show + " FROM " + in.from.String() + " WHERE " + on + ")"
	if n.Op == opCountOf {
		return count + " " + n.word(0) + " " + number(n.Numbers[0])
	}
	every := s.c.scope(in.p)
	show = every.scalar(n.Kids[1])
	all := "(SELECT count(DISTINCT " + show + ") FROM " + every.from.String() + ")"
	return "(" + count + " = " + all + " AND " + all + " > 0)"
}

// rank writes that a thing is among the first ones of a ranking.
func (s *scope) rank(n *node) string {
	thing, err := s.c.m.base(n)
	if err != nil {
		return s.c.fail(err)
	}
	keys, err := keysOf(thing)
	if err != nil {
		return s.c.fail(err)
	}
	// Things without rows take part, with 0 of what is counted; rows without a thing do not.
	rows := op(opRows, op(opSet, op(opAll)).at(thing), op(opList), op(opList), op(opList))
	for _, k := range keys {
		rows.Kids[rowsCols].Kids = append(rows.Kids[rowsCols].Kids, column(thing.t, k))
	}
	figure := op(opOf, n.Kids[0]).at(thing)
	rows.Kids[rowsTop] = op(opList, op(opTop, append([]*node{figure}, n.Kids[1:]...)...).with(n.word(0)).num(n.Numbers[0], 1))
	inner := s.c.inner()
	f := inner.rows(rows)
	f.order = nil
	f.rename()
	sql := s.c.close(inner, f.write(inner))
	alias := sqltext.QuoteName(s.c.fresh("ranked"))
	var on []string
	for i, outer := range s.columns(thing.t, keys) {
		on = append(on, fmt.Sprintf("%s.\"k%d\" = %s", alias, i+1, outer))
	}
	return "EXISTS (SELECT 1 FROM " + sql + " AS " + alias + " WHERE " + strings.Join(on, " AND ") + ")"
}
