package demo

import (
	"fmt"
	"slices"
	"time"
)

const (
	ticketsSeed = 20250101
	timeLayout  = "2006-01-02 15:04:05"
)

// ticket is one request to customer service.
type ticket struct {
	created            time.Time
	about              *order // nil if the ticket is not about an order
	topic, channel     string
	priority, status   string
	agent, region      string
	segment            string
	firstMinutes       int // minutes to the first answer, -1 without an answer
	hoursTenths        int // time to the solution in tenths of an hour, -1 while open
	messages           int
	reopened           bool
	refund             int // cents, 0 without a refund
	satisfaction       int // 0 when not given
	escalatedToManager bool
}

// serviceTickets is the sample of customer service.
func serviceTickets() Source {
	return Source{
		Seed: "service-tickets", Name: "Customer service tickets", FileName: "service_tickets.csv", Table: "service_tickets",
		Organisation: meridian, Owner: "yuna@meridian.example",
		Description: "Requests to the customer service of Meridian Outfitters from January 2024 to October 2026: what about, through " +
			"which channel, how urgent, how long the first answer and the solution took, what was refunded, and how satisfied the customer was. " +
			"Most belong to an order of the retail orders, by its number.",
		Columns: []Column{
			{"ticket_id", "Number of the ticket."},
			{"created_at", "When the request came in (UTC)."},
			{"order_id", "Order that it is about, as in the retail orders; empty for general questions."},
			{"topic", "Late delivery, Return, Damaged goods, Product question, Invoice, Account or Other."},
			{"channel", "Email, Chat, Phone or Social."},
			{"priority", "Low, Normal, High or Urgent."},
			{"status", "Solved, Withdrawn (the customer no longer needed help), or Open."},
			{"customer_segment", "Consumer, Club or Corporate; empty when unknown."},
			{"region", "Sales region of the customer; empty when unknown."},
			{"agent", "Who took it; empty while nobody has."},
			{"first_response_minutes", "Minutes to the first answer; empty while there is none."},
			{"resolution_hours", "Hours to the solution; empty while open."},
			{"messages", "Messages exchanged."},
			{"reopened", "Whether the customer came back after it was solved."},
			{"escalated", "Whether it went to a manager."},
			{"refund_amount", "Refunded amount in euros; empty for none."},
			{"satisfaction", "The customer's answer to our survey, 1 (bad) to 5 (good); empty when not answered."},
		},
		Questions: []string{
			"How many tickets come in per month, by topic?",
			"What is the median first response time per channel?",
			"How does satisfaction change with resolution hours?",
			"Which agents have the highest average satisfaction?",
			"How much was refunded per region in 2026?",
		},
		rows: func(emit func(cells ...string) error) error {
			for i, all := 0, makeTickets(); i < len(all); i++ {
				if err := emit(all[i].cells(i)...); err != nil {
					return err
				}
			}

			return nil
		},
	}
}

// cells is the ticket as a line of the file.
func (t *ticket) cells(index int) []string {
	orderID, first, hours, refund, satisfaction := "", "", "", "", ""
	if t.about != nil {
		orderID = orderName(t.about.id)
	}

	if t.firstMinutes >= 0 {
		first = number(t.firstMinutes)
	}

	if t.hoursTenths >= 0 {
		hours = fmt.Sprintf("%d.%d", t.hoursTenths/10, t.hoursTenths%10)
	}

	if t.refund > 0 {
		refund = money(t.refund)
	}

	if t.satisfaction > 0 {
		satisfaction = number(t.satisfaction)
	}

	return []string{
		fmt.Sprintf("T-%05d", 20001+index), t.created.Format(timeLayout), orderID, t.topic, t.channel, t.priority, t.status,
		t.segment, t.region, t.agent, first, hours, number(t.messages), yesNo(t.reopened), yesNo(t.escalatedToManager), refund, satisfaction,
	}
}

// makeTickets goes through the orders and makes tickets for some of them.
func makeTickets() []ticket {
	d := &dice{state: ticketsSeed}
	orders := makeOrders()
	end := firstOf(2026, time.November)

	var all []ticket

	for i := range orders {
		o := &orders[i]
		if topic := troubleWith(d, o); topic != "" {
			all = append(all, makeTicket(d, o, topic))
		}

		// The number of general questions is proportional to the number of orders.
		if d.chance(230) {
			all = append(all, makeTicket(d, nil, []string{"Product question", "Account", "Invoice", "Other"}[d.pick(480, 230, 120, 170)]))
			all[len(all)-1].created = moment(d, o.date)
		}
	}

	kept := all[:0]

	for i := range all {
		if !all[i].created.Before(end) {
			continue
		}

		all[i].answer(d, end)
		kept = append(kept, all[i])
	}

	sortTickets(kept)

	return kept
}

// troubleWith returns the problem of an order line that its customer writes about, if there is one.
func troubleWith(d *dice, o *order) string {
	switch {
	case o.deliveryDays > 6 && d.chance(420):
		return "Late delivery"
	case o.returnReason == "Damaged" && d.chance(850):
		return "Damaged goods"
	case o.isReturned && d.chance(620):
		return "Return"
	case d.chance(160):
		return []string{"Product question", "Invoice", "Late delivery", "Other"}[d.pick(430, 250, 180, 140)]
	default:
		return ""
	}
}

// makeTicket makes a ticket about an order, or about no order.
func makeTicket(d *dice, o *order, topic string) ticket {
	t := ticket{
		about: o, topic: topic,
		channel:  []string{"Email", "Chat", "Phone", "Social"}[d.pick(430, 300, 210, 60)],
		priority: []string{"Low", "Normal", "High", "Urgent"}[d.pick(260, 540, 150, 50)],
	}

	if o == nil {
		return t
	}

	t.segment, t.region = o.customer.segment, o.customer.region
	t.created = moment(d, o.date.AddDate(0, 0, max(1, o.deliveryDays)+d.tail(6)))

	if topic == "Late delivery" || topic == "Damaged goods" || t.segment == segmentCorporate {
		t.priority = []string{"Normal", "High", "Urgent"}[d.pick(480, 380, 140)]
	}

	if o.isReturned || topic == "Damaged goods" {
		t.refund = o.net
	}

	return t
}

// moment returns a time of day, mostly within business hours.
func moment(d *dice, date time.Time) time.Time {
	minutes := d.bell(6*60, 22*60)
	return date.Add(time.Duration(minutes)*time.Minute + time.Duration(d.n(60))*time.Second)
}

// answer sets who answers the ticket, how fast, and the satisfaction.
func (t *ticket) answer(d *dice, end time.Time) {
	slow := 100
	if t.created.Month() == time.December {
		slow = 190
	}

	if t.created.Year() == 2026 {
		slow = slow * 70 / 100 // more staff, and a better tool
	}

	t.firstMinutes = map[string]int{"Email": 240, "Chat": 4, "Phone": 2, "Social": 95}[t.channel]
	t.firstMinutes = t.firstMinutes*slow/100*d.between(30, 100)/100 + d.tail(t.firstMinutes*4)

	hours := map[string]int{"Low": 300, "Normal": 220, "High": 130, "Urgent": 60}[t.priority]
	t.hoursTenths = t.firstMinutes/6 + hours*slow/100*d.between(20, 100)/100 + d.tail(hours*6)

	// Agents differ: the first in the list are the fastest.
	agents := []string{"Amina", "Bruno", "Chiara", "Dmitri", "Esther", "Farid", "Greta", "Hugo"}
	who := d.pick(170, 150, 140, 130, 120, 110, 100, 80)
	t.agent = agents[who]
	t.hoursTenths = t.hoursTenths * (80 + who*6) / 100

	t.messages = 2 + d.tail(12)
	t.status = "Solved"

	solved := t.created.Add(time.Duration(t.hoursTenths) * 6 * time.Minute)

	switch {
	case !solved.Before(end):
		t.status, t.hoursTenths, t.refund = "Open", -1, 0
		if !t.created.Add(time.Duration(t.firstMinutes) * time.Minute).Before(end) {
			t.firstMinutes, t.agent, t.messages = -1, "", 1
		}
	case d.chance(45):
		t.status, t.refund = "Withdrawn", 0
	case d.chance(70):
		t.reopened = true
	}

	t.escalatedToManager = t.priority == "Urgent" && d.chance(300) || t.reopened && d.chance(200)
	t.rate(d)
}

// rate sets the answer to the survey: fast solutions are rated well, reopened tickets are not.
func (t *ticket) rate(d *dice) {
	if t.status != "Solved" || !d.chance(380) {
		return
	}

	stars := 5 - d.pick(500, 380, 120)

	switch {
	case t.hoursTenths > 600:
		stars -= d.between(1, 3)
	case t.hoursTenths > 300:
		stars -= d.between(0, 2)
	}

	if t.reopened {
		stars -= d.between(1, 2)
	}

	t.satisfaction = max(1, stars)
}

// sortTickets sorts tickets by the time of their creation.
func sortTickets(list []ticket) {
	slices.SortStableFunc(list, func(a, b ticket) int { return a.created.Compare(b.created) })
}
