package demo

// Blueprint is a sample blueprint in an organisation's library: a prompt in steps.
type Blueprint struct {
	// Seed identifies the blueprint permanently, even if people rename it.
	Seed string

	Organisation string
	Name         string
	Description  string

	// Categories are the use cases under which the library shows it.
	Categories []string

	// Sources are the seeds of the samples that it uses.
	Sources []string

	// Inputs are its input parameters, one on each line; without parameters it can be scheduled.
	Inputs string

	Steps []Step
}

// Step is one step of a blueprint: a question, or SQL with a description of its result.
type Step struct {
	Name string

	// Ask is a question that every agent can answer.
	Ask string

	// Check says what to check before the answer is given.
	Check string

	// SQL is run unchanged, except that {{Name}} is replaced by the value of an input.
	SQL string
}

// Library lists the blueprints that come with the organisations.
func Library() []Blueprint {
	all := append(meridianSales(), meridianService()...)

	return append(all, brightloomLibrary()...)
}

func meridianSales() []Blueprint {
	orders := []string{"retail-orders"}

	return []Blueprint{
		{
			Seed: "monthly-sales-review", Organisation: meridian, Name: "Monthly sales review",
			Description: "How net sales and margin developed, by month, channel and category. For the first working day of a month.",
			Categories:  []string{"Sales", "Reporting"}, Sources: orders,
			Steps: []Step{
				{Name: "Net sales by month", Ask: "How did net sales develop by month?"},
				{Name: "Channels", Ask: "Compare net sales by channel in 2024, 2025 and 2026."},
				{
					Name: "Margin of the last month",
					SQL: `SELECT category, round(sum(net_sales), 2) AS net_sales, round(sum(net_sales - cost), 2) AS margin,
       round(100 * sum(net_sales - cost) / sum(net_sales), 1) AS margin_percent
  FROM retail_orders
 WHERE date_trunc('month', order_date) = (SELECT date_trunc('month', max(order_date)) FROM retail_orders)
 GROUP BY category
 ORDER BY net_sales DESC`,
				},
			},
		},
		{
			Seed: "region-deep-dive", Organisation: meridian, Name: "Region deep dive",
			Description: "One region in one year: what it sells, through which channels, and how it compares with the year before.",
			Categories:  []string{"Sales"}, Sources: orders, Inputs: "Region: North, South, East, West or Central\nYear: such as 2025",
			Steps: []Step{
				{
					Name: "{{Region}} against the year before",
					SQL: `SELECT strftime(order_date, '%B') AS month,
       round(sum(net_sales) FILTER (WHERE year(order_date) = {{Year}} - 1), 2) AS year_before,
       round(sum(net_sales) FILTER (WHERE year(order_date) = {{Year}}), 2) AS net_sales
  FROM retail_orders
 WHERE region = '{{Region}}' AND year(order_date) BETWEEN {{Year}} - 1 AND {{Year}}
 GROUP BY strftime(order_date, '%B'), month(order_date)
 ORDER BY month(order_date)`,
				},
				{Name: "Best products", Ask: "What are the top 10 products by net sales in {{Year}} in region {{Region}}?"},
				{Name: "Channels", Ask: "What are net sales by channel in {{Year}} in region {{Region}}?"},
			},
		},
		{
			Seed: "product-performance", Organisation: meridian, Name: "Category performance",
			Description: "The products of one category: sales, returns and ratings side by side.",
			Categories:  []string{"Sales", "Quality"}, Sources: orders, Inputs: "Category: such as Footwear, Tents or Jackets",
			Steps: []Step{
				{
					Name: "Products of {{Category}}",
					SQL: `SELECT product, round(sum(net_sales), 2) AS net_sales, sum(quantity) AS pieces,
       round(100.0 * count(*) FILTER (WHERE returned) / count(*), 1) AS returned_percent, round(avg(rating), 2) AS rating
  FROM retail_orders
 WHERE category = '{{Category}}'
 GROUP BY product
 ORDER BY net_sales DESC`,
				},
				{Name: "Season", Ask: "What are net sales by month in category {{Category}}?"},
			},
		},
		{
			Seed: "returns-watch", Organisation: meridian, Name: "Returns watch",
			Description: "What comes back, why, and whether discounts have a part in it.",
			Categories:  []string{"Quality", "Operations"}, Sources: orders,
			Steps: []Step{
				{Name: "Categories", Ask: "Which product category has the highest share of returns?"},
				{
					Name: "Reasons",
					SQL: `SELECT coalesce(return_reason, 'not said') AS reason, count(*) AS lines, round(sum(net_sales), 2) AS net_sales
  FROM retail_orders
 WHERE returned
 GROUP BY reason
 ORDER BY lines DESC`,
				},
				{
					Name: "Discounts",
					SQL: `SELECT CASE WHEN discount_percent = 0 THEN 'none' WHEN discount_percent <= 15 THEN 'up to 15 %'
            WHEN discount_percent <= 30 THEN '16 to 30 %' ELSE 'over 30 %' END AS discount,
       count(*) AS lines, round(100.0 * count(*) FILTER (WHERE returned) / count(*), 1) AS returned_percent
  FROM retail_orders
 GROUP BY discount
 ORDER BY returned_percent`,
				},
			},
		},
		{
			Seed: "delivery-and-ratings", Organisation: meridian, Name: "Delivery and ratings",
			Description: "How long deliveries take, and what that does to the stars we get.",
			Categories:  []string{"Operations", "Customers"}, Sources: orders,
			Steps: []Step{
				{Name: "Ratings by delivery time", Ask: "How does the rating depend on delivery days?"},
				{Name: "Regions", Ask: "What are the average delivery days by region?"},
			},
		},
	}
}

func meridianService() []Blueprint {
	tickets := []string{"service-tickets"}

	return []Blueprint{
		{
			Seed: "service-report", Organisation: meridian, Name: "Customer service report",
			Description: "What customers ask about, how fast we answer, and how satisfied they are. For the weekly meeting.",
			Categories:  []string{"Customer service", "Reporting"}, Sources: tickets,
			Steps: []Step{
				{Name: "Tickets by topic", Ask: "How many tickets come in per month, by topic?"},
				{Name: "First answers", Ask: "What is the median first response time per channel?"},
				{
					Name: "Satisfaction", Ask: "Which agents have the highest average satisfaction?",
					Check: "Name only agents with at least fifty answers.",
				},
			},
		},
		{
			Seed: "refund-check", Organisation: meridian, Name: "Refund check",
			Description: "How much was refunded, where and for what.",
			Categories:  []string{"Customer service", "Finance"}, Sources: tickets, Inputs: "Year: such as 2026",
			Steps: []Step{
				{Name: "Regions", Ask: "How much was refunded per region in {{Year}}?"},
				{
					Name: "Topics",
					SQL: `SELECT topic, count(*) AS tickets, count(refund_amount) AS refunds,
       round(sum(refund_amount), 2) AS refunded, round(avg(refund_amount), 2) AS average
  FROM service_tickets
 WHERE year(created_at) = {{Year}}
 GROUP BY topic
 ORDER BY refunded DESC NULLS LAST`,
				},
			},
		},
		{
			Seed: "orders-behind-tickets", Organisation: meridian, Name: "Orders behind the tickets",
			Description: "Which products keep customer service busy: tickets joined with the orders that they are about.",
			Categories:  []string{"Customer service", "Quality"}, Sources: []string{"retail-orders", "service-tickets"},
			Steps: []Step{
				{
					Name: "Tickets by category",
					SQL: `SELECT o.category, count(DISTINCT o.order_id) AS orders, count(DISTINCT t.ticket_id) AS tickets,
       round(100.0 * count(DISTINCT t.ticket_id) / count(DISTINCT o.order_id), 1) AS tickets_per_100_orders
  FROM retail_orders o LEFT JOIN service_tickets t ON t.order_id = o.order_id
 GROUP BY o.category
 ORDER BY tickets_per_100_orders DESC`,
				},
				{
					Name: "Damaged goods",
					SQL: `SELECT o.product, count(DISTINCT t.ticket_id) AS tickets
  FROM service_tickets t JOIN retail_orders o ON o.order_id = t.order_id
 WHERE t.topic = 'Damaged goods'
 GROUP BY o.product
 ORDER BY tickets DESC
 LIMIT 10`,
				},
			},
		},
	}
}
