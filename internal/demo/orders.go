package demo

import (
	"fmt"
	"time"
)

const (
	ordersSeed = 20240101
	dateLayout = "2006-01-02"
)

// product is an article of the shop. Prices are in cents.
type product struct {
	category, name string
	price          int
	costPercent    int

	// weights are the relative sales of each month.
	weights [12]int
}

// customer is a customer with several orders.
type customer struct {
	id, segment, region, country, city string

	// share is the relative number of orders of the customer.
	share int
}

// order is one line of an order.
type order struct {
	id, line int
	date     time.Time
	customer *customer
	channel  string
	product  *product

	quantity, unitPrice, discount int // discount in percent
	net, cost, shipping           int

	promo, payment string
	deliveryDays   int // -1 when not known
	isReturned     bool
	returnReason   string
	rating         int // 0 when not given
}

// retailOrders is the sample of the shop's sales.
func retailOrders() Source {
	return Source{
		Seed: "retail-orders", Name: "Retail orders", FileName: "retail_orders.csv", Table: "retail_orders",
		Organisation: meridian, Owner: "mara@meridian.example",
		Description: "Every order line of Meridian Outfitters from January 2024 to October 2026: who bought what, where, through " +
			"which channel, " +
			"at which price and discount, what it cost, how it was delivered, whether it came back, and the customer's stars. Amounts are in euros.",
		Columns: []Column{
			{"order_id", "Number of the order. An order has one line or more."},
			{"order_line", "Number of the line within its order, from 1."},
			{"order_date", "Day of the order."},
			{"customer_id", "Number of the customer."},
			{"customer_segment", "Consumer, Club (schools and associations) or Corporate."},
			{"region", "Sales region: North, South, East, West or Central."},
			{"country", "Country of the customer."},
			{"city", "City of the customer."},
			{"channel", "Where the order came in: Online, Store or Marketplace."},
			{"category", "Group of products."},
			{"product", "Product sold."},
			{"quantity", "Pieces sold."},
			{"unit_price", "List price of one piece in euros on that day."},
			{"discount_percent", "Discount on the line in percent; 0 for none."},
			{"net_sales", "What the customer paid for the line in euros: quantity times price, less the discount."},
			{"cost", "What the goods of the line cost us in euros."},
			{"shipping_cost", "What we paid for shipping the line in euros; empty for purchases in a store."},
			{"promo_code", "Campaign of the discount; empty when there was none."},
			{"payment_method", "Card, Invoice, PayPal or Cash."},
			{"delivery_days", "Days from order to delivery; empty in a store and where the carrier did not report."},
			{"returned", "Whether the line came back."},
			{"return_reason", "Why it came back; empty when it did not or nobody said."},
			{"rating", "Stars from the customer, 1 to 5; empty when none were given."},
		},
		Questions: []string{
			"How did net sales develop by month?",
			"Which product category has the highest share of returns?",
			"What are the top 10 products by net sales in 2025?",
			"How does the rating depend on delivery days?",
			"Compare net sales by channel in 2024, 2025 and 2026.",
		},
		rows: func(emit func(cells ...string) error) error {
			for i, all := 0, makeOrders(); i < len(all); i++ {
				if err := emit(all[i].cells()...); err != nil {
					return err
				}
			}

			return nil
		},
	}
}

// orderName formats the number of an order.
func orderName(id int) string { return fmt.Sprintf("MO-%06d", id) }

// cells is the order as a line of the file.
func (o *order) cells() []string {
	shipping, delivery, rating := "", "", ""
	if o.channel != channelStore {
		shipping = money(o.shipping)
	}

	if o.deliveryDays >= 0 {
		delivery = number(o.deliveryDays)
	}

	if o.rating > 0 {
		rating = number(o.rating)
	}

	return []string{
		orderName(o.id), number(o.line), o.date.Format(dateLayout),
		o.customer.id, o.customer.segment, o.customer.region, o.customer.country, o.customer.city,
		o.channel, o.product.category, o.product.name,
		number(o.quantity), money(o.unitPrice), number(o.discount), money(o.net), money(o.cost), shipping,
		o.promo, o.payment, delivery, yesNo(o.isReturned), o.returnReason, rating,
	}
}

// makeOrders simulates the shop day by day.
func makeOrders() []order {
	d := &dice{state: ordersSeed}
	customers := makeCustomers(d)
	products := catalogue()

	var all []order

	id := 100000

	for date := firstOf(2024, time.January); date.Before(firstOf(2026, time.November)); date = date.AddDate(0, 0, 1) {
		for range ordersOn(d, date) {
			id++
			buyer := pickCustomer(d, customers, date)
			channel := pickChannel(d, date, buyer)
			payment := pickPayment(d, channel, buyer)

			for line := range d.pick(640, 250, 80, 30) + 1 {
				o := order{
					id: id, line: line + 1, date: date, customer: buyer, channel: channel, payment: payment,
					product: pickProduct(d, products, date),
				}
				o.price(d)
				o.deliver(d)
				o.judge(d)
				all = append(all, o)
			}
		}
	}

	return all
}

// ordersOn is the number of orders on a day. It depends on growth of about a tenth per
// year, the season, the day of the week, and chance.
func ordersOn(d *dice, date time.Time) int {
	season := [12]int{78, 74, 88, 100, 112, 110, 96, 92, 90, 94, 138, 152}[date.Month()-1]
	weekday := [7]int{88, 104, 98, 96, 100, 116, 124}[date.Weekday()]
	months := (date.Year()-2024)*12 + int(date.Month()) - 1
	growth := 1000 + months*9

	// Black Friday and the days after it.
	if date.Month() == time.November && date.Day() >= 24 && date.Day() <= 29 {
		season = season * 17 / 10
	}

	mean := 14 * season * weekday / 100 * growth / 1000
	scaled := mean * d.bell(70, 130) / 100 // hundredths of an order

	return scaled/100 + d.pick(100-scaled%100, scaled%100)
}

// price sets the quantity, price, discount and cost.
func (o *order) price(d *dice) {
	switch o.customer.segment {
	case segmentCorporate:
		o.quantity = 2 + d.tail(22)
	case segmentClub:
		o.quantity = 1 + d.tail(15)
	default:
		o.quantity = 1 + d.pick(820, 140, 40)
	}

	o.unitPrice = o.product.price
	if o.date.Year() == 2026 {
		// The price list of 2026 is five percent up, in steps of ten cents.
		o.unitPrice = percentOf(o.unitPrice, 105) / 10 * 10
	}

	o.discount, o.promo = o.offer(d)

	gross := o.quantity * o.unitPrice
	o.net = gross - percentOf(gross, o.discount)
	o.cost = o.quantity * percentOf(o.product.price, o.product.costPercent+d.between(-2, 2))

	if o.channel != channelStore {
		o.shipping = 390 + o.quantity*d.between(30, 120)
	}
}

// offer returns the discount of a line and its campaign.
func (o *order) offer(d *dice) (percent int, campaign string) {
	month, date := o.date.Month(), o.date.Day()

	switch {
	case month == time.November && date >= 24 && date <= 29 && d.chance(700):
		return []int{20, 30, 40}[d.pick(45, 40, 15)], "BLACKFRIDAY"
	case month == time.January && d.chance(420):
		return []int{20, 30, 50}[d.pick(50, 35, 15)], "WINTERSALE"
	case month == time.July && d.chance(300):
		return []int{15, 25}[d.pick(60, 40)], "SUMMER"
	case o.customer.segment == segmentCorporate && o.quantity >= 10:
		return 12, ""
	case d.chance(90):
		return 10, "WELCOME10"
	default:
		return 0, ""
	}
}

// deliver sets the delivery time. It is longest in the east, and longer everywhere in December.
func (o *order) deliver(d *dice) {
	o.deliveryDays = -1
	if o.channel == channelStore {
		return
	}

	days := 1 + d.tail(8) + d.n(3)
	if o.customer.region == "East" {
		days += d.between(1, 3)
	}

	if o.date.Month() == time.December {
		days += d.between(0, 4)
	}

	// A carrier's strike.
	if o.date.Year() == 2025 && o.date.Month() == time.October && o.date.Day() <= 14 {
		days += d.between(3, 8)
	}

	if !d.chance(35) {
		o.deliveryDays = days
	}
}

// judge decides whether the goods are returned, and sets the rating.
func (o *order) judge(d *dice) {
	odds := map[string]int{
		"Footwear": 150, "Jackets": 105, "Clothing": 80, "Tents": 35, "Backpacks": 40, "Climbing": 25, "Kayaks": 30,
		"Accessories": 20,
	}[o.product.category]

	switch o.channel {
	case channelStore:
		odds = odds * 35 / 100
	case channelMarketplace:
		odds = odds * 13 / 10
	}

	if o.discount >= 30 {
		odds = odds * 22 / 10
	}

	if o.deliveryDays > 7 {
		odds += 40
	}

	o.isReturned = d.chance(odds)
	if o.isReturned && d.chance(880) {
		o.returnReason = o.reason(d)
	}

	if !d.chance(410) {
		return
	}

	stars := 5 - d.pick(520, 330, 100, 30, 20)
	if o.deliveryDays > 5 {
		stars -= d.pick(400, 400, 200)
	}

	if o.isReturned {
		stars -= d.pick(300, 400, 300)
	}

	o.rating = max(1, stars)
}

// reason returns why a line was returned.
func (o *order) reason(d *dice) string {
	switch o.product.category {
	case "Footwear", "Clothing", "Jackets":
		return []string{"Wrong size", "Did not like it", "Arrived late", "Damaged"}[d.pick(580, 240, 80, 100)]
	default:
		return []string{"Damaged", "Not as described", "Arrived late", "Did not like it"}[d.pick(380, 290, 130, 200)]
	}
}
