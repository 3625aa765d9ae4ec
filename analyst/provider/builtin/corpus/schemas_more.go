package corpus

import (
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

func code(name, prefix string) field {
	return field{name: name, typ: domain.ColumnText, db: "VARCHAR", count: 2000, cell: "'" + prefix + "' || (1000 + i)"}
}

// flag is a column of zeros and ones.
func flag(name string) field { return whole(name, "0", "1", 2) }

// flights has values that occur in two columns, numbers with units, and zeros and ones.
func flights() Schema {
	t, setup := table(7, "flights", 2000,
		day("flight_date", "2024-01-01", 366),
		text("airline", "Delta|United|American|JetBlue"),
		text("origin", "JFK|LAX|ORD|ATL"),
		text("destination", "JFK|LAX|ORD|ATL"),
		text("scheduled_departure", "05:00|06:15|07:30|12:00|17:45"),
		whole("dep_delay_min", "-30", "120", 150),
		whole("arr_delay_min", "-40", "130", 160),
		whole("distance_miles", "200", "2700", 1600),
		flag("cancelled"),
		whole("year_built", "1990", "2023", 34),
	)
	return Schema{Name: "flights", Tables: []analyst.Table{t}, Setup: setup}
}

// bank has income and expenses in one column.
func bank() Schema {
	t, setup := table(8, "bank_transactions", 2000,
		day("date", "2024-01-01", 731),
		field{
			name: "payee", typ: domain.ColumnText, db: "VARCHAR", count: 300, values: "Corner Bakery|Old Bakery|City Bakery|Metro Card|Metro Bus",
			cell: "(['Corner', 'Old', 'City'])[1 + i % 3] || ' Bakery ' || (i % 100)",
		},
		text("category", "Groceries|Rent|Salary|Transport"),
		decimal("amount", "-1100", "3600"),
		decimal("balance", "500", "38000"),
	)
	return Schema{Name: "bank", Tables: []analyst.Table{t}, Setup: setup}
}

// campaigns has numbers whose ratios are asked for.
func campaigns() Schema {
	t, setup := table(9, "campaigns", 2000,
		code("campaign_id", "C-"),
		text("campaign_name", "Spring Sale|Black Friday|Lead Gen|Retargeting"),
		text("channel", "Google Ads|Facebook|Email"),
		text("audience", "Facebook|Newsletter"),
		day("month", "2024-01-01", 540),
		decimal("spend", "0", "9000"),
		whole("impressions", "2000", "400000", 1900),
		whole("clicks", "10", "19000", 1800),
		whole("conversions", "0", "1900", 1200),
		decimal("revenue", "0", "39000"),
		decimal("discount", "0", "0.4"),
	)
	return Schema{Name: "campaigns", Tables: []analyst.Table{t}, Setup: setup}
}

// grades has ratings, keys, and dates that only some rows have.
func grades() Schema {
	t, setup := table(10, "grades", 2000,
		code("student_id", "S"),
		field{
			name: "student", typ: domain.ColumnText, db: "VARCHAR", count: 1400, cell: "'Student ' || (i % 1400)",
			values: "Anna Adams|Anna Brown|Ben Clark",
		},
		whole("grade_level", "9", "12", 4),
		text("subject", "Math|Physics|Art"),
		whole("score", "35", "100", 66),
		whole("absences", "0", "24", 25),
		text("outcome", "Pass|Fail"),
		whole("overall_satisfaction", "1", "5", 5),
		whole("ease_of_use", "1", "5", 5),
		text("tutor", "Marco|Sofia|Liam"),
		field{
			name: "withdrawn_on", typ: domain.ColumnDate, db: "DATE", min: "2025-01-02", max: "2025-10-01", count: 200, nulls: 1700,
			cell: "CASE WHEN i % 7 = 0 THEN DATE '2025-01-02' + CAST(i % 270 AS INTEGER) ELSE NULL END",
		},
	)
	return Schema{Name: "grades", Tables: []analyst.Table{t}, Setup: setup}
}

// reserved has columns whose names are words of questions and of SQL.
func reserved() Schema {
	t, setup := table(10, "draws", 2000,
		day("date", "2024-01-01", 366),
		text("select", "Red|Green|Blue"),
		text("group", "Alpha|Beta|Gamma"),
		text("top", "Left|Right"),
		whole("order", "1", "90", 90),
		whole("count", "1", "50", 50),
		whole("sum", "1", "900", 800),
		whole("share", "1", "100", 100),
	)
	return Schema{Name: "reserved", Tables: []analyst.Table{t}, Setup: setup}
}

// cases has open work, which only an empty date shows.
func cases() Schema {
	t, setup := table(11, "cases", 2000,
		key("case_id"),
		day("opened_on", "2024-01-01", 640),
		field{
			name: "closed_on", typ: domain.ColumnDate, db: "DATE", min: "2024-01-03", max: "2025-10-10", count: 600, nulls: 285,
			cell: "CASE WHEN i % 7 = 0 THEN NULL ELSE DATE '2024-01-03' + CAST(i % 600 AS INTEGER) END",
		},
		text("priority", "P1|P2|P3"),
		text("country", "Germany|France|Spain"),
		field{name: "escalated", typ: domain.ColumnBoolean, db: "BOOLEAN", cell: "hash(i) % 9 = 0", count: 2, min: "false", max: "true"},
		field{name: "NightShift", typ: domain.ColumnBoolean, db: "BOOLEAN", cell: "hash(i) % 4 = 0", count: 2, min: "false", max: "true"},
		decimal("price", "10", "900"),
		whole("minimum_nights", "1", "30", 30),
	)
	return Schema{Name: "cases", Tables: []analyst.Table{t}, Setup: setup}
}

// passengers has a yes/no column that is written as a number, and empty cells.
func passengers() Schema {
	t, setup := table(12, "titanic", 891,
		key("PassengerId"),
		whole("Survived", "0", "1", 2),
		text("Sex", "male|female"),
		field{
			name: "Age", typ: domain.ColumnNumber, db: "DOUBLE", min: "0.42", max: "80", count: 88, nulls: 177,
			cell: "CASE WHEN i % 5 = 0 THEN NULL ELSE i % 80 END",
		},
		text("Embarked", "Southampton|Cherbourg|Queenstown"),
	)
	return Schema{Name: "passengers", Tables: []analyst.Table{t}, Setup: setup}
}
