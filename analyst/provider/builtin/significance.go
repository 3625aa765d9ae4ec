package builtin

import (
	"fmt"

	"parley.dev/parley/analyst/specialist"
)

// The p-value of a correlation, if the question asks for it or for its significance. It is that of Pearson's r,
// two-sided, by the worker's function p_t (docs/statistics.md).

// guardSignificance stops an answer that would leave out the test that was asked for.
func (p *parser) guardSignificance() {
	if f := p.form; f.tested && f.mode != modeCorrelation {
		f.block("I test only whether two columns of numbers go together: ask for the p-value of the correlation of two of them.")
	}
}

// significance narrates the p-value of a correlation.
func (t *teller) significance() string {
	p, ok := specialist.Number(t.cell(0, 2))
	if !ok {
		return " There are too few pairs for a p-value."
	}
	said := specialist.Format(p)
	if p > 0 && p < 0.0001 {
		// A rounded zero would claim certainty.
		said = fmt.Sprintf("%.1e", p)
	}
	return fmt.Sprintf(" The p-value is **%s** (two-sided, of Pearson's correlation).", marked(0, 2, said))
}
