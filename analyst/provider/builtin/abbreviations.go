package builtin

// expanded writes out the abbreviations of a name, so that cust_nm is found as customer and name. A
// word that is not an abbreviation stays as it is.
func expanded(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = abbreviated(w); out[i] == "" {
			out[i] = w
		}
	}
	return out
}

// abbreviated returns the word that an abbreviation stands for, or "" if there is none. Abbreviations
// of several words are left out.
func abbreviated(w string) string {
	switch w {
	case "acct", "acc":
		return "account"
	case "addr":
		return "address"
	case "adm":
		return "admission"
	case "amt":
		return "amount"
	case "appt":
		return "appointment"
	case "bal":
		return "balance"
	case "cat", "catg", "ctgry":
		return "category"
	case "cd":
		return "code"
	case "chnl":
		return "channel"
	case "cmpgn":
		return "campaign"
	case "cnt":
		return "count"
	case "cst":
		return "cost"
	case "ctry", "cntry":
		return "country"
	case "cust", "cstmr":
		return "customer"
	case "cty":
		return "city"
	case "deliv", "dlv", "dlvry":
		return "delivery"
	case "dept", "dpt":
		return "department"
	case "descr":
		return "description"
	case "diag", "dx":
		return "diagnosis"
	case "disc", "dscnt":
		return "discount"
	case "dist":
		return "distance"
	case "dt":
		return "date"
	case "dur":
		return "duration"
	case "emp", "empl":
		return "employee"
	case "flg":
		return "flag"
	case "grp":
		return "group"
	case "inv":
		return "invoice"
	case "loc":
		return "location"
	case "lvl":
		return "level"
	case "mfr", "mfg":
		return "manufacturer"
	case "mgr":
		return "manager"
	case "mkt":
		return "market"
	case "mth", "mnth":
		return "month"
	case "nbr", "num":
		return "number"
	case "nm":
		return "name"
	case "ord":
		return "order"
	case "pmt", "pymt", "paymt":
		return "payment"
	case "kmh", "kph", "mph":
		return "speed"
	case "prc":
		return "price"
	case "precip":
		return "precipitation"
	case "prod", "prd":
		return "product"
	case "qtr":
		return "quarter"
	case "qty":
		return "quantity"
	case "req":
		return "request"
	case "resp":
		return "response"
	case "ret":
		return "return"
	case "rev":
		return "revenue"
	case "rgn", "reg":
		return "region"
	case "sal":
		return "salary"
	case "seg":
		return "segment"
	case "shp":
		return "ship"
	case "sls":
		return "sales"
	case "stat", "sts":
		return "status"
	case "supp", "splr":
		return "supplier"
	case "tmp":
		return "temperature"
	case "tot", "ttl":
		return "total"
	case "txn", "trx", "trans", "tx":
		return "transaction"
	case "typ":
		return "type"
	case "usr":
		return "user"
	case "veh":
		return "vehicle"
	case "vol":
		return "volume"
	case "whse", "wh":
		return "warehouse"
	case "wt", "wgt":
		return "weight"
	case "yr", "yrs":
		return "year"
	default:
		return ""
	}
}

// rowNouns returns the nouns that people use for the rows of a table with a name such as trip.
func rowNouns(table string) []string {
	switch table {
	case "log", "access", "server", "api":
		return []string{"request", "hit", "call", "event", "line"}
	case "trip", "rid", "ride", "taxi":
		return []string{"trip", "ride", "journey"}
	case "rac", "race", "marathon", "triathlon":
		return []string{"runner", "participant", "finisher", "athlete"}
	case "survey", "poll", "questionnair":
		return []string{"respondent", "response", "participant", "answer"}
	case "applicant", "candidat", "recruit", "recruitment":
		return []string{"application", "applicant", "candidate"}
	case "lab", "laboratory":
		return []string{"test", "result", "sample"}
	case "fuel":
		return []string{"refuel", "refueling", "fill", "fillup"}
	case "loan", "library":
		return []string{"loan", "checkout", "borrowing"}
	case "subscript", "subscription":
		return []string{"sub", "subscriber", "signup", "member", "contract"}
	case "user", "customer", "account", "member":
		return []string{"signup", "registration"}
	case "flight":
		return []string{"flight", "departure"}
	case "inspection":
		return []string{"inspection", "visit"}
	case "attend", "attendanc", "registration":
		return []string{"attendee", "participant", "registration"}
	case "clinic", "hospital", "visit", "appointment":
		return []string{"visit", "appointment", "encounter"}
	default:
		return nil
	}
}
