// Package builtin answers questions about data without a model. A question passes
// through stages, each with one task:
//
//	phrasing   a question → the words that the grammar reads; a ratio → its two sides, each a question
//	lexer      text → tokens (words with stems, numbers, dates, quoted text)
//	dates      tokens → spans of time ("last 6 months", "Q3 2024", "since March")
//	keywords   tokens → words of the language ("how many", "by", "more than", "top 5")
//	linker     tokens → tables, columns and values of the schema, with synonyms and typing
//	           errors; names of statistics, of months and of money in files of their own
//	chunker    the best cover of the question with these readings, as atoms
//	grammar    atoms → logical form (numbers, values, ratios, superlatives, the calendar in files of their own)
//	account    everything that the question named is used in the form, or is reported, or the question is refused
//	made       columns that a question computes from others: durations, differences (formula)
//	form       the meaning of a question: measures, dimensions, filters, order; also in English words
//	stance     the relation of a question to the one before: independent, or a change of it
//	followup   a question that depends on the one before; the plan says what it keeps
//	tree       logical form → query tree (analyst/query), which refuses what would give a wrong figure, and writes the SQL
//	narrator   logical form and result → the answer in words
//	dictionary words of the data dictionary → names of columns and values
//	memory     a question that was asked before → its query, or what is known about it
//	steps      the sentences of a plan's step, each a question; review checks their results
//	tell       a result whose query was written elsewhere → the answer in words
//	suggest    questions that this schema can answer
//
// Each number in an answer comes from the result of the query or from the schema's
// statistics. The plan and the answer say what was not understood, and what was assumed.
package builtin
