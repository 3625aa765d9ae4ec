package builtin

// synonyms groups words that people use for the same thing. The first word of a
// group is no better than the others; a word may stand in several groups.
func synonyms() [][]string {
	return [][]string{
		{"revenue", "sales", "turnover", "income", "takings", "proceeds", "earnings"},
		{"sales", "sell", "revenue"},
		{"amount", "value", "sum", "total"},
		{"amount", "revenue", "sales", "spend"},
		{"cost", "expense", "spend", "spending", "expenditure", "costs"},
		{"profit", "margin", "gain"},
		{"price", "cost"},
		{"quantity", "qty", "units", "unit", "pieces", "items", "volume"},
		{"customer", "client", "buyer", "account", "shopper", "consumer"},
		{"employee", "emp", "staff", "worker", "person", "people", "colleague", "headcount", "personnel", "member"},
		{"salary", "pay", "wage", "compensation", "income", "earnings"},
		{"department", "dept", "division", "team", "unit"},
		{"product", "item", "article", "sku", "goods"},
		{"category", "type", "kind", "class", "group", "segment"},
		{"country", "nation", "state", "land"},
		{"region", "area", "territory", "zone", "geography"},
		{"city", "town", "location", "place"},
		{"location", "place", "site", "office", "venue"},
		{"store", "shop", "branch", "outlet"},
		{"order", "purchase", "transaction", "sale"},
		{"date", "day", "time", "when"},
		{"timestamp", "time", "when", "datetime"},
		{"doctor", "physician", "practitioner"},
		{"manager", "boss", "supervisor", "lead"},
		{"satisfaction", "satisfied", "happy", "happiness"},
		{"lab", "laboratory"},
		{"size", "bytes", "byte"},
		{"traffic", "bytes"},
		{"weight", "weigh", "heavy"},
		{"height", "tall"},
		{"birth", "born"},
		{"likelihood", "likely", "recommendation"},
		{"salary", "earn"},
		{"attendance", "visitors", "spectators"},
		{"goal", "score"},
		{"price", "fee", "charge"},
		{"result", "outcome"},
		{"rating", "score", "stars", "satisfaction", "grade"},
		{"score", "points", "result"},
		{"channel", "source", "medium"},
		{"status", "state", "stage"},
		{"gender", "sex"},
		{"age", "old"},
		{"tenure", "seniority", "service"},
		{"vendor", "supplier", "seller", "provider"},
		{"rep", "representative", "salesperson", "seller", "agent"},
		{"discount", "rebate", "reduction"},
		{"shipping", "delivery", "freight", "shipment"},
		{"duration", "length", "minutes", "hours"},
		{"temperature", "temp", "heat"},
		{"machine", "device", "equipment", "sensor"},
		{"device", "sensor", "machine", "unit"},
		{"error", "fault", "failure", "defect", "alarm"},
		{"visit", "session", "traffic"},
		{"payment", "method", "pay"},
		{"campaign", "promotion", "ad"},
		{"ticket", "case", "issue", "request", "incident"},
		{"priority", "urgency", "severity"},
		{"answer", "response", "reply"},
		{"question", "survey"},
		{"comment", "feedback", "remark", "note"},
		{"name", "title", "called"},
		{"birthday", "birth", "dob", "born"},
		{"hire", "joined", "start", "join"},
		{"leave", "exit", "termination", "quit", "churn"},
		{"churn", "cancel", "attrition"},
		{"attrition", "left", "leaver", "quit"},
		{"active", "enabled", "current"},
		{"weight", "kg", "mass"},
		{"distance", "km", "miles"},
		{"energy", "power", "consumption", "kwh", "electricity"},
		{"humidity", "moisture"},
		{"stock", "inventory"},
		{"refund", "return"},
		{"tax", "vat"},
		{"phone", "telephone", "mobile"},
		{"email", "mail"},
		{"bonus", "commission"},
		{"budget", "plan", "target"},
		{"target", "goal", "quota"},
		{"arr", "arrival"},
		{"dep", "departure"},
		{"dest", "destination"},
		{"orig", "origin"},
		{"delay", "delayed", "late"},
		{"traffic", "sessions", "visits"},
		{"visitor", "user"},
		{"game", "match", "fixture"},
		{"home", "property", "listing"},
		{"likelihood", "likely"},
		{"likelihood", "recommend"},
		{"assigned", "agent", "assignee", "owner"},
		{"payroll", "salary"},
		{"sqm", "area"},
		{"hectare", "ha"},
		{"sqm", "area", "m2", "sqft"},
		// Names of columns in French, Spanish and Italian.
		{"montant", "importe", "importo", "amount", "revenue"},
		{"ventes", "ventas", "vendite", "sales", "sale"},
		{"prix", "precio", "prezzo", "price"},
		{"unitaire", "unitario", "unit"},
		{"quantite", "cantidad", "quantity"},
		{"produit", "producto", "prodotto", "product"},
		{"client", "cliente", "customer"},
		{"ville", "ciudad", "citta", "city"},
		{"pays", "pais", "paese", "country"},
		{"canal", "channel"},
		{"paye", "pagado", "pagato", "bezahlt", "paid"},
		// Names of columns in German.
		{"zahler", "meter"},
		{"energieart", "energy"},
		{"verbrauch", "consumption", "usage"},
		{"kosten", "cost"},
		{"gebaude", "building"},
		{"umsatz", "revenue", "sales"},
		{"menge", "quantity"},
		{"preis", "price"},
		{"kunde", "customer"},
		{"produkt", "artikel", "product"},
		{"stadt", "ort", "city"},
		{"abteilung", "department"},
		{"mitarbeiter", "employee"},
		{"gehalt", "salary"},
		{"kategorie", "category"},
		{"temperatur", "aussentemperatur", "temperature"},
	}
}

// sameValues groups words for values that people name in other words.
func sameValues() [][]string {
	return [][]string{
		{"female", "woman", "women", "females", "f", "ladies"},
		{"male", "man", "men", "males", "m"},
		{"united states", "usa", "us", "america", "united states of america"},
		{"united kingdom", "uk", "britain", "great britain", "gb", "gbr"},
		{"germany", "de", "deutschland", "deu", "ger", "german", "germans"},
		{"france", "fr", "fra", "french"},
		{"brazil", "br", "bra"},
		{"switzerland", "ch", "che", "sui", "swiss"},
		{"netherlands", "nl", "holland", "nld", "ned", "dutch"},
		{"italy", "it", "ita", "italian", "italians"},
		{"spain", "es", "esp", "spanish"},
		{"portugal", "pt", "prt", "por"},
		{"austria", "at", "aut", "austrian"},
		{"belgium", "be", "bel"},
		{"poland", "pl", "pol", "polish"},
		{"norway", "no", "nor", "norwegian"},
		{"sweden", "se", "swe", "swedish"},
		{"denmark", "dk", "dnk", "den", "danish"},
		{"finland", "fi", "fin", "finnish"},
		{"ireland", "ie", "irl", "irish"},
		{"kenya", "ke", "ken", "kenyan", "kenyans"},
		{"ethiopia", "et", "eth"},
		{"japan", "jp", "jpn", "japanese"},
		{"china", "cn", "chn", "chinese"},
		{"india", "in", "ind", "indian"},
		{"canada", "ca", "can", "canadian"},
		{"mexico", "mx", "mex"},
		{"australia", "au", "aus"},
		{"human resources", "hr"},
		{"mathematics", "maths", "math"},
		{"information technology", "it department"},
		{"full time", "fulltime", "ft"},
		{"part time", "parttime", "pt"},
	}
}

// lexicon maps a stem to the stems of the words that may stand for it.
func lexicon() map[string][]string {
	out := make(map[string][]string)
	for _, group := range synonyms() {
		for _, a := range group {
			for _, b := range group {
				if a != b && stem(a) != stem(b) {
					out[stem(a)] = append(out[stem(a)], stem(b))
				}
			}
		}
	}
	return out
}

// stopWords carry no meaning of their own here.
func stopWords() map[string]bool {
	out := make(map[string]bool)
	for _, w := range []string{
		"a", "an", "the", "is", "are", "was", "were", "be", "been", "do", "does", "did", "has", "have", "had", "of", "to", "me", "us", "we", "i", "you",
		"released", "release", "published", "produced", "launched", "held", "raised", "raise", "collected", "donated", "incurred", "billed", "charged", "logged", "processed", "occurred", "occur", "hit", "accessed", "please", "plz", "pls", "can", "could", "would", "will", "shall", "should", "may", "it", "its", "this", "that", "these", "those", "there", "their", "they",
		"my", "our", "your", "his", "her", "with", "at", "as", "on", "in", "for", "from", "and", "or", "so", "then", "than", "also", "just", "very",
		"what", "whats", "how", "much", "any", "some", "such", "get", "got", "give", "tell", "about", "know", "want", "like", "need", "see", "look",
		"let", "lets", "i'd", "i'm", "hey", "hi", "hello", "ok", "okay", "well", "now", "here", "where", "who", "whose", "which", "when", "all", "data", "dataset",
		"find", "out", "display", "calculate", "compute", "report", "provide", "return", "plot", "draw", "graph", "chart", "table", "across", "within",
		"value", "values", "single", "number", "figure", "figures", "many", "overall", "information", "details", "using", "use", "based", "into", "come", "came", "go", "went",
		"make", "made", "happen", "happened", "during", "through", "if", "but", "by", "per", "each", "every", "one", "ones", "same", "different", "question", "really",
		"actually", "exactly", "placed", "signed", "work", "works", "working", "used", "brings", "bring", "brought", "gave", "gives", "gets", "read", "named", "called", "said", "say", "been", "run", "ran", "comes", "coming", "came", "earned", "achieved", "generated", "recorded", "worked", "eur", "usd", "euro", "euros", "dollars", "dollar", "gbp", "pounds", "currently", "so", "far", "sold", "bought", "spent", "happening", "most", "exist", "exists", "available", "possible", "yet", "already", "still", "ever", "each", "both", "another", "others", "kind", "kinds", "whole", "entire", "full", "complete", "company", "business", "perform", "performed", "performing", "performance", "doing", "done", "going", "look", "looks", "looking", "been", "worth", "took", "take", "takes", "gets", "getting", "being", "am", "became", "become", "came", "via", "terms", "regarding", "respect", "by", "above", "had", "along", "broken", "split", "compare", "against", "vs", "quickly", "again", "thanks", "thank", "'s", "s", "t", "up", "down", "same", "answer", "show", "list", "average", "total", "more", "less",
		"graders", "receive", "play", "played", "sit", "seated", "flown", "flew", "fly", "departed", "supply", "supplies", "supplied", "belong", "belongs", "live", "lives", "living", "stand", "there's", "whats", "roughly", "treat", "treated", "handle", "handled", "stayed", "serve", "served", "hosted", "host", "approximately", "about", "simply", "quick", "briefly", "please", "kindly", "respective", "respectively", "corresponding", "in total", "altogether", "together",
		"most", "least", "people", "thing", "things", "time", "record", "records", "row", "rows", "entry", "entries", "received", "receive", "having", "per", "within",
	} {
		out[w] = true
	}
	return out
}
