package builtin

import "regexp"

// inquiries are the ways to ask for statistics. Each matches the numbers that it is about, and what follows them.
type inquiries struct {
	related, matrix, line, outliers, missing, welch []*regexp.Regexp
}

func newInquiries() *inquiries {
	return &inquiries{
		// related matches a question for a correlation: its kind, the first number, and the second one with what follows it.
		related: []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b(spearman(?:'?s)?(?:\s+rank)?|rank|pearson(?:'?s)?|kendall(?:'?s)?(?:\s+rank)?)?\s*` +
				`correlations?(?:\s+coefficients?)?\s+(?:between|of|for|among)\s+(?:the\s+)?(.+?)\s+(?:and|with|to|vs\.?|versus)\s+(?:the\s+)?(.+)$`),
			regexp.MustCompile(`(?i)\b()correlate\s+(?:the\s+)?(.+?)\s+(?:and|with|to|vs\.?|versus)\s+(?:the\s+)?(.+)$`),
			regexp.MustCompile(`(?i)^()(?:how\s+)?(?:strongly\s+|closely\s+)?(?:are|is)\s+(?:the\s+)?(.+?)\s+(?:and|with)\s+(?:the\s+)?(.+?)\s+` +
				`(?:strongly\s+|closely\s+|significantly\s+)?(?:rank\s+)?correlated\b(.*)$`),
			regexp.MustCompile(`(?i)^()(?:how\s+)?(?:strongly\s+|closely\s+)?(?:does|do|is|are)\s+(?:the\s+)?(.+?)\s+` +
				`correlate(?:d|s)?\s+(?:with|to)\s+(?:the\s+)?(.+)$`),
			regexp.MustCompile(`(?i)\b(spearman(?:'?s)?|pearson(?:'?s)?|kendall(?:'?s)?)\s+(?:coefficient\s+)?(?:between|of|for)\s+(?:the\s+)?` +
				`(.+?)\s+(?:and|with|vs\.?|versus)\s+(?:the\s+)?(.+)$`),
		},
		// matrix matches a request for the correlations of all numbers, and what follows it.
		matrix: []*regexp.Regexp{
			regexp.MustCompile(`(?i)\bcorrelation\s+matrix\b(?:\s+(?:of|for)\s+(?:all\s+)?(?:the\s+)?(?:numeric(?:al)?\s+)?(?:columns|num` +
				`bers|variables|measures))?(.*)$`),
			regexp.MustCompile(`(?i)\bcorrelat(?:e|ions?)\s+(?:of\s+|between\s+|among\s+|for\s+)?(?:all|every|each|any)\b(?:\s+(?:of|the|` +
				`two|other))*\s*` +
				`(?:numeric(?:al)?\s+|number\s+)?(?:columns?|numbers|variables?|pairs?|measures|fields)\b(?:\s+of\s+(?:numeric(?:al)?\s+)?` +
				`(?:columns|numbers|variables|fields))?(?:\s+(?:with|to)\s+each\s+other)?(.*)$`),
		},
		// line matches a question for a line of least squares: what is explained, and by what, with what follows it.
		line: []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b(?:linear\s+|simple\s+|ordinary\s+|least[- ]squares\s+|ols\s+)*regress(?:ion)?(?:\s+line)?\s+(?:of\` +
				`s+|for\s+)?(?:the\s+)?` +
				`(.+?)\s+(?:on|onto|against|by|vs\.?|versus|as\s+a\s+function\s+of|with)\s+(?:the\s+)?(.+)$`),
			regexp.MustCompile(`(?i)\bslope\s+of\s+(?:the\s+)?(.+?)\s+(?:on|onto|against|over|vs\.?|versus)\s+(?:the\s+)?(.+)$`),
			regexp.MustCompile(`(?i)\b(?:fit|draw)\s+a\s+(?:straight\s+|regression\s+|trend\s+|linear\s+|least[- ]squares\s+)*(?:line|tre` +
				`nd|model|regression)` +
				`\s+(?:of|for|to)\s+(?:the\s+)?(.+?)\s+(?:on|onto|against|by|vs\.?|versus)\s+(?:the\s+)?(.+)$`),
		},
		// outliers matches a question for outliers: what is before them, and their number with what follows it.
		outliers: []*regexp.Regexp{
			regexp.MustCompile(`(?i)^(.*?)\b(?:outliers?|outlying\s+values?|extreme\s+values?)\s+(?:are\s+|do\s+we\s+have\s+|exist\s+)?(?` +
				`:there\s+)?` +
				`(?:in|of|for|among|within)\s+(?:the\s+)?(.+)$`),
			regexp.MustCompile(`(?i)^()how\s+many\s+outliers?\s+(?:do|does)\s+(?:the\s+)?(.+?)\s+have\b(.*)$`),
			regexp.MustCompile(`(?i)^()(?:do|does)\s+(?:the\s+)?(.+?)\s+have\s+(?:any\s+)?outliers?(.*)$`),
			regexp.MustCompile(`(?i)^(how\s+many\s+|which\s+|list\s+|show\s+|find\s+|count\s+)?(?:the\s+)?(\w+(?:\s\w+)?)\s+outliers?\b(?` +
				`:\s+are\s+there)?(.*)$`),
		},
		// missing matches a question for the missing values of all columns, and what follows it.
		missing: []*regexp.Regexp{
			regexp.MustCompile(`(?i)\b(?:missing|empty|null|blank)\s+(?:values?\s+|cells?\s+|entries\s+|data\s+)?(?:are\s+there\s+|are\s+)?` +
				`(?:(?:in|for|per|by|of|from)\s+)(?:(?:each|every|all|any)\s+(?:of\s+)?(?:the\s+)?|the\s+)?(?:columns?|fields?|variables?)\b(.*)$`),
			regexp.MustCompile(`(?i)^(?:which|what)\s+(?:columns|fields|variables)\s+(?:have|has|contain)\s+(?:any\s+)?` +
				`(?:missing|empty|null|blank)(?:\s+(?:values?|cells?|entries|data))?(.*)$`),
		},
		// welch matches a question whether two means differ: the number, the two sides, and what follows them.
		welch: []*regexp.Regexp{
			regexp.MustCompile(`(?i)^(?:is|are)\s+(?:the\s+)?(?:average|mean)\s+(.+?)\s+(?:of|in|for|at|from)\s+(?:the\s+)?(.+?)\s+` +
				`(?:significantly\s+|really\s+|statistically\s+)*(?:different|higher|lower|larger|smaller|greater|more|less)\s+(?:from|than|to)\s+` +
				`(?:(?:that|those|the\s+one)\s+(?:of|in|for|at|from)\s+|in\s+|for\s+|at\s+|of\s+)?(?:the\s+)?(.+?)()$`),
			regexp.MustCompile(`(?i)^(?:do|does)\s+(?:the\s+)?(?:average|mean)\s+(.+?)\s+(?:significantly\s+)?differ\s+(?:significantly\s` +
				`+)?between\s+` +
				`(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)()$`),
			regexp.MustCompile(`(?i)^(?:is|are)\s+(?:there\s+)?(?:a\s+|the\s+)?(?:statistically\s+|significant\s+|real\s+)*differences?\s` +
				`+(?:in|of)\s+(?:the\s+)?` +
				`(?:average\s+|mean\s+)?(.+?)\s+between\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)(\s+(?:statistically\s+)?significant)?$`),
			regexp.MustCompile(`(?i)\b(?:welch(?:'?s)?\s+|two[- ]sample\s+|student(?:'?s)?\s+)*t-?\s?test\s+(?:of|on|for)\s+(?:the\s+)?(?` +
				`:average\s+|mean\s+)?` +
				`(.+?)\s+(?:between|of|for|in)\s+(?:the\s+)?(.+?)\s+(?:and|vs\.?|versus|against)\s+(?:the\s+)?(.+?)()$`),
		},
	}
}
