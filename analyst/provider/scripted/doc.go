// Package scripted is a provider for tests and load tests: its answer depends only on
// directives in the prompt, so that a checker knows each byte of it.
//
// Directives may be anywhere in the prompt, as key=value words; a value with
// blanks is quoted. Other words are ignored.
//
//	seed=7          the text's seed; without it, a hash of the prompt
//	tokens=200      how many tokens the answer has (120)
//	rate=20         tokens a second (30); 0 means as fast as they are accepted
//	plan=10         a plan of 10 tokens before the answer (0)
//	summary=10      a summary of 10 tokens after the answer (0)
//	calls=2         2 calls of list_sources before the answer (0)
//	query="SELECT 1"  a call of run_query before the answer
//	chart=line      a call of make_chart after the query
//	fault=…         what goes wrong, below
//	times=1         how often the fault happens in a turn (always)
//	retry=2         Retry-After in seconds, with a status
//	stamp=true      the answer's tokens are stamps instead of words, see Stamp
//
// Faults:
//
//	fault=429, 500, 529   that status before the first byte
//	fault=401             a status for which a retry does not help
//	fault=silent          no first byte, until the call is cancelled
//	fault=cut@500         the connection breaks after 500 bytes of the answer
//	fault=stall@500       silence after 500 bytes, until the call is cancelled
//	fault=split           characters are split between pieces
//	fault=garbage         bytes that are not UTF-8
//	fault=huge            one piece of 10 MB
//	fault=loop            tool calls without end
//	fault=args            a tool call whose arguments are not JSON
//	fault=tool            a call of a tool that does not exist
//	fault=panic           a panic after the first token
//
// In a turn that runs a plan, each step's detailed instructions are a script of
// their own; the last step's summary closes the turn.
//
// The answer is Text(seed, tokens), the plan Text(seed+1, …), the summary Text(seed+2, …).
package scripted
