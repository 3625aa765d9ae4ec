package guard

import "strings"

// partitionTotals are the totals over windows with the same partitions.
type partitionTotals struct {
	groups []string
	totals []*expr
}

// window derives the controls of totals over windows of joined rows. Repeated rows change the total of a partition, whatever
// the order and the frame of the window are: a running total ends with the total of its partition. The figures of the result
// are not compared, because such a total is in each of its rows.
func (d *deriver) window(n *node) {
	var list []*expr
	for _, e := range n.list() {
		if e.Type == "WINDOW_AGGREGATE" && countsEachRow(classOf(e.Name), e) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return
	}
	w := d.newWriter()
	r, err := w.rows(n.Children[0])
	if err != nil {
		d.unchecked("a total over a window of joined rows: " + unsupportedReason(err))
		return
	}
	var parts []*partitionTotals
	at := map[string]*partitionTotals{}
	for _, e := range list {
		groups, err := w.values(r, e.Partitions)
		if err != nil {
			d.unchecked(unsupportedReason(err))
			return
		}
		key := strings.Join(groups, "\x00")
		if at[key] == nil {
			at[key] = &partitionTotals{groups: groups}
			parts = append(parts, at[key])
		}
		at[key].totals = append(at[key].totals, e)
	}
	for _, p := range parts {
		c := d.newControl(w, r, p.groups)
		var totals []DerivedTotal
		for _, e := range p.totals {
			total := *e
			total.Filter = e.Filters
			if len(e.Children) == 0 {
				total.Name = "count_star"
			}
			t, err := c.total(&total)
			if err != nil {
				d.unchecked(unsupportedReason(err))
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
