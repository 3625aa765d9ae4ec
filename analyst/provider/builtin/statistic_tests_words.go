package builtin

import "regexp"

// The ways to ask for a test or for a regression on several numbers, apart from Welch's test. Each matches what it is about; what
// follows stays in the last part, so that the grammar reads conditions and times there.

// worth matches the adverbs of a test.
const worth = `(?:statistically\s+|significantly\s+|really\s+)*`

// across is what stands between a number and its groups.
const across = `(?:between|across|among|amongst|by|over|with|per)\s+(?:the\s+|all\s+|our\s+|each\s+|different\s+|various\s+)*`

// testWords are the ways to ask for the tests.
type testWords struct {
	groups, related, together, ranks, normal, paired []*regexp.Regexp
}

func newTestWords() *testWords {
	words := func(patterns ...string) []*regexp.Regexp {
		var out []*regexp.Regexp
		for _, p := range patterns {
			out = append(out, regexp.MustCompile(`(?i)`+p))
		}
		return out
	}
	return &testWords{
		// groups matches a question whether a number or a rate differs between groups: the word for its mean, if there is one, the
		// number, and the groups with what follows them.
		groups: words(
			`^(?:do|does)\s+(?:the\s+)?(average\s+|mean\s+)?(.+?)\s+`+worth+`(?:differ|vary)\s+`+worth+across+`(.+)$`,
			`^(?:is|are)\s+(?:there\s+)?(?:any\s+|a\s+|an\s+)?`+worth+`(?:significant\s+)?differences?\s+(?:in|of)\s+(?:the\s+)?`+
				`(average\s+|mean\s+)?(.+?)\s+`+across+`(.+)$`,
			`^(?:is|are)\s+(?:the\s+)?(average\s+|mean\s+)?(.+?)\s+`+worth+`different\s+`+across+`(.+)$`,
			`\b(?:one[- ]way\s+)?(?:anova|analysis\s+of\s+variance)(?:\s+test)?\s+(?:of|on|for)\s+(?:the\s+)?(average\s+|mean\s+)?(.+?)\s+`+across+
				`(.+)$`,
		),
		// related matches a question whether two columns are related; together names the test itself.
		related: words(
			`^(?:is|are)\s+(?:the\s+)?(.+?)\s+`+worth+`(?:related|associated|linked|dependent|independent)\s+(?:to|with|on|of|from)\s+`+
				`(?:the\s+)?(.+)$`,
			`^(?:do|does)\s+(?:the\s+)?(.+?)\s+`+worth+`depends?\s+`+worth+`on\s+(?:the\s+)?(.+)$`,
			`^(?:are|is)\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+?)\s+`+worth+`(?:related|associated|linked|dependent|independent)`+
				`(?:\s+(?:of|to|with|on)\s+each\s+other)?$`,
			`^(?:is|are)\s+there\s+(?:any\s+|a\s+|an\s+)?`+worth+`(?:significant\s+)?(?:association|relationship|relation|dependence|link)\s+`+
				`between\s+(?:the\s+)?(.+?)\s+and\s+(?:the\s+)?(.+)$`,
		),
		together: words(
			`\b(?:chi|χ)[-\s]?(?:squared?|²|2)(?:\s+tests?)?(?:\s+(?:of|for)\s+(?:independence|association))?\s+(?:of|for|between|on)\s+` +
				`(?:the\s+)?(.+?)\s+(?:and|by|vs\.?|versus|against|with)\s+(?:the\s+)?(.+)$`,
		),
		// ranks matches a request for the test of Mann and Whitney: the number, and the two sides.
		ranks: words(
			`\b(?:mann[-–\s]*whitney(?:[-–\s]*(?:u|wilcoxon))?|wilcoxon(?:'?s)?\s+rank[-\s]sum|rank[-\s]sum|u)[-\s]*(?:tests?)?\s+` +
				`(?:of|on|for)\s+(?:the\s+)?(?:average\s+|mean\s+|median\s+)?(.+?)\s+(?:between|across|by|for)\s+(?:the\s+)?(.+)$`,
		),
		// normal matches a question whether a number is normally distributed: the number, and what follows.
		normal: words(
			`^(?:is|are)\s+(?:the\s+)?(.+?)\s+(?:approximately\s+|roughly\s+|about\s+)?normally\s+distributed\b(.*)$`,
			`^(?:do|does)\s+(?:the\s+)?(.+?)\s+(?:follow|have)\s+a\s+(?:normal|gaussian)\s+distribution\b(.*)$`,
			`\b(?:normality\s+tests?|tests?\s+(?:of|for)\s+normality|d'?agostino(?:'?s)?(?:\s+normality)?\s+test)\s+(?:of|for|on)\s+`+
				`(?:the\s+)?(.+)()$`,
			`^test\s+(?:the\s+)?(.+?)\s+for\s+normality\b(.*)$`,
		),
		// paired matches a question for the paired t test of two numbers of a row.
		paired: words(
			`\bpaired\s+(?:samples?\s+)?(?:student(?:'?s)?\s+)?t[-\s]?tests?\s+(?:of|on|for|between)\s+(?:the\s+)?(.+?)\s+`+
				`(?:and|vs\.?|versus|against|with)\s+(?:the\s+)?(.+)$`,
			`^(?:is|are)\s+(?:the\s+)?(.+?)\s+`+worth+`different\s+(?:from|than|to)\s+(?:the\s+)?(.+)$`,
		),
	}
}
