package builtin

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

func TestOwnWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Sold in shops. ", 18) + "What there is (all of it, and more)."
	const made = "1,300 rows of mix with one column: Sum. A last row of totals is left out. Please check Sum: why."
	for name, c := range map[string]struct{ description, made, want string }{
		"None":                       {"", "", ""},
		"TheSameFactsAreNotRepeated": {"", "1,300 rows of mix with 2 columns: When and Where. When is from 1 May 2024 to 2 May 2025.", ""},
		"RemarksStay":                {"", made, "A last row of totals is left out. Please check Sum: why."},
		"WhatAPersonWrote":           {"Orders of the shops", "", "Orders of the shops."},
		"BeforeTheRemarks": {"Orders of the shops", made, "Orders of the shops. A last row of totals is left out. Please " +
			"check Sum: why."},
		"AlsoThatItHasRows": {
			"1,300 rows of what we sold, without returns.", "1,300 rows of mix with one column: Sum.",
			"1,300 rows of what we sold, without returns.",
		},
		"NoCutWithinABracket": {long, "", strings.TrimSpace(strings.Repeat("Sold in shops. ", 18)) + " What there is …"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, ownWords(&analyst.Table{Rows: 1300, Description: c.description, Made: c.made}))
		})
	}
}

func TestColumn_Remark(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ name, description, want string }{
		"TheHeadingIsNotRepeated": {"order_date", "Order Date", ""},
		"ANoteStays":              {"net_revenue", "Net Revenue, in $", "in $"},
		"WhatAPersonWrote":        {"mrr", "what a customer pays, each month", "what a customer pays, each month"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := tableOf([]analyst.Table{{Name: "t", Columns: []domain.Column{{Name: c.name, Description: c.description}}}}, 0, nil)
			require.Equal(t, c.want, table.columns[0].remark())
		})
	}
}

func TestColumn_Heading(t *testing.T) {
	t.Parallel()
	of := func(columns ...domain.Column) *table {
		return tableOf([]analyst.Table{{Name: "t", Columns: columns}}, 0, nil)
	}
	require.Equal(t, "When?", of(domain.Column{Name: "when_", Description: "When?"}).columns[0].heading())
	require.Equal(t, "Revenue", of(domain.Column{Name: "revenue_eur", Type: domain.ColumnNumber}).columns[0].heading())
	two := of(domain.Column{Name: "revenue_eur", Type: domain.ColumnNumber}, domain.Column{Name: "revenue", Type: domain.ColumnNumber})
	require.NotEqual(t, two.columns[0].heading(), two.columns[1].heading(), "columns that a question may mean have different headings")
	require.NotContains(t, of(domain.Column{Name: "a_b", Description: "a_[`b`]"}).columns[0].heading(), "`")
}
