package demo

// Project is a project label of an organisation.
type Project struct {
	Seed         string
	Organisation string
	Owner        string // an email
	Name         string
	Description  string
	Color        string
}

// Memory is an example that the agents of an organisation recall.
type Memory struct {
	Seed           string
	Organisation   string
	Name           string
	Question       string
	Response       string
	Type           string
	Labels         []string
	AlwaysRecalled bool
}

// Projects lists the project labels.
func Projects() []Project {
	return []Project{
		{
			Seed: "assortment", Organisation: meridian, Owner: "mara@meridian.example", Name: "Assortment 2026",
			Description: "Which products stay, go and come next season.", Color: "Royal Blue",
		},
		{
			Seed: "returns", Organisation: meridian, Owner: "tomas@meridian.example", Name: "Fewer returns",
			Description: "Why goods come back, and what to do about it.", Color: "Scarlet red",
		},
		{
			Seed: "service-quality", Organisation: meridian, Owner: "yuna@meridian.example", Name: "Service quality",
			Description: "First response, solutions and satisfaction of customer service.", Color: "Teal blue",
		},
		{
			Seed: "board-report", Organisation: brightloom, Owner: "elena@brightloom.example", Name: "Board report",
			Description: "Figures and charts for the quarterly board meeting.", Color: "Golden yellow",
		},
		{
			Seed: "retention", Organisation: brightloom, Owner: "samir@brightloom.example", Name: "Retention",
			Description: "Who leaves, why, and what keeps customers.", Color: "Olive Green",
		},
	}
}

// Memories lists the memories of the organisations. Their types and labels are the ones
// that every new organisation has.
func Memories() []Memory {
	return []Memory{
		{
			Seed: "net-sales", Organisation: meridian, Name: "Net sales", Type: "Definition", Labels: []string{"Business terms", "Sales"},
			Question: "What do we mean by net sales?",
			Response: "Net sales are what customers paid: quantity times price, less the discount. Shipping and taxes are not part of them, and " +
				"returned goods are not taken off.",
		},
		{
			Seed: "return-rate", Organisation: meridian, Name: "Return rate by category", Type: "Query", Labels: []string{"Operations"},
			Question: "What is the return rate by category?",
			Response: "The return rate is the share of order lines that came back, in percent.\n\n```sql\n" +
				"SELECT category, round(100.0 * count(*) FILTER (WHERE returned) / count(*), 1) AS return_rate_percent, count(*) AS order_lines\n" +
				"FROM retail_orders\nGROUP BY category\nORDER BY return_rate_percent DESC\n```",
		},
		{
			Seed: "tents", Organisation: meridian, Name: "Tents in spring 2025", Type: "Insight", Labels: []string{"Sales"},
			Question: "Why did the sales of tents fall in May and June 2025?",
			Response: "The supplier failed and tents were out of stock in these two months. It says nothing about demand: point that out where a " +
				"comparison touches them.",
		},
		{
			Seed: "charts-over-time", Organisation: meridian, Name: "Charts over time", Type: "Chart", Labels: []string{"Reporting", "Style"},
			Question: "Which chart do we use for sales over time?",
			Response: "A line by month, one line for each region or category, at most six lines. Bars are for comparisons at one time.",
		},
		{
			Seed: "currency", Organisation: brightloom, Name: "Currency", Type: "Definition", Labels: []string{"Finance", "Style"},
			AlwaysRecalled: true,
			Question:       "In which currency are our figures?",
			Response:       "All amounts are in US dollars. Say so once in an answer that has amounts.",
		},
		{
			Seed: "net-retention", Organisation: brightloom, Name: "Net revenue retention", Type: "Definition",
			Labels:   []string{"Business terms", "Finance"},
			Question: "What do we mean by net revenue retention?",
			Response: "The recurring revenue today of the accounts that we had a year ago, divided by their recurring revenue then. Expansion " +
				"counts, new accounts do not.",
		},
		{
			Seed: "mrr-by-plan", Organisation: brightloom, Name: "Revenue by plan", Type: "Query", Labels: []string{"Finance", "Reporting"},
			Question: "What is our monthly recurring revenue by plan?",
			Response: "Of the last month that we have.\n\n```sql\n" +
				"SELECT plan, sum(mrr) AS monthly_recurring_revenue, count(*) FILTER (WHERE mrr > 0) AS accounts\n" +
				"FROM subscription_revenue\nWHERE month = (SELECT max(month) FROM subscription_revenue)\nGROUP BY plan\nORDER BY " +
				"monthly_recurring_revenue DESC\n```",
		},
		{
			Seed: "board-summary", Organisation: brightloom, Name: "Summary for the board", Type: "Summary", Labels: []string{"Reporting", "Style"},
			Question: "How do we close an answer for the board?",
			Response: "Three sentences at most: the figure, what changed against the quarter before, and what to decide.",
		},
	}
}
