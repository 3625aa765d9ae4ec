package query

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// MarshalJSON writes the script for the journal.
func (s *Script) MarshalJSON() ([]byte, error) { return []byte(s.node().text()), nil }

// The bounds of a script that is read: bytes, and operations inside each other.
const (
	maxJSON  = 1 << 20
	maxDepth = 60
)

// Read reads a script from the journal. Each operation is built by its constructor again, so that a text that was changed
// cannot hold a tree that could not be built.
func Read(m *Model, text []byte) (*Script, error) {
	if len(text) > maxJSON {
		return nil, refuse(nil, "The text of a question is longer than %d bytes.", maxJSON)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var n *node
	if err := d.Decode(&n); err != nil {
		return nil, fmt.Errorf("read a question: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, refuse(nil, "There is something behind the question.")
	}
	if err := checkParts(n, 0); err != nil {
		return nil, err
	}
	if n.Op != opScript || len(n.Kids) != 2 {
		return nil, refuse(nil, "The text is no question.")
	}
	s := NewScript(m)
	for _, k := range n.Kids[0].Kids {
		if err := s.readStep(k); err != nil {
			return nil, err
		}
	}
	for _, k := range n.Kids[1].Kids {
		a, err := (&reader{s.m}).ask(k)
		if err != nil {
			return nil, err
		}
		if err := s.Ask(a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// shape is how many kids, words and numbers an operation has: at least, and at most; -1 is any number.
type shape struct{ kids, words, numbers [2]int }

// shapes has every operation. The tests take the list of operations from it.
func shapes() map[string]shape {
	one, two, none, many := [2]int{1, 1}, [2]int{2, 2}, [2]int{}, [2]int{0, -1}
	some, four := [2]int{1, -1}, [2]int{4, 4}
	return map[string]shape{
		opCol: {}, opCalendar: {}, opNumber: {numbers: one}, opText: {words: one}, opDay: {words: one},
		opArith: {two, one, none}, opFunc: {one, one, [2]int{0, 1}}, opPart: {one, one, none}, opTrunc: {one, one, none},
		opBetween: {two, one, none}, opLength: {one, none, none}, opExtract: {one, one, none}, opBins: {one, some, some},
		opCase: {[2]int{3, -1}, none, none}, opOf: {one, none, none}, opOverall: {two, none, none}, opZScore: {some, none, none},
		opScaled: {one, none, none}, opClock: {one, none, none},
		opAll: {}, opAnd: {[2]int{2, -1}, none, none}, opOr: {[2]int{2, -1}, none, none}, opNot: {one, none, none},
		opCmp: {two, one, none}, opIn: {one, some, none}, opMatch: {one, two, none}, opMissing: {one, none, none}, opBlank: {one, none, none},
		opDuring: {one, two, none}, opRecurs: {one, one, some}, opYes: {one, none, none}, opAlive: {none, one, none},
		opBorn: {none, two, none}, opGone: {none, two, none}, opSome: {one, none, none}, opEvery: {two, none, none},
		opCountOf: {[2]int{1, 2}, one, one}, opAllOf: {two, none, none}, opOutlier: {some, one, one}, opRank: {some, one, one},
		opSet: {one, none, none}, opOverlap: {one, none, none},
		opCount: {one, none, none}, opDistinct: {one, none, none}, opTotal: {one, none, none}, opAt: {one, one, none},
		opStat: {one, one, [2]int{0, 1}}, opPair: {two, one, none}, opWelch: {[2]int{3, 3}, one, none}, opWhen: {two, none, none},
		opAnova: {two, one, none}, opChi2: {two, one, none}, opMann: {[2]int{3, 3}, one, none}, opNormality: {one, one, none},
		opPaired: {two, one, none}, opFit: {[2]int{2, 1 + MaxPredictors}, one, one},
		opRatio: {two, none, none}, opDiff: {two, none, none}, opPercent: {two, none, none}, opShare: {two, none, none}, opPer: {two, none, none},
		opEach: {two, two, none}, opNamed: {one, one, none},
		opRunning: {two, none, none}, opMoving: {two, one, one}, opGrowth: {two, one, one}, opRankBy: {some, one, none},
		opPartOf: {some, none, none},
		opList:   {many, none, none}, opHave: {one, one, one}, opOrder: {one, one, none}, opTop: {some, one, two},
		opFirst: {many, none, two}, opTally: {one, none, none},
		opGroups: {[2]int{7, 7}, none, none}, opRows: {four, none, none}, opChange: {four, four, none},
		opLet: {one, one, none}, opKeep: {one, none, none}, opFill: {one, one, none}, opScript: {two, none, none},
	}
}

// checkParts refuses a text whose operations have too few or too many parts, so that the reader can take them by their place.
func checkParts(n *node, depth int) error {
	if n == nil || depth > maxDepth {
		return refuse(nil, "The text is no question, or too deep.")
	}
	s, ok := shapes()[n.Op]
	if !ok {
		return refuse(nil, "There is no operation %s.", n.Op)
	}
	for _, c := range []struct {
		n   int
		may [2]int
	}{{len(n.Kids), s.kids}, {len(n.Words), s.words}, {len(n.Numbers), s.numbers}} {
		if c.n < c.may[0] || c.may[1] >= 0 && c.n > c.may[1] {
			return refuse(nil, "The operation %s has %d kids, %d words and %d numbers.", n.Op, len(n.Kids), len(n.Words), len(n.Numbers))
		}
	}
	for _, k := range n.Kids {
		if err := checkParts(k, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (s *Script) readStep(n *node) error {
	r := &reader{s.m}
	switch n.Op {
	case opLet:
		t, err := s.m.Table(n.Table)
		if err != nil {
			return err
		}
		x, err := r.scalar(n.Kids[0])
		if err != nil {
			return err
		}
		_, err = s.Let(t, n.word(0), x)
		return err
	case opKeep:
		set, err := r.set(n.Kids[0])
		if err != nil {
			return err
		}
		return s.Keep(set)
	case opFill:
		x, err := r.number(n.Kids[0])
		if err != nil {
			return err
		}
		return s.Fill(x, n.word(0))
	}
	return refuse(nil, "%s is no step.", n.Op)
}

// reader builds trees again from nodes.
type reader struct{ m *Model }

func (r *reader) col(n *node) (Col, error) {
	if n.Op != opCol {
		return Col{}, refuse(nil, "%s is no column.", n.Op)
	}
	c, err := r.m.Col(n.Table, n.Column)
	return c.By(n.Part), err
}

func (r *reader) number(n *node) (Number, error) {
	c, err := r.col(n)
	if err != nil {
		return nil, err
	}
	return r.m.Number(c)
}

func (r *reader) time(n *node) (Time, error) {
	if n.Op == opCalendar {
		return r.m.Calendar(), nil
	}
	c, err := r.col(n)
	if err != nil {
		return Time{}, err
	}
	return r.m.Time(c)
}

func (r *reader) set(n *node) (Set, error) {
	if n.Op != opSet {
		return Set{}, refuse(nil, "%s is no set.", n.Op)
	}
	t, err := r.m.base(n)
	if err != nil {
		return Set{}, err
	}
	p, err := r.pred(n.Kids[0])
	if err != nil {
		return Set{}, err
	}
	return r.m.Set(t, p)
}

func (r *reader) by(n *node) (By, error) {
	switch n.Op {
	case opOverlap:
		c, err := r.col(n.Kids[0])
		if err != nil {
			return nil, err
		}
		return r.m.Overlap(c), nil
	case opTrunc:
		return r.timeDim(n)
	}
	s, err := r.scalar(n)
	if err != nil {
		return nil, err
	}
	return r.m.Dim(s), nil
}

func (r *reader) timeDim(n *node) (TimeDim, error) {
	switch {
	case n.Op == opCol:
		x, err := r.number(n)
		if err != nil {
			return TimeDim{}, err
		}
		return YearsOf(x), nil
	case n.Op == opPart && n.word(0) == "year":
		t, err := r.time(n.Kids[0])
		if err != nil {
			return TimeDim{}, err
		}
		return t.Years(), nil
	case n.Op != opTrunc:
		return TimeDim{}, refuse(nil, "%s is no time that is cut to a unit.", n.Op)
	}
	t, err := r.time(n.Kids[0])
	if err != nil {
		return TimeDim{}, err
	}
	return t.By(n.word(0))
}

// each reads a list of nodes with one of the functions above.
func each[T any](nodes []*node, read func(*node) (T, error)) ([]T, error) {
	out := make([]T, 0, len(nodes))
	for _, n := range nodes {
		x, err := read(n)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

func (r *reader) ask(n *node) (Ask, error) {
	if n.Op == opTally {
		of, err := r.ask(n.Kids[0])
		if err != nil {
			return nil, err
		}
		g, ok := of.(Groups)
		if !ok {
			return nil, refuse(nil, "There are no groups to count.")
		}
		return g.Tally()
	}
	if !slices.Contains([]string{opGroups, opRows, opChange}, n.Op) {
		return nil, refuse(nil, "%s is no question.", n.Op)
	}
	for i, k := range n.Kids {
		isList := i > 0 && (n.Op != opChange || i == 3)
		if isList != (k.Op == opList) {
			return nil, refuse(nil, "The question has its parts in a wrong order.")
		}
	}
	set, err := r.set(n.Kids[0])
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case opGroups:
		return r.groups(n, set)
	case opRows:
		return r.rows(n, set)
	}
	figure, err := r.measure(n.Kids[1])
	if err != nil {
		return nil, err
	}
	t, err := r.time(n.Kids[2])
	if err != nil {
		return nil, err
	}
	along, err := each(n.Kids[3].Kids, func(k *node) (Dim, error) {
		s, err := r.scalar(k)
		if err != nil {
			return Dim{}, err
		}
		return r.m.Dim(s), nil
	})
	if err != nil {
		return nil, err
	}
	before, err := NewSpan(n.word(0), n.word(1))
	if err != nil {
		return nil, err
	}
	after, err := NewSpan(n.word(2), n.word(3))
	if err != nil {
		return nil, err
	}
	return r.m.Change(set, figure, t, before, after, along...)
}

func (r *reader) groups(n *node, set Set) (Ask, error) {
	by, err := each(n.Kids[groupsBy].Kids, r.by)
	if err != nil {
		return nil, err
	}
	show, err := each(n.Kids[groupsShow].Kids, r.measure)
	if err != nil {
		return nil, err
	}
	var parts []Part
	for _, l := range n.Kids[groupsHave:] {
		more, err := each(l.Kids, r.part)
		if err != nil {
			return nil, err
		}
		parts = append(parts, more...)
	}
	return r.m.Groups(set, by, show, parts...)
}

func (r *reader) part(n *node) (Part, error) {
	if isWindow(n) {
		w, err := r.window(n)
		if err != nil {
			return Part{}, err
		}
		return Over(w), nil
	}
	switch n.Op {
	case opHave:
		of, err := r.measure(n.Kids[0])
		if err != nil {
			return Part{}, err
		}
		return Having(of, n.word(0), n.Numbers[0])
	case opTop:
		of, err := r.measure(n.Kids[0])
		if err != nil {
			return Part{}, err
		}
		within, err := each(n.Kids[1:], r.by)
		if err != nil {
			return Part{}, err
		}
		return TopOf(of, n.word(0), int(n.Numbers[0]), int(n.Numbers[1]), within...)
	case opFirst:
		within, err := each(n.Kids, r.by)
		if err != nil {
			return Part{}, err
		}
		return First(int(n.Numbers[0]), int(n.Numbers[1]), within...)
	case opOrder:
		k := n.Kids[0]
		switch {
		case isWindow(k):
			w, err := r.window(k)
			if err != nil {
				return Part{}, err
			}
			return OrderByWindow(w, n.word(0))
		case isMeasure(k):
			of, err := r.measure(k)
			if err != nil {
				return Part{}, err
			}
			return OrderBy(of, n.word(0))
		}
		b, err := r.by(k)
		if err != nil {
			return Part{}, err
		}
		return OrderByDim(b, n.word(0))
	}
	return Part{}, refuse(nil, "%s is no part of a question.", n.Op)
}

func (r *reader) rows(n *node, set Set) (Ask, error) {
	columns, err := each(n.Kids[rowsCols].Kids, func(k *node) (Column, error) {
		name := ""
		if k.Op == opNamed {
			name, k = k.word(0), k.Kids[0]
		}
		s, err := r.scalar(k)
		return Column{name, s}, err
	})
	if err != nil {
		return nil, err
	}
	var parts []RowPart
	for _, k := range slices.Concat(n.Kids[rowsOrder].Kids, n.Kids[rowsTop].Kids) {
		all, err := each(k.Kids, r.scalar)
		if err != nil {
			return nil, err
		}
		var p RowPart
		switch k.Op {
		case opOrder:
			p, err = RowOrder(all[0], k.word(0))
		case opTop:
			p, err = TopRows(all[0], k.word(0), int(k.Numbers[0]), int(k.Numbers[1]), all[1:]...)
		case opFirst:
			if len(all) > 0 {
				return nil, refuse(nil, "Rows are kept within nothing.")
			}
			p, err = FirstRows(int(k.Numbers[0]), int(k.Numbers[1]))
		default:
			err = refuse(nil, "%s is no part of a question.", k.Op)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return r.m.Rows(set, columns, parts...)
}

// Operations are the names of all operations of a tree, as the journal has them.
func Operations() []string { return slices.Sorted(maps.Keys(shapes())) }
