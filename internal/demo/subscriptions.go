package demo

import (
	"fmt"
	"time"
)

const subscriptionsSeed = 20260101

// account is a customer of the software in one month.
type account struct {
	id, name, industry, country, size, source, manager string

	plan     int // index of plans
	yearly   bool
	seats    int
	adoption int // percent of seats in use
	mrr      int // cents
	since    time.Time
	isGone   bool
}

// plans lists the plans with the price of a seat in cents per month.
func plans() (names []string, seatPrice []int) {
	return []string{"Starter", "Team", "Business", "Enterprise"}, []int{900, 1900, 3400, 5200}
}

// subscriptions is the sample of recurring revenue.
func subscriptions() Source {
	return Source{
		Seed: "subscription-revenue", Name: "Subscription revenue", FileName: "subscription_revenue.csv", Table: "subscription_revenue",
		Organisation: brightloom, Owner: "elena@brightloom.example",
		Description: "Recurring revenue of Brightloom Software by account and month from January 2023 to October 2026: plan, seats, monthly " +
			"revenue and " +
			"how it moved, use of the product, and churn with its reason. One row per account and month, the month of leaving included. Amounts " +
			"are in US dollars.",
		Columns: []Column{
			{"month", "First day of the month."},
			{"account_id", "Number of the account."},
			{"account_name", "Name of the customer."},
			{"industry", "Industry of the customer."},
			{"company_size", "Employees of the customer: 1-50, 51-250, 251-1000 or 1000+."},
			{"country", "Country of the customer."},
			{"acquisition_channel", "How the account was won: Organic, Paid search, Partner, Outbound or Referral."},
			{"account_manager", "Who looks after the account; empty for the smallest."},
			{"plan", "Starter, Team, Business or Enterprise."},
			{"billing_period", "Monthly or Yearly."},
			{"customer_since", "Month in which the account began."},
			{"seats", "Seats paid for."},
			{"mrr", "Monthly recurring revenue in US dollars; 0 in the month of leaving."},
			{"mrr_change", "Change of mrr against the month before, in US dollars."},
			{"movement", "New, Expansion, Contraction, Price change, Churn, or None."},
			{"active_users", "Users active in the month; empty where measuring is switched off."},
			{"support_tickets", "Requests to support in the month."},
			{"nps_score", "Answer to how likely they recommend us, 0 to 10; asked each quarter, empty when not asked or not answered."},
			{"churned", "Whether the account left in this month."},
			{"churn_reason", "Why it left, when it said so."},
		},
		Questions: []string{
			"How did MRR develop by month and plan?",
			"What is the churn by billing period?",
			"What is the churn rate by acquisition channel?",
			"What are the top churn reasons in 2025?",
			"Compare average active users of churned accounts with the others.",
		},
		rows: writeSubscriptions,
	}
}

// writeSubscriptions simulates the business month by month.
func writeSubscriptions(emit func(cells ...string) error) error {
	d := &dice{state: subscriptionsSeed}

	var accounts []*account

	used := map[string]int{}

	for range 150 {
		accounts = append(accounts, newAccount(d, len(accounts), firstOf(2022, time.Month(d.between(1, 12))), used))
	}

	for month := firstOf(2023, time.January); month.Before(firstOf(2026, time.November)); month = month.AddDate(0, 1, 0) {
		months := (month.Year()-2023)*12 + int(month.Month()) - 1
		first := len(accounts)

		for range d.bell(8, 16) + months/4 {
			accounts = append(accounts, newAccount(d, len(accounts), month, used))
		}

		for i, a := range accounts {
			if a.isGone {
				continue
			}

			if err := emit(a.live(d, month, i >= first)...); err != nil {
				return err
			}
		}
	}

	return nil
}

// newAccount makes a new customer.
func newAccount(d *dice, index int, since time.Time, used map[string]int) *account {
	size := d.pick(420, 320, 180, 80)
	a := &account{
		id: fmt.Sprintf("A-%04d", 1001+index),
		industry: []string{
			"Retail", "Healthcare", "Manufacturing", "Finance", "Education", "Logistics",
			"Media",
		}[d.pick(200, 130+index/8, 170, 140, 110, 120, 90)],
		country: []string{
			"United States", "United Kingdom", "Germany", "France", "Canada", "Australia",
			"Netherlands",
		}[d.pick(420, 160, 130, 90, 90, 60, 50)],
		size:     []string{"1-50", "51-250", "251-1000", "1000+"}[size],
		source:   []string{"Organic", "Paid search", "Partner", "Outbound", "Referral"}[d.pick(330, 260, 150, 140, 120)],
		since:    since,
		adoption: d.bell(35, 95),
	}

	a.name = companyName(d, a.industry, used)
	a.plan = []int{d.pick(700, 260, 40, 0), d.pick(240, 560, 190, 10), d.pick(40, 380, 480, 100), d.pick(0, 90, 440, 470)}[size]
	a.seats = []int{d.between(2, 14), d.between(8, 45), d.between(25, 140), d.between(80, 420)}[size]
	a.yearly = d.chance([]int{250, 430, 620, 900}[a.plan])

	// Many customers from paid search only try the product.
	if a.source == "Paid search" {
		a.adoption = a.adoption * 8 / 10
	}

	if size > 0 {
		a.manager = one(d, []string{"Priya Nair", "Jonas Weber", "Claire Dubois", "Marcus Reed", "Sofia Rossi"})
	}

	return a
}

// revenue is what an account pays per month: a yearly contract costs a tenth less, and small
// accounts have paid a quarter more since July 2025.
func (a *account) revenue(month time.Time) int {
	_, price := plans()
	seat := price[a.plan]

	if a.plan < 2 && !month.Before(firstOf(2025, time.July)) {
		seat = percentOf(seat, 125)
	}

	total := a.seats * seat
	if a.yearly {
		total = percentOf(total, 90)
	}

	return total
}

// live simulates one month of an account and returns its line.
func (a *account) live(d *dice, month time.Time, isNew bool) []string {
	before := a.mrr
	movement := "None"

	a.adoption = min(100, max(3, a.adoption+d.between(-6, 6)-d.pick(955, 45)*9))

	switch {
	case isNew || before == 0:
		if isNew {
			movement = "New"
		}
	case a.leaves(d, month):
		return a.leave(d, month, before)
	case a.adoption > 70 && d.chance(80):
		a.seats += 1 + d.tail(a.seats/3)
		movement = "Expansion"

		if a.plan < 3 && a.seats > 40 && d.chance(160) {
			a.plan++
		}
	case a.adoption < 35 && a.seats > 3 && d.chance(100):
		a.seats -= 1 + d.tail(a.seats/3)
		movement = "Contraction"
	}

	a.mrr = a.revenue(month)
	change := a.mrr - before

	// Revenue from before the first month of the file is not a movement in that month.
	if before == 0 && !isNew {
		change = 0
	}

	if movement == "None" && change != 0 {
		movement = "Price change"
	}

	return a.cells(d, month, change, movement, false, "")
}

// leaves reports whether an account churns this month.
func (a *account) leaves(d *dice, month time.Time) bool {
	odds := []int{30, 16, 9, 5}[a.plan]

	switch {
	case a.adoption < 20:
		odds *= 5
	case a.adoption < 35:
		odds *= 3
	case a.adoption > 75:
		odds = odds / 3
	}

	if a.yearly {
		odds = odds / 3
	}

	if a.source == "Partner" || a.source == "Referral" {
		odds = odds / 2
	}

	raised := !month.Before(firstOf(2025, time.July)) && month.Before(firstOf(2025, time.October))
	if raised && a.plan < 2 && !a.yearly {
		odds = odds*3 + 20
	}

	return d.chance(min(odds, 400))
}

// leave returns the last line of an account.
func (a *account) leave(d *dice, month time.Time, before int) []string {
	a.isGone, a.mrr = true, 0

	reason := []string{"Too little use", "Price", "Went to a competitor", "Missing features", "Out of business"}[d.pick(300, 220, 190, 200,
		90)]
	if a.adoption < 30 && d.chance(550) {
		reason = "Too little use"
	}

	if a.plan < 2 && month.Year() == 2025 && month.Month() >= time.July && month.Month() <= time.September && d.chance(600) {
		reason = "Price"
	}

	if d.chance(240) {
		reason = ""
	}

	return a.cells(d, month, -before, "Churn", true, reason)
}

// cells is the month as a line of the file.
func (a *account) cells(d *dice, month time.Time, change int, movement string, churned bool, reason string) []string {
	names, _ := plans()
	billing, active, nps := "Monthly", "", ""

	if a.yearly {
		billing = "Yearly"
	}

	// Some customers do not permit measurements: the same customers each month.
	if a.id[len(a.id)-1] != '7' {
		active = number((a.seats*a.adoption + 50) / 100)
	}

	if month.Month()%3 == 0 && d.chance(420) {
		nps = number(min(10, max(0, a.adoption/10+d.between(-2, 3))))
	}

	tickets := d.tail(3 + a.seats/25)
	if a.adoption < 35 {
		tickets += d.n(3)
	}

	return []string{
		month.Format(dateLayout), a.id, a.name, a.industry, a.size, a.country, a.source, a.manager, names[a.plan], billing,
		a.since.Format(dateLayout), number(a.seats), money(a.mrr), money(change), movement, active, number(tickets), nps, yesNo(churned), reason,
	}
}

// companyName makes a name that contains the industry. A name that is already used gets a
// number.
func companyName(d *dice, industry string, used map[string]int) string {
	first := []string{
		"Alder", "Blue Harbor", "Cobalt", "Delta", "Evergreen", "Foxglove", "Granite", "Highland", "Iris", "Juniper", "Keystone", "Larkspur",
		"Maple", "Northstar", "Orchard", "Pinnacle", "Quarry", "Redwood", "Summit", "Tidewater", "Union", "Valley", "Willow", "Zephyr",
		"Ironbridge", "Silverline", "Oakfield", "Riverbend", "Lakeview", "Meadow", "Copper", "Amber",
	}
	second := map[string][]string{
		"Retail":        {"Stores", "Interiors", "Outlets", "Fashion", "Foods", "Home"},
		"Healthcare":    {"Health", "Clinics", "Care", "Medical", "Diagnostics", "Dental"},
		"Manufacturing": {"Works", "Motors", "Textiles", "Components", "Plastics", "Tools"},
		"Finance":       {"Capital", "Partners", "Insurance", "Advisors", "Credit Union", "Holdings"},
		"Education":     {"Academy", "College", "Learning", "Institute", "Schools", "Press"},
		"Logistics":     {"Logistics", "Freight", "Shipping", "Couriers", "Warehousing", "Transport"},
		"Media":         {"Media", "Studios", "Publishing", "Broadcasting", "Pictures", "Records"},
	}

	name := one(d, first) + " " + one(d, second[industry]) + one(d, []string{"", "", " Inc", " Ltd", " Group"})
	used[name]++

	if times := used[name]; times > 1 {
		return fmt.Sprintf("%s %d", name, times)
	}

	return name
}
