package querytest

import "parley.dev/parley/domain/meaning"

func column(name string, role meaning.Role) meaning.Column {
	return meaning.Column{Name: name, Role: role}
}

func number(name string, adds meaning.Adds) meaning.Column {
	return meaning.Column{Name: name, Role: meaning.Measure, Number: &meaning.Number{Adds: adds, Scale: 1}}
}

// meaning is what the tables of the world mean. Properties that no test needs are random.
func (r *maker) meaning() *meaning.Meaning {
	flag := func(name, yes string) meaning.Column { return meaning.Column{Name: name, Role: meaning.Flag, Yes: yes} }
	const dim, key, foreign, at = meaning.Dimension, meaning.Key, meaning.Foreign, meaning.Time
	score := number("score", meaning.Rate)
	if r.maybe(2) {
		score.Number.Weight = "quantity"
	}
	money := number("money", meaning.Amount)
	if r.maybe(2) {
		money.Number.Barriers = []meaning.Barrier{{Column: "currency", Resolve: meaning.FixOrGroup, Of: "currencies"}}
	}
	last := ""
	if r.maybe(2) {
		last = "2025-03-01"
	}
	tables := []meaning.Table{
		{Name: "customers", Row: "customer", Plural: "customers", Keys: [][]string{{"id"}}, Columns: []meaning.Column{
			column("id", key), column("name", meaning.Text), column("country", meaning.Geo), flag("vip", "true"), number("credit", meaning.Amount),
		}, Entities: []meaning.EntityRef{{Entity: "customer", Columns: []string{"id"}, Home: true}}},
		{Name: "products", Row: "product", Plural: "products", Keys: [][]string{{"product_id"}}, Columns: []meaning.Column{
			column("product_id", key), column("category", dim), number("price", meaning.Rate),
		}, Entities: []meaning.EntityRef{{Entity: "product", Columns: []string{"product_id"}, Home: true}}},
		{Name: "orders", Row: "order", Plural: "orders", Keys: [][]string{{"order_id"}}, Time: "ordered", Columns: []meaning.Column{
			column("order_id", key), column("customer_id", foreign), column("ordered", at), column("shipped", at), column("channel", dim),
			number("fee", meaning.Amount), number("rating", meaning.Rate), flag("express", "'Y'"),
		}, Entities: []meaning.EntityRef{
			{Entity: "order", Columns: []string{"order_id"}, Home: true}, {Entity: "customer", Columns: []string{"customer_id"}},
		}},
		{Name: "items", Row: "order line", Plural: "order lines", Keys: [][]string{{"item_id"}}, Columns: []meaning.Column{
			column("item_id", key), column("order_id", foreign), column("product_id", foreign), number("quantity", meaning.Amount), score, money,
			column("currency", dim),
		}},
		{Name: "payments", Row: "payment", Plural: "payments", KeysKnown: true, Columns: []meaning.Column{
			column("order_id", foreign), number("paid", meaning.Unknown), column("method", dim),
		}},
		{
			Name: "revenue", Row: "account in a month", Plural: "account months", Keys: [][]string{{"account_id", "month"}}, Time: "month",
			Snapshot: &meaning.Snapshot{
				Entity: []string{"account_id"}, Period: "month", Step: meaning.Month, Regular: true, Last: last, Birth: "since", Exit: "churned",
			}, Columns: []meaning.Column{
				column("account_id", foreign), column("month", at), number("mrr", meaning.Level), number("seats", meaning.Level),
				number("tickets", meaning.Amount), flag("churned", "true"), column("since", at),
			},
		},
		{
			Name: "meters", Row: "reading", Plural: "readings", Keys: [][]string{{"meter", "read_on"}}, Time: "read_on",
			Snapshot: &meaning.Snapshot{Entity: []string{"meter"}, Period: "read_on", Step: meaning.Day}, Columns: []meaning.Column{
				column("meter", key), column("read_on", at), number("reading", meaning.Level), column("place", dim),
			},
		},
		{Name: "calls", Row: "call", Plural: "calls", Keys: [][]string{{"call_id"}}, Columns: []meaning.Column{
			column("call_id", key), column("case_id", foreign), number("minutes", meaning.Amount), column("team", dim),
		}, Entities: []meaning.EntityRef{{Entity: "case", Columns: []string{"case_id"}}}},
		{
			Name: "visits", Row: "visit", Plural: "visits", Keys: [][]string{{"visit_id"}}, Columns: []meaning.Column{
				column("visit_id", key), column("case_id", foreign), number("cost", meaning.Amount), column("city", dim), column("worker", dim),
			}, Entities: []meaning.EntityRef{{Entity: "case", Columns: []string{"case_id"}}},
			Implies: []meaning.Determination{{By: []string{"case_id"}, Columns: []string{"city"}}},
		},
	}
	m := &meaning.Meaning{Hash: "test", Tables: tables}
	for i := range m.Tables {
		m.Tables[i].Source = 1
		m.Tables[i].Rows = int64(len(r.w.Tables[m.Tables[i].Name].Rows))
	}
	for _, l := range r.w.Links {
		m.Links = append(m.Links, meaning.Link{
			From:        meaning.Ends{Source: 1, Table: l.From, Columns: []string{l.FromColumn}},
			To:          meaning.Ends{Source: 1, Table: l.To, Columns: []string{l.ToColumn}},
			Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
		})
	}
	return m
}
