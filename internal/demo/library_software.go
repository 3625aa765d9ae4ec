package demo

func brightloomLibrary() []Blueprint {
	revenue := []string{"subscription-revenue"}

	return []Blueprint{
		{
			Seed: "mrr-review", Organisation: brightloom, Name: "Monthly revenue review",
			Description: "Recurring revenue by plan and what moved it. For the first working day of a month.",
			Categories:  []string{"Finance", "Reporting"}, Sources: revenue,
			Steps: []Step{
				{Name: "Revenue by plan", Ask: "How did MRR develop by month and plan?"},
				{
					Name: "What moved it",
					SQL: `SELECT strftime(month, '%Y-%m') AS month, movement, round(sum(mrr_change), 2) AS change
  FROM subscription_revenue
 WHERE movement <> 'None' AND month > (SELECT max(month) - INTERVAL 12 MONTH FROM subscription_revenue)
 GROUP BY 1, 2
 ORDER BY 1, 2`,
				},
				{Name: "Countries", Ask: "What is the total MRR by country in 2026?"},
			},
		},
		{
			Seed: "churn-review", Organisation: brightloom, Name: "Churn review",
			Description: "Who leaves and why.",
			Categories:  []string{"Retention", "Reporting"}, Sources: revenue,
			Steps: []Step{
				{
					Name: "Billing period",
					SQL: `SELECT billing_period, count(DISTINCT account_id) AS accounts, count(*) FILTER (WHERE churned) AS left_us,
       round(100.0 * count(*) FILTER (WHERE churned) / count(*), 2) AS monthly_churn_percent
  FROM subscription_revenue
 GROUP BY billing_period
 ORDER BY monthly_churn_percent DESC`,
				},
				{Name: "Reasons", Ask: "What are the top churn reasons in 2025?"},
				{
					Name: "Size and plan",
					SQL: `SELECT company_size, plan, count(DISTINCT account_id) AS accounts, count(*) FILTER (WHERE churned) AS left_us,
       round(100.0 * count(*) FILTER (WHERE churned) / count(DISTINCT account_id), 1) AS left_percent
  FROM subscription_revenue
 GROUP BY company_size, plan
 HAVING count(DISTINCT account_id) >= 20
 ORDER BY left_percent DESC`,
				},
			},
		},
		{
			Seed: "accounts-at-risk", Organisation: brightloom, Name: "Accounts at risk",
			Description: "Accounts that use little of what they pay for: little use comes before leaving.",
			Categories:  []string{"Retention"}, Sources: revenue,
			Steps: []Step{
				{
					Name: "Little use",
					SQL: `SELECT account_name, plan, seats, active_users, round(100.0 * active_users / seats, 0) AS used_percent, mrr
  FROM subscription_revenue
 WHERE month = (SELECT max(month) FROM subscription_revenue) AND NOT churned AND active_users < 0.3 * seats
 ORDER BY mrr DESC
 LIMIT 25`,
				},
				{
					Name: "Use before leaving",
					SQL: `SELECT CASE WHEN account_id IN (SELECT account_id FROM subscription_revenue WHERE churned)
            THEN 'left later' ELSE 'still here' END AS accounts,
       count(DISTINCT account_id) AS number, round(100.0 * avg(active_users / seats), 1) AS used_percent
  FROM subscription_revenue
 WHERE NOT churned AND seats > 0 AND active_users IS NOT NULL
 GROUP BY 1
 ORDER BY used_percent`,
				},
			},
		},
		{
			Seed: "acquisition-channels", Organisation: brightloom, Name: "Acquisition channels",
			Description: "Which channels win accounts, and which win accounts that stay.",
			Categories:  []string{"Growth"}, Sources: revenue,
			Steps: []Step{
				{
					Name: "Accounts that stay",
					SQL: `SELECT acquisition_channel, count(DISTINCT account_id) AS accounts, count(*) FILTER (WHERE churned) AS left_us,
       round(100.0 * count(*) FILTER (WHERE churned) / count(DISTINCT account_id), 1) AS left_percent
  FROM subscription_revenue
 GROUP BY acquisition_channel
 ORDER BY left_percent`,
				},
				{Name: "Where revenue comes from", Ask: "What is the total MRR by acquisition channel in 2026?"},
				{
					Name: "Revenue by channel and year",
					SQL: `SELECT acquisition_channel, strftime(customer_since, '%Y') AS since, count(DISTINCT account_id) AS accounts,
       round(sum(mrr), 2) AS revenue
  FROM subscription_revenue
 GROUP BY 1, 2
 ORDER BY 1, 2`,
				},
			},
		},
		{
			Seed: "price-rise", Organisation: brightloom, Name: "Price rise of July 2025",
			Description: "What the price rise brought, and whom it cost.",
			Categories:  []string{"Finance", "Retention"}, Sources: revenue,
			Steps: []Step{
				{
					Name: "Before and after",
					SQL: `SELECT billing_period, company_size,
       round(100.0 * count(*) FILTER (WHERE churned AND month >= DATE '2025-01-01' AND month < DATE '2025-07-01')
             / nullif(count(*) FILTER (WHERE month >= DATE '2025-01-01' AND month < DATE '2025-07-01'), 0), 2) AS monthly_churn_before,
       round(100.0 * count(*) FILTER (WHERE churned AND month >= DATE '2025-07-01' AND month < DATE '2026-01-01')
             / nullif(count(*) FILTER (WHERE month >= DATE '2025-07-01' AND month < DATE '2026-01-01'), 0), 2) AS monthly_churn_after
  FROM subscription_revenue
 GROUP BY billing_period, company_size
 ORDER BY billing_period, company_size`,
				},
				{
					Name: "What it brought",
					SQL: `SELECT strftime(month, '%Y-%m') AS month, round(sum(mrr_change) FILTER (WHERE movement = 'Price change'), 2) AS price_change,
       round(sum(mrr_change) FILTER (WHERE movement = 'Churn'), 2) AS churn
  FROM subscription_revenue
 WHERE month BETWEEN DATE '2025-05-01' AND DATE '2025-12-01'
 GROUP BY 1
 ORDER BY 1`,
				},
			},
		},
		{
			Seed: "account-review", Organisation: brightloom, Name: "Account review",
			Description: "Everything about one account before a call with it.",
			Categories:  []string{"Customers"}, Sources: revenue, Inputs: "Account: the customer's name, or a part of it",
			Steps: []Step{
				{
					Name: "Course of {{Account}}",
					SQL: `SELECT strftime(month, '%Y-%m') AS month, account_name, plan, seats, active_users, mrr, movement, support_tickets, nps_score
  FROM subscription_revenue
 WHERE account_name ILIKE '%{{Account}}%' AND month > (SELECT max(month) - INTERVAL 12 MONTH FROM subscription_revenue)
 ORDER BY account_name, month
 LIMIT 200`,
				},
			},
		},
		{
			Seed: "plan-report", Organisation: brightloom, Name: "Plan report",
			Description: "One plan in one year: revenue, new accounts and those that left.",
			Categories:  []string{"Growth", "Finance"}, Sources: revenue, Inputs: "Plan: Starter, Team, Business or Enterprise\nYear: such as 2025",
			Steps: []Step{
				{Name: "Revenue", Ask: "What is MRR by month in {{Year}} for plan {{Plan}}?"},
				{
					Name: "New and gone",
					SQL: `SELECT strftime(month, '%Y-%m') AS month, count(*) FILTER (WHERE movement = 'New') AS new_accounts,
       count(*) FILTER (WHERE churned) AS left_us
  FROM subscription_revenue
 WHERE plan = '{{Plan}}' AND year(month) = {{Year}}
 GROUP BY 1
 ORDER BY 1`,
				},
			},
		},
		{
			Seed: "recommendation", Organisation: brightloom, Name: "Would they recommend us",
			Description: "The net promoter score by plan, and how it moved.",
			Categories:  []string{"Customers", "Reporting"}, Sources: revenue,
			Steps: []Step{
				{
					Name: "Score by quarter", Check: "A score of few answers says little: give their number beside it.",
					SQL: `SELECT year(month) || ' Q' || quarter(month) AS quarter, count(nps_score) AS answers,
       round(100.0 * (count(*) FILTER (WHERE nps_score >= 9) - count(*) FILTER (WHERE nps_score <= 6))
             / count(nps_score), 1) AS net_promoter_score
  FROM subscription_revenue
 WHERE nps_score IS NOT NULL
 GROUP BY 1
 ORDER BY 1`,
				},
				{Name: "Plans", Ask: "What is the average nps score by plan?"},
			},
		},
	}
}
