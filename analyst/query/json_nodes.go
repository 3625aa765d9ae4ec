package query

// scalar builds a scalar again.
func (r *reader) scalar(n *node) (Scalar, error) {
	switch n.Op {
	case opCol:
		return r.col(n)
	case opCalendar:
		return r.m.Calendar(), nil
	case opNumber:
		return Const(n.Numbers[0])
	case opText:
		return Word(n.word(0)), nil
	case opDay:
		return Day(n.word(0))
	case opPart:
		t, err := r.time(n.Kids[0])
		if err != nil {
			return nil, err
		}
		if part, ok := partNamed(n); ok {
			return t.Name(part)
		}
		return t.Part(n.word(0))
	case opTrunc:
		return r.timeDim(n)
	case opBetween:
		t, err := each(n.Kids, r.time)
		if err != nil {
			return nil, err
		}
		return r.m.Between(t[0], t[1], n.word(0))
	case opLength, opExtract, opClock:
		c, err := r.col(n.Kids[0])
		if err != nil {
			return nil, err
		}
		t, err := r.m.Text(c)
		if err != nil {
			return nil, err
		}
		switch n.Op {
		case opLength:
			return Length(t), nil
		case opClock:
			return Clock(t), nil
		}
		return Extract(t, n.word(0))
	case opOf, opOverall:
		return r.figure(n)
	case opZScore, opScaled:
		x, by, err := r.numberBy(n.Kids)
		if err != nil {
			return nil, err
		}
		if n.Op == opScaled {
			return r.m.Scaled(x)
		}
		return r.m.ZScore(x, by...)
	case opCase:
		return r.branches(n)
	case opArith, opFunc, opBins:
		return r.calculated(n)
	}
	return nil, refuse(nil, "%s is no value of a row.", n.Op)
}

// calculated builds a scalar of other scalars.
func (r *reader) calculated(n *node) (Scalar, error) {
	k, err := each(n.Kids, r.scalar)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case opArith:
		return r.m.Arith(k[0], n.word(0), k[1])
	case opFunc:
		digits := 0
		if len(n.Numbers) > 0 {
			digits = int(n.Numbers[0])
		}
		return r.m.Func(n.word(0), k[0], digits)
	default:
		return r.m.Bins(k[0], n.Numbers, n.Words)
	}
}

func (r *reader) branches(n *node) (Scalar, error) {
	if len(n.Kids)%2 == 0 {
		return nil, refuse(nil, "A choice needs a condition and a value for all other rows.")
	}
	var all []Branch
	for i := 0; i+1 < len(n.Kids); i += 2 {
		p, err := r.pred(n.Kids[i])
		if err != nil {
			return nil, err
		}
		s, err := r.scalar(n.Kids[i+1])
		if err != nil {
			return nil, err
		}
		all = append(all, Branch{p, s})
	}
	otherwise, err := r.scalar(n.Kids[len(n.Kids)-1])
	if err != nil {
		return nil, err
	}
	return r.m.Case(all, otherwise)
}

func (r *reader) figure(n *node) (Scalar, error) {
	of, err := r.measure(n.Kids[0])
	if err != nil {
		return nil, err
	}
	if n.Op == opOverall {
		set, err := r.set(n.Kids[1])
		if err != nil {
			return nil, err
		}
		return r.m.Overall(of, set)
	}
	t, err := r.m.base(n)
	if err != nil {
		return nil, err
	}
	return r.m.Of(t, of)
}

func (r *reader) numberBy(kids []*node) (Number, []Col, error) {
	x, err := r.number(kids[0])
	if err != nil {
		return nil, nil, err
	}
	by, err := each(kids[1:], r.col)
	return x, by, err
}

// pred builds a condition again.
func (r *reader) pred(n *node) (Pred, error) {
	switch n.Op {
	case opAll:
		return All(), nil
	case opAnd, opOr, opNot:
		all, err := each(n.Kids, r.pred)
		switch {
		case err != nil:
			return nil, err
		case n.Op == opNot:
			return Not(all[0]), nil
		case n.Op == opOr:
			return Or(all...)
		}
		return And(all...)
	case opCmp, opIn, opMissing:
		all, err := each(n.Kids, r.scalar)
		switch {
		case err != nil:
			return nil, err
		case n.Op == opCmp:
			return r.m.Cmp(all[0], n.word(0), all[1])
		case n.Op == opIn:
			return r.m.In(all[0], n.Words...)
		}
		return Missing(all[0]), nil
	case opMatch, opYes, opBlank:
		c, err := r.col(n.Kids[0])
		if err != nil {
			return nil, err
		}
		if n.Op == opYes {
			f, err := r.m.Flag(c)
			return Yes(f), err
		}
		t, err := r.m.Text(c)
		if err != nil {
			return nil, err
		}
		if n.Op == opBlank {
			return Blank(t), nil
		}
		return Match(t, n.word(0), n.word(1))
	case opDuring, opRecurs:
		return r.when(n)
	case opAlive, opBorn, opGone:
		return r.life(n)
	case opOutlier:
		x, by, err := r.numberBy(n.Kids)
		if err != nil {
			return nil, err
		}
		return r.m.Outlier(x, n.word(0), n.Numbers[0], by...)
	case opSome, opEvery, opCountOf, opAllOf, opRank:
		return r.things(n)
	}
	return nil, refuse(nil, "%s is no condition.", n.Op)
}

func (r *reader) when(n *node) (Pred, error) {
	t, err := r.time(n.Kids[0])
	if err != nil {
		return nil, err
	}
	if n.Op == opDuring {
		s, err := NewSpan(n.word(0), n.word(1))
		if err != nil {
			return nil, err
		}
		return During(t, s)
	}
	var values []int
	for _, v := range n.Numbers {
		values = append(values, int(v))
	}
	return Recurs(t, n.word(0), values...)
}

func (r *reader) life(n *node) (Pred, error) {
	t, err := r.m.Table(n.Table)
	if err != nil {
		return nil, err
	}
	s, err := r.m.Snapshot(t)
	if err != nil {
		return nil, err
	}
	if n.Op == opAlive {
		return Alive(s, n.word(0))
	}
	span, err := NewSpan(n.word(0), n.word(1))
	if err != nil {
		return nil, err
	}
	if n.Op == opBorn {
		return Born(s, span)
	}
	return Gone(s, span)
}

// things builds a condition on things.
func (r *reader) things(n *node) (Pred, error) {
	t, err := r.m.base(n)
	if err != nil {
		return nil, err
	}
	if n.Op == opRank {
		of, err := r.measure(n.Kids[0])
		if err != nil {
			return nil, err
		}
		within, err := each(n.Kids[1:], r.scalar)
		if err != nil {
			return nil, err
		}
		return r.m.Rank(t, of, n.word(0), int(n.Numbers[0]), within...)
	}
	set, err := r.set(n.Kids[0])
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case opSome:
		return r.m.Some(t, set)
	case opEvery:
		p, err := r.pred(n.Kids[1])
		if err != nil {
			return nil, err
		}
		return r.m.Every(t, set, p)
	case opAllOf:
		s, err := r.scalar(n.Kids[1])
		if err != nil {
			return nil, err
		}
		return r.m.AllOf(t, set, s)
	}
	var distinct Scalar
	if len(n.Kids) > 1 {
		if distinct, err = r.scalar(n.Kids[1]); err != nil {
			return nil, err
		}
	}
	return r.m.CountOf(t, set, distinct, n.word(0), int(n.Numbers[0]))
}

// measure builds a measure again.
func (r *reader) measure(n *node) (Measure, error) {
	switch n.Op {
	case opCount:
		s, err := r.set(n.Kids[0])
		return Count(s), err
	case opDistinct:
		c, err := r.col(n.Kids[0])
		if err != nil {
			return nil, err
		}
		return Distinct(c), nil
	case opTotal, opAt, opStat, opPair:
		return r.ofNumbers(n)
	case opWelch:
		x, err := r.number(n.Kids[0])
		if err != nil {
			return nil, err
		}
		p, err := each(n.Kids[1:], r.pred)
		if err != nil {
			return nil, err
		}
		return r.m.Welch(n.word(0), x, p[0], p[1])
	case opAnova, opChi2, opMann, opNormality, opPaired, opFit:
		return r.test(n)
	case opWhen, opShare:
		of, err := r.measure(n.Kids[0])
		if err != nil {
			return nil, err
		}
		p, err := r.pred(n.Kids[1])
		if err != nil {
			return nil, err
		}
		if n.Op == opShare {
			return r.m.Share(of, p)
		}
		return r.m.When(of, p)
	case opRatio, opDiff, opPercent:
		k, err := each(n.Kids, r.measure)
		switch {
		case err != nil:
			return nil, err
		case n.Op == opRatio:
			return Ratio(k[0], k[1]), nil
		case n.Op == opDiff:
			return Diff(k[0], k[1]), nil
		}
		return Percent(k[0], k[1]), nil
	case opPer, opEach, opNamed:
		of, err := r.measure(n.Kids[0])
		switch {
		case err != nil:
			return nil, err
		case n.Op == opNamed:
			return Named(n.word(0), of)
		case n.Op == opPer:
			c, err := r.col(n.Kids[1])
			if err != nil {
				return nil, err
			}
			return Per(of, c), nil
		}
		if n.word(0) == "" {
			c, err := r.col(n.Kids[1])
			if err != nil {
				return nil, err
			}
			return r.m.EachOf(of, c, n.word(1))
		}
		t, err := r.time(n.Kids[1])
		if err != nil {
			return nil, err
		}
		return r.m.EachPeriod(of, t, n.word(0), n.word(1))
	}
	return nil, refuse(nil, "%s is no figure.", n.Op)
}

func (r *reader) ofNumbers(n *node) (Measure, error) {
	if n.Op == opStat && (n.word(0) == "min" || n.word(0) == "max") {
		if c, err := r.col(n.Kids[0]); err == nil && c.number() == nil {
			return measureNode{op(opStat, c.scalar()).with(n.word(0))}, nil
		}
	}
	k, err := each(n.Kids, r.number)
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case opTotal:
		switch x := k[0].(type) {
		case Amount:
			return Total(x), nil
		case Plain:
			return Total(x.AsAmount()), nil
		case Level, Rate:
		}
		return nil, refuse([]string{"the mean of it"}, "%s must not be added up.", k[0].number().label())
	case opAt:
		l, ok := k[0].(Level)
		if !ok {
			return nil, refuse([]string{"the total of it"}, "%s is no level.", k[0].number().label())
		}
		return At(l, Pick(n.word(0)))
	case opPair:
		return pairNamed(n.word(0), k[0], k[1])
	}
	if n.word(0) == "quantile" {
		if len(n.Numbers) != 1 {
			return nil, refuse(nil, "A quantile is between 0 and 1.")
		}
		return Quantile(k[0], n.Numbers[0])
	}
	return statNamed(n.word(0), k[0])
}

func statNamed(name string, x Number) (Measure, error) {
	for _, s := range statistics() {
		if s == name && s != "quantile" {
			return stat(name, x), nil
		}
	}
	return nil, refuse(statistics(), "There is no statistic %s.", name)
}

func pairNamed(name string, y, x Number) (Measure, error) {
	known := append([]string{"corr", "slope", "intercept", "r2", "p"}, pairsOfRanks()...)
	for _, s := range known {
		if s == name {
			return pair(name, y, x)
		}
	}
	return nil, refuse(known, "There is no statistic %s of two numbers.", name)
}

func (r *reader) window(n *node) (Window, error) {
	of, err := r.measure(n.Kids[0])
	if err != nil {
		return nil, err
	}
	if n.Op == opRankBy || n.Op == opPartOf {
		within, err := each(n.Kids[1:], r.by)
		switch {
		case err != nil:
			return nil, err
		case n.Op == opPartOf:
			return r.m.PartOfTotal(of, within...)
		}
		return RankBy(of, n.word(0), within...)
	}
	along, err := r.timeDim(n.Kids[1])
	if err != nil {
		return nil, err
	}
	switch n.Op {
	case opRunning:
		return r.m.Running(of, along)
	case opMoving:
		return r.m.Moving(of, int(n.Numbers[0]), n.word(0), along)
	}
	if n.word(0) != "percent" && n.word(0) != "change" {
		return nil, refuse([]string{"percent", "change"}, "There is no growth in %s.", n.word(0))
	}
	return Growth(of, int(n.Numbers[0]), n.word(0) == "percent", along)
}
