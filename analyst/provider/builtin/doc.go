// Package builtin answers questions of data without a model. A question goes
// through rooms that each know one thing:
//
//	lexer      text → tokens (words with stems, numbers, dates, quoted text)
//	dates      tokens → spans of time ("last 6 months", "Q3 2024", "since March")
//	keywords   tokens → words of the language ("how many", "by", "more than", "top 5")
//	linker     tokens → tables, columns and values of the schema, with synonyms and typing
//	           errors; names of statistics, of months and of money in files of their own
//	chunker    the best cover of the question by these, as atoms
//	grammar    atoms → logical form (numbers, values, ratios, superlatives, the calendar in files of their own)
//	account    whatever the question named has a part in the form, or is said, or nothing is answered
//	made       columns that a question makes of others: durations, differences (formula)
//	form       what is asked: measures, dimensions, filters, order; says itself in English
//	stance     how a question stands to the one before: whole, or a change of it
//	followup   a question that leans on the one before; what it keeps is said
//	writer     logical form → SQL
//	narrator   logical form and result → the spoken answer
//	dictionary words of the data dictionary → names of columns and values
//	memory     a question asked before → its query, or what is known
//	steps      the sentences of a plan's step, each a question; review checks their results
//	tell       a result whose query was written elsewhere → the spoken answer
//	suggest    questions that this schema can answer
//
// Whatever number is spoken comes from the result of the query or from the
// schema's statistics. What was not understood is said, and so is what was assumed.
package builtin
