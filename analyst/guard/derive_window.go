package guard

import "strings"

// partitioned are the totals over windows of the same partitions.
type partitioned struct {
	groups []string
	totals []*expr
}

// window derives the controls of the totals over windows of joined rows. A total over a window is one of its partition, and a running
// one ends with it: so rows that a join repeats change the total of a partition, whatever the order and the frame of the window are.
// The result has such a total in each of its rows, so its own figures are not compared.
func (d *deriver) window(n *node) {
	var list []*expr
	for _, e := range n.list() {
		if e.Type == "WINDOW_AGGREGATE" && adds(classOf(e.Name), e) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return
	}
	w := d.writer()
	r, err := w.rows(n.Children[0])
	if err != nil {
		d.unchecked("a total over a window of joined rows: " + unwrittenReason(err))
		return
	}
	var parts []*partitioned
	at := map[string]*partitioned{}
	for _, e := range list {
		groups, err := w.values(r, e.Partitions)
		if err != nil {
			d.unchecked(unwrittenReason(err))
			return
		}
		key := strings.Join(groups, "\x00")
		if at[key] == nil {
			at[key] = &partitioned{groups: groups}
			parts = append(parts, at[key])
		}
		at[key].totals = append(at[key].totals, e)
	}
	for _, p := range parts {
		c := d.controlled(w, r, p.groups)
		var totals []DerivedTotal
		for _, e := range p.totals {
			total := *e
			total.Filter = e.Filters
			if len(e.Children) == 0 {
				total.Name = "count_star"
			}
			t, err := c.total(&total)
			if err != nil {
				d.unchecked(unwrittenReason(err))
				continue
			}
			if t.Total != "" {
				t.Column, t.Digits, t.Cut = -1, -1, true
				totals = append(totals, t)
			}
		}
		c.finish(totals)
	}
}
