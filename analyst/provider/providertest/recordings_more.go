package providertest

// More recordings: models that think aloud in several notations, streams that end before the answer
// does, and answers that are errors. Each is named by the server that sends such a stream and by
// what is peculiar about it.

import (
	"hash/fnv"
	"net/http"
	"strconv"

	"parley.dev/parley/analyst"
)

// shortID returns nine letters and digits that replace an id, for Mistral.
func shortID(id string) string {
	h := fnv.New64a()
	// Writing to a hash cannot fail.
	_, _ = h.Write([]byte(id))
	return (strconv.FormatUint(h.Sum64(), 36) + "000000000")[:9]
}

// thinking returns streams with reasoning. It is never shown as an answer; some vendors want it
// back with the next call.
func thinking() []Recording {
	return []Recording{
		{
			Name: "DeepSeek/ThinksThenAnswers", Model: "deepseek-v4-pro",
			Body: []string{
				chunk(`{"role":"assistant","content":null,"reasoning_content":""}`), chunk(`{"content":null,"reasoning_content":"They want "}`),
				chunk(`{"content":null,"reasoning_content":"a count."}`),
				chunk(`{"content":"42.","reasoning_content":null}`), finish("stop"), counted(9, 30), over,
			},
			Want: Want{Text: says("42."), Usage: used(9, 30)},
		},
		{
			Name: "DeepSeek/ThinksThenCalls", Model: "deepseek-v4-pro",
			Body: []string{
				chunk(`{"role":"assistant","content":null,"reasoning_content":"I must "}`), chunk(`{"content":null,"reasoning_content":"look."}`),
				chunk(`{"tool_calls":[{"index":0,"id":"call_00","type":"function","function":{"name":"run_query","arguments":"{}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("call_00", `{}`)}, Back: []string{`"reasoning_content":"I must look."`}},
		},
		// The vendor rejects a request whose earlier call has no reasoning at all, so an empty one
		// is sent back.
		{
			Name: "DeepSeek/CallsWithoutAThought", Model: "deepseek-v4-pro",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"call_00","type":"function","function":{"name":"run_query","arguments":"{}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("call_00", `{}`)}, Back: []string{`"reasoning_content":""`}},
		},
		{
			Name: "vLLM/ReasoningBesideTheText",
			Body: []string{
				chunk(`{"role":"assistant","content":""}`), chunk(`{"reasoning":"Hm."}`),
				chunk(`{"reasoning":" So.","reasoning_details":[]}`), content("42."), finish("stop"), over,
			},
			Want: Want{Text: says("42.")},
		},
		// The mark of the thinking is split over pieces, and marks inside it mean nothing.
		{
			Name: "vLLM/ThinkingInTheText",
			Body: []string{
				content("<thi"), content("nk>\nThey want 5 < 6 <plan>not a plan</plan>"), content(" of rows</THI"),
				content("NK>\n\n<plan>I count.</plan>42."), finish("stop"), over,
			},
			Want: Want{Text: map[analyst.Channel]string{analyst.ChannelPlan: "I count.", analyst.ChannelAnswer: "42."}},
		},
		{
			Name: "Ollama/ThinksInTheMiddle",
			Body: []string{content("First. <Thinking>hm</Thinking>Then."), finish("stop"), over},
			Want: Want{Text: says("First. Then.")},
		},
		{
			Name: "Gemini/ThoughtInTheText",
			Body: []string{content("<thou"), content("ght>**Count** them [all]</thought>42."), finish("stop"), over},
			Want: Want{Text: says("42.")},
		},
		{
			// Brackets are marks only in this form; other brackets are text.
			Name: "Mistral/ThinkingInBrackets",
			Body: []string{
				content("[TH"), content("INK]They want [5] rows[/"), content("THINK]42 [see](#a) [T"), content("op]."), finish("stop"),
				over,
			},
			Want: Want{Text: says("42 [see](#a) [Top].")},
		},
		// An answer that never leaves the thinking has no text, and that is not an error.
		{
			Name: "Ollama/NeverStopsThinking",
			Body: []string{content("<think>and so on and "), content("so on"), finish("stop"), counted(5, 900), over},
			Want: Want{Usage: used(5, 900)},
		},
		// The server has removed the beginning of the thinking, but not its end.
		{
			Name: "vLLM/OnlyTheEndOfTheThinking",
			Body: []string{content("</think>\n\n42."), finish("stop"), over},
			Want: Want{Text: says("42.")},
		},
	}
}

// unfinished returns streams that end before the answer does: none of them is a complete answer.
func unfinished() []Recording {
	return []Recording{
		{
			Name: "OpenAI/CutByLength",
			Body: []string{content("There are 42 ro"), finish("length"), counted(11, 4096), over},
			Want: Want{Text: says("There are 42 ro"), Reason: analyst.EndLength, Usage: used(11, 4096)},
		},
		{
			Name: "OpenAI/ThoughtUntilTheLengthWasUsedUp",
			Body: []string{chunk(`{"role":"assistant","content":""}`), finish("length"), counted(11, 4096), over},
			Want: Want{Reason: analyst.EndLength, Usage: used(11, 4096)},
		},
		// Arguments that are cut are no call.
		{
			Name: "OpenAI/CallCutByLength",
			Body: []string{chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run_query",` +
				`"arguments":"{\"sql\":\"SELE"}}]}`), finish("length"), over},
			Want: Want{Reason: analyst.EndLength},
		},
		{
			Name: "Mistral/CutByItsOwnWordForLength",
			Body: []string{content("42 ro"), finish("model_length"), over},
			Want: Want{Text: says("42 ro"), Reason: analyst.EndLength},
		},
		{
			Name: "OpenAI/FilteredBeforeAnyWord",
			Body: []string{chunk(`{"role":"assistant","content":""}`), finish("content_filter"), over},
			Want: Want{Error: filtered},
		},
		{
			Name: "Azure/FilteredInTheMiddle",
			Body: []string{content("There are "), finish("content_filter"), counted(11, 3), over},
			Want: Want{Text: says("There are "), Error: filtered, Usage: used(11, 3)},
		},
		{
			Name: "Gemini/StoppedForSafety",
			Body: []string{content("There are "), finish("SAFETY"), over},
			Want: Want{Text: says("There are "), Error: filtered},
		},
		{
			Name: "Gemini/CallItCouldNotWrite",
			Body: []string{chunk(`{"role":"assistant"}`), finish("malformed_function_call"), over},
			Want: Want{Error: badEnd, Retryable: true},
		},
		{
			Name: "DeepSeek/OutOfResources",
			Body: []string{content("There are "), finish("insufficient_system_resource"), over},
			Want: Want{Text: says("There are "), Error: unavailable, Retryable: true},
		},
		// What was received stays; the turn decides whether it is repeated.
		{
			Name: "Anything/BrokenOffInTheMiddle",
			Body: []string{content("There are <"), `data: {"id":"x","choi`}, Breaks: true,
			Want: Want{Text: says("There are <"), Error: broke, Retryable: true},
		},
		{
			Name: "Anything/EndsWithoutAReason",
			Body: []string{content("There are ")},
			Want: Want{Text: says("There are "), Error: broke, Retryable: true},
		},
		{
			Name: "Anything/DoneWithoutAReason",
			Body: []string{content("There are "), over},
			Want: Want{Text: says("There are "), Error: broke, Retryable: true},
		},
		{
			Name:   "Anything/CallsAndThenBreaks",
			Body:   []string{chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run_query","arguments":"{}"}}]}`)},
			Breaks: true,
			Want:   Want{Error: broke, Retryable: true},
		},
		{
			Name: "Anything/NoEventsAtAll",
			Want: Want{Error: broke, Retryable: true},
		},
		{
			Name: "OpenRouter/ErrorInTheMiddle",
			Body: []string{content("There are "), `data: {"id":"x","error":{"code":"server_error","message":"exploded ` + secret +
				`"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}` + "\n\n"},
			Want: Want{Text: says("There are "), Error: reported, Retryable: true},
		},
		// The vendor says in the stream that the context is too long, which is otherwise a status.
		{
			Name: "vLLM/TooLongSaidInTheStream",
			Body: []string{`data: {"error":{"object":"error","message":"This model's maximum context length is 4096 tokens.",` +
				`"type":"BadRequestError","param":null,"code":400}}` + "\n\n", over},
			Want: Want{Error: grown, TooLong: true},
		},
		{
			Name: "Anything/BrokenJSON",
			Body: []string{content("There "), "data: {\"choices\": [{\n\n"},
			Want: Want{Text: says("There "), Error: unreadable, Retryable: true},
		},
	}
}

// refused returns answers that are not a stream.
func refused() []Recording {
	// The phrases differ for each server; all mean that the context must be shortened.
	long := func(name, message string, status int) Recording {
		return Recording{Name: name, Status: status, Body: []string{message}, Want: Want{Error: grown, Status: status, TooLong: true}}
	}
	return []Recording{
		long("OpenAI/TooLong", `{"error":{"message":"`+secret+`","type":"invalid_request_error","param":"messages",`+
			`"code":"context_length_exceeded"}}`, http.StatusBadRequest),
		long("vLLM/TooLong", `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 122946 `+
			`tokens.","type":"BadRequestError","param":null,"code":400}`, http.StatusBadRequest),
		long("LlamaCpp/TooLong", `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it",`+
			`"type":"exceed_context_size_error","n_ctx":4096}}`, http.StatusBadRequest),
		long("Gemini/TooLong", `[{"error":{"code":400,"message":"The input token count (2000000) exceeds the maximum number of tokens allowed `+
			`(1048576).","status":"INVALID_ARGUMENT"}}]`, http.StatusBadRequest),
		long("Anthropic/TooLong", `{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`,
			http.StatusBadRequest),
		long("Proxy/BodyTooLarge", `{"error":{"message":"too large"}}`, http.StatusRequestEntityTooLarge),
		{
			Name: "OpenAI/TooManyRequests", Status: http.StatusTooManyRequests, Header: map[string]string{"Retry-After": "7"},
			Body: []string{`{"error":{"message":"slow down ` + secret + `"}}`},
			Want: Want{Error: busy, Status: http.StatusTooManyRequests, Retryable: true, RetryAfter: 7},
		},
		// The status is the same as for too many requests, but waiting does not help.
		{
			Name: "OpenAI/NoMoney", Status: http.StatusTooManyRequests,
			Body: []string{`{"error":{"message":"no money","code":"insufficient_quota"}}`},
			Want: Want{Error: "The model provider's quota is used up.", Status: http.StatusTooManyRequests},
		},
		{
			Name: "DeepSeek/NoMoney", Status: http.StatusPaymentRequired, Body: []string{`{"error":{"message":"Insufficient Balance"}}`},
			Want: Want{Error: "The model provider's quota is used up.", Status: http.StatusPaymentRequired},
		},
		{
			Name: "Anthropic/Overloaded", Status: 529, Body: []string{`{"error":{"type":"overloaded_error"}}`},
			Want: Want{Error: unavailable, Status: 529, Retryable: true},
		},
		{
			Name: "Azure/PromptFiltered", Status: http.StatusBadRequest,
			Body: []string{`{"error":{"code":"content_filter","message":"content management policy"}}`},
			Want: Want{Error: filtered, Status: http.StatusBadRequest},
		},
		{
			Name: "Ollama/ErrorIsAText", Status: http.StatusInternalServerError, Body: []string{`{"error":"model runner has stopped"}`},
			Want: Want{Error: unavailable, Status: http.StatusInternalServerError, Retryable: true},
		},
		{
			Name: "Anything/NotEvenJSON", Status: http.StatusBadGateway, Body: []string{"<html>bad gateway</html>"},
			Want: Want{Error: unavailable, Status: http.StatusBadGateway, Retryable: true},
		},
	}
}
