package providertest

// Recordings of streams as servers send them, with what a provider must make of each.

import (
	"encoding/json"
	"slices"
	"strings"

	"parley.dev/parley/analyst"
)

// secret is in the texts of vendors, and must not be in any text for people.
const secret = "sk-secret"

// These texts are shown to people, for every vendor.
const (
	broke       = "The connection to the model broke."
	unreadable  = "The model sent something that cannot be read."
	reported    = "The model reported an error."
	filtered    = "The model provider's content filter stopped this answer. Please ask in other words."
	noTool      = "The model asked for a tool without saying which one."
	grown       = "The conversation has grown too long for this model."
	unavailable = "The model is not available right now."
	busy        = "The model is busy (too many requests)."
	badEnd      = "The model ended its answer with an error."
)

// Recordings returns all recordings.
func Recordings() []Recording {
	return slices.Concat(answers(), toolCalls(), thinking(), unfinished(), refused())
}

// says, used and asks make the parts of a Want.
func says(text string) map[analyst.Channel]string {
	return map[analyst.Channel]string{analyst.ChannelAnswer: text}
}

func used(input, output int64) analyst.Usage {
	return analyst.Usage{InputTokens: input, OutputTokens: output}
}

func asks(id, args string) analyst.ToolCall {
	return analyst.ToolCall{ID: id, Name: "run_query", Args: json.RawMessage(args)}
}

// content returns an event with a text.
func content(text string) string {
	body, err := json.Marshal(map[string]string{"content": text})
	if err != nil {
		// Encoding a text cannot fail.
		panic(err)
	}
	return chunk(string(body))
}

// raw returns an event with a text whose bytes are in the JSON as they are.
func raw(bytes string) string { return chunk(`{"content":"` + bytes + `"}`) }

// answers returns streams of text: usage in several places, comments, line ends, and characters
// that are split between events.
func answers() []Recording {
	return []Recording{
		{
			Name: "OpenAI/Text",
			Body: []string{
				`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-4.1","service_tier":"default",` +
					`"system_fingerprint":"fp_1",` +
					`"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],` +
					`"usage":null,"obfuscation":"aX"}` + "\n\n",
				content("There are "), content("42 rows."), finish("stop"), counted(11, 7), over,
			},
			Want: Want{Text: says("There are 42 rows."), Usage: used(11, 7)},
		},
		{
			Name: "OpenAI/Refusal",
			Body: []string{
				chunk(`{"role":"assistant","content":null,"refusal":""}`), chunk(`{"refusal":"I cannot help with that."}`),
				finish("stop"), over,
			},
			Want: Want{Text: says("I cannot help with that.")},
		},
		{
			Name: "OpenRouter/CommentsBeforeAndBetween",
			Body: []string{
				": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n", content("Forty"), ": OPENROUTER PROCESSING\n\n", content("-two."),
				`data: {"id":"gen-1","choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop","native_finish_reason":"STOP"}],` +
					`"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}` + "\n\n", over,
			},
			Want: Want{Text: says("Forty-two."), Usage: used(9, 3)},
		},
		{
			Name: "DeepSeek/KeepAliveWhileItWaits",
			Body: []string{": keep-alive\n\n", ": keep-alive\n\n", "\n", content("42."), finish("stop"), counted(5, 2), over},
			Want: Want{Text: says("42."), Usage: used(5, 2)},
		},
		{
			Name: "vLLM/CountsInEveryChunk",
			Body: []string{
				`data: {"id":"c","choices":[{"index":0,"delta":{"role":"assistant","content":"4"},"finish_reason":null}],"usage":{"prompt_tokens":8,` +
					`"completion_tokens":1,"total_tokens":9}}` + "\n\n",
				`data: {"id":"c","choices":[{"index":0,"delta":{"content":"2."},"finish_reason":"stop","stop_reason":null}],` +
					`"usage":{"prompt_tokens":8,"completion_tokens":3,"total_tokens":11}}` + "\n\n",
				over,
			},
			Want: Want{Text: says("42."), Usage: used(8, 3)},
		},
		// Nothing after the reason is required: the answer is complete.
		{
			Name: "Ollama/NoUsageAndNoDone",
			Body: []string{content("42."), finish("stop")},
			Want: Want{Text: says("42.")},
		},
		{
			Name: "LMStudio/LinesEndWithCarriageReturns",
			Body: []string{strings.ReplaceAll(content("42.")+finish("stop")+over, "\n", "\r\n")},
			Want: Want{Text: says("42.")},
		},
		{
			Name: "TGI/NamesItsOwnEnd",
			Body: []string{content("42."), finish("eos_token"), over},
			Want: Want{Text: says("42.")},
		},
		// A character may be split between two events, and must be put together again.
		{
			Name: "LlamaCpp/CharactersSplitBetweenChunks",
			Body: []string{raw("gr\xc3"), raw("\xbcn "), raw("\xf0\x9f"), raw("\x93\x88."), finish("stop"), over},
			Want: Want{Text: says("grün 📈.")},
		},
		// A gateway splits pairs of surrogates, whose halves are no characters alone.
		{
			Name: "Gateway/PairsSplitBetweenChunks",
			Body: []string{
				chunk(`{"content":"up \ud83d"}`), chunk(`{"content":"\udcc8 \"\u00fc\" \ud83d\udcc9"}`), chunk(`{"content":"\ud83d"}`),
				chunk(`{"content":" alone\ud83d"}`), finish("stop"), over,
			},
			Want: Want{Text: says("up 📈 \"ü\" 📉\uFFFD alone\uFFFD")},
		},
		// The connection breaks after the reason of the end, so only the count is missing.
		{
			Name: "Gateway/EndsAfterTheReasonWithoutItsCount",
			Body: []string{content("42."), finish("stop")}, Breaks: true,
			Want: Want{Text: says("42.")},
		},
		// These marks are those of the rules that a node gives a model; other tags are text.
		{
			Name: "Anything/MarksOfTheRules",
			Body: []string{
				content("<Pl"), content("an>Count the rows.</PLAN>\n\nThere are 5 < 6 rows & <b>more</b>. "), content("<summary>"), content("Five."),
				content("</Summary>\n"),
				finish("stop"), over,
			},
			Want: Want{Text: map[analyst.Channel]string{
				analyst.ChannelPlan: "Count the rows.", analyst.ChannelAnswer: "There are 5 < 6 rows & <b>more</b>. ", analyst.ChannelSummary: "Five.",
			}},
		},
		// What could have become a mark is text if the answer ends.
		{
			Name: "Anything/HalfAMarkAtTheEnd",
			Body: []string{content("It is a <su"), finish("stop"), over},
			Want: Want{Text: says("It is a <su")},
		},
	}
}

// toolCalls returns streams with calls: fragments, indexes that are wrong, ids that are missing,
// and what vendors want back.
func toolCalls() []Recording {
	return []Recording{
		{
			Name: "OpenAI/CallsAtOnceInFragments",
			Body: []string{
				chunk(`{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"run_query",` +
					`"arguments":""}}]}`),
				chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"sql\":"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"\"SELECT 1\"}"}}]}`),
				chunk(`{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"list_sources","arguments":""}}]}`),
				finish("tool_calls"), counted(20, 9), over,
			},
			Want: Want{
				Calls: []analyst.ToolCall{asks("call_a", `{"sql":"SELECT 1"}`), {ID: "call_b", Name: "list_sources", Args: json.RawMessage(`{}`)}},
				Usage: used(20, 9), Back: []string{`"id":"call_a"`, `"tool_call_id":"call_b"`, `"arguments":"{\"sql\":\"SELECT 1\"}"`},
			},
		},
		{
			Name: "OpenAI/FragmentsOfTwoCallsMixed",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run_query","arguments":"{\"sql\":"}},` +
					`{"index":1,"id":"b","type":"function","function":{"name":"run_query","arguments":"{\"sql\":"}}]}`),
				chunk(`{"tool_calls":[{"index":1,"function":{"arguments":"\"SELECT 2\"}"}},{"index":0,"function":{"arguments":"\"SELECT 1\"}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("a", `{"sql":"SELECT 1"}`), asks("b", `{"sql":"SELECT 2"}`)}},
		},
		// All calls have index 0, so only their ids tell them apart.
		{
			Name: "Ollama/EveryCallHasIndex0",
			Body: []string{
				chunk(`{"role":"assistant","content":"","tool_calls":[{"id":"call_1","index":0,"type":"function","function":{"name":"run_query",` +
					`"arguments":"{\"sql\":\"SELECT 1\"}"}}]}`),
				chunk(`{"role":"assistant","content":"","tool_calls":[{"id":"call_2","index":0,"type":"function","function":{"name":"run_query",` +
					`"arguments":"{\"sql\":\"SELECT 2\"}"}}]}`),
				finish("tool_calls"), counted(20, 9), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("call_1", `{"sql":"SELECT 1"}`), asks("call_2", `{"sql":"SELECT 2"}`)}, Usage: used(20, 9)},
		},
		{
			// The index is the same and the id is empty in a fragment, which then belongs to the
			// call before.
			Name: "LMDeploy/Index0AndFragments",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"chatcmpl-tool-1","type":"function","function":{"name":"run_query","arguments":""}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"","type":"function","function":{"name":null,"arguments":"{\"sql\":\"SELECT 1\"}"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"chatcmpl-tool-2","type":"function","function":{"name":"run_query","arguments":""}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"","type":"function","function":{"name":null,"arguments":"{\"sql\":\"SELECT 2\"}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("chatcmpl-tool-1", `{"sql":"SELECT 1"}`), asks("chatcmpl-tool-2", `{"sql":"SELECT 2"}`)}},
		},
		// The id and the name are repeated in each fragment of one call.
		{
			Name: "SGLang/IdAndNameInEveryFragment",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"0","type":"function","function":{"name":"run_query","arguments":"{\"sql\":"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"0","type":"function","function":{"name":"run_query","arguments":"\"SELECT 1\"}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("0", `{"sql":"SELECT 1"}`)}},
		},
		{
			Name: "Proxy/AnotherIdInEveryChunk",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"u1","type":"function","function":{"name":"run_query","arguments":"{\"sql\":"}}]}`),
				chunk(`{"tool_calls":[{"index":0,"id":"u2","type":"function","function":{"arguments":"\"SELECT 1\"}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("u1", `{"sql":"SELECT 1"}`)}},
		},
		// Without ids a new name begins a new call.
		{
			Name: "Proxy/NoIdsAtAll",
			Body: []string{
				chunk(`{"tool_calls":[{"function":{"name":"run_query","arguments":"{\"sql\":"}}]}`),
				chunk(`{"tool_calls":[{"function":{"arguments":"\"SELECT 1\"}"}}]}`),
				chunk(`{"tool_calls":[{"function":{"name":"run_query","arguments":"{\"sql\":\"SELECT 2\"}"}}]}`),
				chunk(`{"tool_calls":[{"function":{"name":"list_sources","arguments":"{}"}}]}`),
				finish("stop"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{
				asks("", `{"sql":"SELECT 1"}`), asks("", `{"sql":"SELECT 2"}`),
				{Name: "list_sources", Args: json.RawMessage(`{}`)},
			}},
		},
		{
			Name: "Proxy/ArgumentsAreAnObject",
			Body: []string{chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"run_query",` +
				`"arguments":{"sql":"SELECT 1"}}}]}`), finish("tool_calls"), over},
			Want: Want{Calls: []analyst.ToolCall{asks("a", `{"sql":"SELECT 1"}`)}},
		},
		// The signature of the thinking comes with the first call and must be sent back with it.
		{
			Name: "Gemini/SignatureOfTheFirstCallAndNoIndex", Model: "gemini-3-pro-preview",
			Body: []string{
				chunk(`{"role":"assistant","tool_calls":[{"extra_content":{"google":{"thought_signature":"EjQKMg=="}},` +
					`"function":{"arguments":"{\"sql\":\"SELECT 1\"}","name":"run_query"},"id":"function-call-1","type":"function"}]}`),
				chunk(`{"role":"assistant","tool_calls":[{"function":{"arguments":"{\"sql\":\"SELECT 2\"}","name":"run_query"},` +
					`"id":"function-call-2","type":"function"}]}`),
				finish("stop"), counted(20, 9), over,
			},
			Want: Want{
				Calls: []analyst.ToolCall{asks("function-call-1", `{"sql":"SELECT 1"}`), asks("function-call-2", `{"sql":"SELECT 2"}`)},
				Usage: used(20, 9),
				Back: []string{
					`{"extra_content":{"google":{"thought_signature":"EjQKMg=="}},"function":{"arguments":"{\"sql\":\"SELECT 1\"}"`,
					`,{"function":{"arguments":"{\"sql\":\"SELECT 2\"}"`,
				},
			},
		},
		{
			Name: "Gemini/SignatureInAFragmentOfItsOwn", Model: "gemini-3-flash",
			Body: []string{
				chunk(`{"tool_calls":[{"id":"f1","type":"function","function":{"name":"run_query","arguments":"{\"sql\":"}}]}`),
				chunk(`{"tool_calls":[{"function":{"arguments":"\"SELECT 1\"}"}}]}`),
				chunk(`{"tool_calls":[{"extra_content":{"vertex":{"thought_signature":"AY89=="}}}]}`),
				finish("stop"), over,
			},
			Want: Want{
				Calls: []analyst.ToolCall{asks("f1", `{"sql":"SELECT 1"}`)},
				Back:  []string{`"extra_content":{"vertex":{"thought_signature":"AY89=="}}`},
			},
		},
		// A call that was made without a signature gets the one that the vendor accepts instead.
		{
			Name: "Gemini/CallWithoutASignature", Model: "gemini-3-pro-preview",
			Body: []string{
				chunk(`{"tool_calls":[{"id":"f1","type":"function","function":{"name":"run_query","arguments":"{}"}}]}`),
				finish("stop"), over,
			},
			Want: Want{Calls: []analyst.ToolCall{asks("f1", `{}`)}, Back: []string{`"thought_signature":"skip_thought_signature_validator"`}},
		},
		// This vendor accepts only ids of nine letters and digits.
		{
			Name: "Mistral/TakesOnlyItsOwnFormOfIds", Model: "mistral-large",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"call_which_is_long","function":{"name":"run_query","arguments":"{}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{
				Calls: []analyst.ToolCall{asks("call_which_is_long", `{}`)},
				Back:  []string{`"tool_call_id":"` + shortID("call_which_is_long") + `"`, `"id":"` + shortID("call_which_is_long") + `"`},
			},
		},
		{
			Name: "vLLM/PromisesACallAndGivesNone",
			Body: []string{chunk(`{"role":"assistant","content":""}`), finish("tool_calls"), over},
			Want: Want{Error: noTool, Retryable: true},
		},
		{
			Name: "Anything/CallWithoutAName",
			Body: []string{
				chunk(`{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"","arguments":"{}"}}]}`),
				finish("tool_calls"), over,
			},
			Want: Want{Error: noTool, Retryable: true},
		},
	}
}
