package builtin

import "strings"

// atomKind is the kind of a stretch of the question.
type atomKind int

const (
	atomUnknown atomKind = iota // a word that nothing explains
	atomStop                    // a word without a meaning here
	atomLink                    // a table, a column or a value
	atomNumber
	atomQuoted
	atomSpan // a time
	atomAgg
	atomHowMany
	atomDistinct
	atomBy
	atomEach
	atomTop // text "desc" or "asc"
	atomSuper
	atomCmp
	atomOrMore // "or more", after a number
	atomBetween
	atomNot
	atomAnd
	atomVs
	atomCompare
	atomShare
	atomGrowth
	atomTrend
	atomRows
	atomDescribe
	atomOrder
	atomDirection
	atomChart
	atomGrain
	atomContains
	atomMissing
	atomWhich
	atomBins
	atomCorrelation
	atomSignificance // the p-value of a correlation
	atomFollow
	atomLatest
	atomRate
	atomBasket
	atomHelp
	atomRecurring // weekends, Mondays
	atomSign      // negative, out of stock
	atomFlow      // spending, income
	atomRatio     // conversion rate
	atomUnable    // requests that no reading of the data can fulfil
	atomOpen      // what has not ended yet
	atomMath      // minus, between two numbers
	atomRunning   // cumulative
	atomDecade    // of years
)

// keyword is a phrase of the language. Its hint names what the phrase is about: "older than" is about
// an age.
type keyword struct {
	kind atomKind
	text string
	hint string
}

// peopleHint is the hint of words that count people: they need no noun that says what is counted.
const peopleHint = "people"

// keywords returns the phrases; the chunker's scores prefer the longest.
func keywords() map[string]keyword {
	out := make(map[string]keyword)
	add := func(kind atomKind, text, phrases string) {
		for _, p := range strings.Split(phrases, "|") {
			phrase, hint, _ := strings.Cut(p, "~")
			out[phrase] = keyword{kind: kind, text: text, hint: hint}
		}
	}
	add(atomAgg, "sum", "total|sum|sum of|total of|total amount of|overall|combined|how much|how much money")
	add(atomAgg, "avg", "average|mean|avg|average of|mean of|on average|typical|averaged")
	add(atomAgg, "median", "median|median of")
	add(atomAgg, "stddev", "standard deviation|standard deviation of|stddev|std dev|std")
	add(atomMath, "", "times|multiplied by|plus|minus|less")
	add(atomAgg, "min", "minimum|min|min of|minimum of")
	add(atomAgg, "max", "maximum|max|max of|maximum of")
	add(atomHowMany, "", "how many|number of|count of|count|count the|amount of times|total number of|how often|no of|frequency of|"+
		"how frequently|counts of|quantity of distinct|headcount~people|head count~people")
	add(atomDistinct, "", "distinct|unique|different|distinct values of")
	add(atomBy, "by", "by|broken down by|split by|grouped by|group by|breakdown by|divided by|segmented by|across|across all|according to|"+
		"depending on|nach|par|por|broken out by|split up by|for different|as a function of|breakdown of")
	add(atomEach, "", "per|for each|each|in each|for every|every|of each|by each|across each|for all|within each|per each|from each|"+
		"at each|on each")
	add(atomTop, "desc", "top|first~rows|best performing|top performing|top selling|best selling|bestselling|best seller|best sellers|"+
		"bestseller|bestsellers|top seller|top sellers")
	add(atomTop, "asc", "bottom|worst performing|lowest performing|worst selling|lowest selling|least selling")
	add(atomSuper, "desc", "highest|largest|biggest|greatest|most|best|maximal|most often~count|most frequently~count|strongest|"+
		"most common~count|most frequent~count|most popular~count|most used~count|busiest~count|most visited~count|most viewed~count|"+
		"most ordered~count|most requested~count|most watched~count|most borrowed~count|most booked~count|most played~count|used most~count|"+
		"used the most~count|used most often~count|chosen most~count|chosen most often~count|occurs most~count|occurs most often~count|"+
		"appears most~count")
	add(atomSuper, "asc", "lowest|smallest|least|fewest|worst|poorest|weakest|least common~count|rarest~count|least frequent~count|"+
		"least popular~count|quietest~count|least used~count|least visited~count|used least~count|used the least~count")
	add(atomSuper, "desc", "most expensive~price|priciest~price|oldest~age|longest~duration|heaviest~weight|hottest~temperature|"+
		"best paid~salary|highest paid~salary|best rated~rating|highest rated~rating|top rated~rating|most profitable~profit|tallest~height|"+
		"warmest~temperature|fastest~speed|quickest~speed|windiest~wind|wettest~precipitation|rainiest~precipitation|sunniest~sunshine|"+
		"most valuable~revenue")
	add(atomSuper, "asc", "cheapest~price|least expensive~price|youngest~age|shortest~duration|lightest~weight|coldest~temperature|"+
		"coolest~temperature|driest~precipitation|lowest paid~salary|worst paid~salary|worst rated~rating|lowest rated~rating|"+
		"least profitable~profit|slowest~speed")
	add(atomCmp, ">", "more than|greater than|over|above|larger than|higher than|exceeding|exceeds|exceed|bigger than|>|is over|"+
		"older than~age|longer than~duration|more expensive than~price|heavier than~weight|warmer than~temperature|hotter than~temperature|"+
		"in excess of|better than|slower than~pace")
	add(atomCmp, ">=", "at least|no less than|not less than|minimum of|a minimum of|>=|≥|starting at|no fewer than|not below|not under")
	add(atomCmp, "<", "less than|under|below|fewer than|lower than|smaller than|<|younger than~age|shorter than~duration|"+
		"cheaper than~price|lighter than~weight|colder than~temperature|worse than|faster than~pace|quicker than~pace")
	add(atomCmp, "<=", "at most|no more than|not more than|up to|a maximum of|<=|≤|not over|not above|not exceeding")
	add(atomCmp, "=", "equal to|equals|=|exactly|is equal to|is exactly|equal")
	add(atomCmp, "!=", "not equal to|!=|≠|is not equal to|other than exactly")
	add(atomOrMore, ">=", "or more|or higher|or above|or greater|and above|and more|or older|or over|and over|or better|upwards")
	add(atomOrMore, "<=", "or less|or fewer|or lower|or below|and below|or under|or younger|and under|or cheaper")
	add(atomBetween, "", "between|ranging from|in the range|in the range of")
	add(atomNot, "", "not|except|excluding|without|no|lacking|other than|but not|not in|exclude|is not|are not|apart from|isn't|aren't|"+
		"outside|outside of|not from|except for|ignoring|that are not|not including|leaving out|non|neither|nor|haven't|hasn't|didn't|don't|"+
		"doesn't|weren't|wasn't|have not|has not|did not|do not|were not|was not|never|everything except|everything but|all except|all but")
	add(atomAnd, "and", "and|,|as well as|plus also|&|along with|together with")
	add(atomAnd, "or", "or")
	add(atomVs, "", "vs|versus|vs.|compared to|compared with|against|in comparison to|relative to")
	add(atomCompare, "", "compare|comparison|comparison of|comparing|compare the|ratio of|ratio between|ratio|higher|lower|"+
		"difference between|differences between|differ between|the difference between|difference in|differences in|difference|differences|"+
		"differ|differs|gap between|gap in|gap|pay gap between|how do|how does")
	add(atomShare, "", "share|share of|percentage|percentage of|percent of|percent|proportion|proportion of|percentage share of|"+
		"fraction of|what percent of|what percentage of|what share of|contribution|contribution of|contributes|make up|market share|% of|"+
		"as a percentage|as a percentage of|as a share|as a share of|as share of|as percentage|as percent|in percent|mix|split of|fraction")
	add(atomGrowth, "", "growth|growth rate|growth of|change|change in|changes in|increase|increase in|decrease|decrease in|decline|"+
		"decline in|grow|grown|growing|year over year|month over month|week over week|quarter over quarter|day over day|yoy|mom|qoq|wow|"+
		"change over|percent change|percentage change|rate of change|did change|rise|fall|increased|decreased|changed|delta")
	add(atomTrend, "", "trend|trends|over time|trend of|trends in|history|evolution|evolution of|development of|develop|developed|evolve|"+
		"evolved|time series|timeline|trend in|trending|over the time|historically|through time|course of|progression|seasonality|"+
		"over the months~month|over the years~year|over the year~month|over the weeks~week|over months~month|over years~year|by time")
	add(atomRows, "", "list|show all|list all|show me all|all rows|rows|show rows|records|list the|show the rows|entries|show me the rows|"+
		"detail|details of|details|show me the records|individual|raw data|display all|everything|show everything|show me everything|"+
		"all the data|list of|example|examples|sample|sample of|sample rows|examples of")
	add(atomRows, "names", "list by name")
	add(atomDescribe, "", "describe|describe the data|what is in|what's in|whats in|overview|overview of|summarize|summarise|summary of|"+
		"summary|what columns|which columns|columns|schema|fields|which fields|what fields|explain the data|what data|profile|"+
		"what is this data|structure|what does the data contain|anything interesting|how many columns|number of columns|"+
		"how many columns are there|how many rows and columns|insights|key insights|key facts|what do you know|describe this|what information|"+
		"what can i ask|about this data|about the data|describe the dataset|what tables|which tables|explain this data|what kind of data|"+
		"tell me about the data|tell me about this data")
	add(atomOrder, "", "sorted by|sort by|order by|ordered by|order the results by|sort the results by|sort the list by|order them by|"+
		"ranked by|rank by|in order of|sorted|ordered|ranked|rank|ranking of|ranking|"+
		"sort|ranking by|arranged by")
	add(atomDirection, "desc", "descending|descending order|in descending order|"+
		"desc|highest first|largest first|from highest to lowest|decreasing|biggest first|newest first|"+
		"most first~count|best first|from high to low|highest to lowest|largest to smallest|latest first|greatest first|longest first|"+
		"heaviest first|most expensive first|dearest first")
	add(atomDirection, "asc", "ascending|ascending order|in ascending order|alphabetical order|"+
		"asc|lowest first|smallest first|alphabetically|from lowest to highest|increasing|oldest first|"+
		"from low to high|least first|fewest first~count|cheapest first|lowest to highest|smallest to largest|bottom first|worst first|"+
		"shortest first|lightest first|least expensive first")
	add(atomDirection, "reverse", "reverse|reversed|reverse order|reverse the order|in reverse|in reverse order|the other way round|"+
		"the other way around")
	add(atomChart, "line", "line chart|line graph|as a line|as line|line plot|as a line chart|as line chart|as a line graph|with a line chart")
	add(atomChart, "bar", "bar chart|bar graph|as bars|horizontal bars|as a bar chart|as bar chart|as a bar graph|with a bar chart")
	add(atomChart, "column", "column chart|as columns|as a column chart|as column chart")
	add(atomChart, "pie", "pie chart|pie|as a pie|as pie|as a pie chart|as pie chart|donut chart|with a pie chart")
	add(atomChart, "area", "area chart|as area|area graph|as an area chart|as area chart")
	add(atomChart, "scatter", "scatter plot|scatter|scatterplot|scatter chart|as a scatter plot")
	add(atomChart, "none", "as a table|as table|without a chart|no chart|table only|in a table|without chart")
	for _, g := range []string{"hour", "day", "week", "month", "quarter", "year"} {
		add(atomGrain, g, g+"|"+g+"s|by "+g)
	}
	add(atomGrain, "hour", "hourly|per hour")
	add(atomGrain, "day", "daily|per day|calendar day")
	add(atomGrain, "week", "weekly|per week|calendar week")
	add(atomGrain, "month", "monthly|per month|calendar month|month by month|month on month")
	add(atomGrain, "quarter", "quarterly|per quarter")
	add(atomGrain, "year", "yearly|annual|annually|per year|per annum|year by year|calendar year")
	add(atomGrain, string(grainWeekday), "weekday|weekdays|day of the week|day of week|days of the week")
	add(atomGrain, string(grainMonthName), "month of the year|month of year|months of the year|calendar month of the year|season")
	add(atomGrain, string(grainHourOfDay), "hour of the day|hour of day|time of day|hours of the day|time of the day")
	add(atomDecade, "", "decade|decades|per decade|by decade|each decade")
	add(atomContains, "contains", "contains|contain|containing|named|called|includes|including|with the word|that mention|mention|mentions|"+
		"mentioning|like")
	add(atomContains, "starts", "starts with|start with|starting with|begins with|beginning with|begin with")
	add(atomContains, "ends", "ends with|ending with|end with")
	add(atomMissing, "", "missing|empty|null|blank|unknown|no value|is missing|is empty|is null|are missing|are empty|not set|not given|"+
		"nulls|unspecified|without value|is blank")
	add(atomWhich, "", "which|what|who|where|what are|which are|what is|what's")
	add(atomBins, "", "popularity|popularity of|breakdown|distribution|distribution of|histogram|histogram of|spread of|distributed|bins")
	add(atomCorrelation, "", "correlation|correlation between|correlate|correlated|relationship between|relation between|relationship|"+
		"related to|change with|changes with|vary with|varies with|varies by|influence|influences|affect|affects|have an effect on|"+
		"correlation of|depend on|depends on|relate to")
	add(atomSignificance, "", "p value|p-value|p value of|p-value of|significant|statistically significant|significance|significance of|"+
		"statistical significance|statistical significance of|significantly")
	add(atomFollow, "", "only|just|same|now|and now|only for|just for|and for|but|then|and only|the same")
	add(atomFollow, "change", "what about|how about|and what about|and how about|instead|same for|the same for|same but|what if|filter to|"+
		"filter by|limit to|restrict to|narrow to|zoom in on|drill down|drill into|focus on|do the same for|do the same|again for|make it|"+
		"make that|switch to|change to|change it to|show it|show that")
	add(atomFollow, "add", "also|as well|too|additionally|in addition")
	add(atomLatest, "desc", "latest|newest|most recent|recent|last|most recently|lately")
	add(atomLatest, "asc", "earliest|first ever")
	add(atomBasket, "", "average order value|aov|average basket|average basket size|basket size|basket value|average order size|"+
		"average ticket size")
	add(atomRate, "", "rate|rates|quota of")
	add(atomSign, "<", "negative|loss~profit|losses~profit|made a loss~profit|unprofitable~profit|loss making~profit|at a loss~profit|"+
		"in the red~profit|lost money~profit|losing money~profit|lose money~profit|overdrawn~balance")
	add(atomSign, ">", "positive|profitable~profit|made money~profit|in the black~profit")
	add(atomSign, "=", "out of stock~stock|sold out~stock")
	add(atomFlow, "<", "spend|spent|spending|expense|expenses|paid|pay|outgoings|expenditure|expenditures|withdrawals|money out")
	add(atomFlow, ">", "income|earned|earnings|deposits|money in")
	add(atomStop, "", "due to|because of|because|because it was|because they were|caused by|on account of|thanks to")
	add(atomUnable, "forecast", "predict|forecast|forecasts|prediction|projected|projection|extrapolate|next month|next year|next quarter|"+
		"next week|will happen")
	add(atomUnable, "write", "delete|drop|truncate|insert|update|remove all|drop table")
	add(atomUnable, "arithmetic", "inventory value|stock value|value of inventory|value of stock|total value")
	add(atomRunning, "", "cumulative|cumulative total|cumulative total of|cumulative sum|cumulative sum of|running total|running total of|"+
		"running sum|running sum of|cumulated|cumulatively|accumulated|running count|running count of|cumulative count|cumulative count of|"+
		"cumulative number of|running number of")
	add(atomOpen, "", "open|still open|outstanding|pending|unresolved|still unresolved|unsolved|unclosed|ongoing|unfinished|not yet closed|"+
		"not yet resolved|not closed yet|not resolved yet|currently open|active|still active|currently active|current|currently employed|"+
		"still employed|still here|still subscribed")
	for _, r := range ratios() {
		add(atomRatio, r.name, r.phrases)
	}
	add(atomStop, "", "would like to know|would like to see|i would like to know|could you please|could you kindly|let me know|"+
		"be so kind as to|would you be so kind as to|kind regards|best regards|many thanks|dear parley|be grateful if you could|"+
		"would be grateful if you could|if it is not too much trouble|may i ask|kindly")
	add(atomHelp, "hello", "hello|hi|hey|good morning|good afternoon|good evening|hello there|hi there|how are you")
	add(atomHelp, "thanks", "thanks|thank you|thank you very much|many thanks|thanks a lot|thank you so much|cheers|great thanks|ok thanks|"+
		"bye|goodbye")
	add(atomHelp, "", "help|what can you do|how do you work|who are you|what can i ask|what questions can i ask|what can you tell me|"+
		"what should i ask|help me")
	return out
}

// keywordMax is the maximum number of words of a keyword's phrase.
const keywordMax = 7
