package analyst

import (
	"context"
	"encoding/json"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// Provider streams one model call. A provider is safe for concurrent use.
type Provider interface {
	// Name is the name of the vendor, as in domain.Analyst.Provider.
	Name() string
	// Stream makes the call and passes each piece to emit as it arrives, in order and from
	// one goroutine. It returns when the call has ended, with its End and its usage, even
	// with an error. An error of emit ends the call and is returned unchanged. When ctx ends
	// the call is cancelled at the vendor. Errors are *ProviderError.
	Stream(ctx context.Context, r *Request, emit func(Piece) error) (End, error)
}

// Request is one model call.
type Request struct {
	Model  string
	System string
	// Turns are the conversation so far, oldest first; the last one is to be answered.
	Turns []Utterance
	Tools []ToolSpec
	// Tables is the same schema that System describes, for providers that plan without a model.
	Tables []Table
	// Meaning is what the data of the tables mean: keys, links, times, and what may be added up. It may be nil.
	Meaning *meaning.Meaning
	// Guide contains what System says about the agent, its memories and the plan, for providers that
	// plan without a model.
	Guide Guide
	// Seed and Step make a scripted answer repeatable.
	Seed string
	Step int
}

// Utterance is one entry of a model's context.
type Utterance struct {
	Role  UtteranceRole
	Text  string
	Calls []ToolCall // of an assistant
	// CallID, and Text as the result, of a tool.
	CallID string
	// Vendor is End.Vendor of this assistant's call.
	Vendor json.RawMessage
	// Result is a tool's structured result, for providers that plan without a model.
	Result *ToolResult
}

// UtteranceRole is the role of an Utterance; the roles are the usual ones of chat models.
type UtteranceRole string

// These are the roles of a context.
const (
	UtteranceUser      UtteranceRole = "user"
	UtteranceAssistant UtteranceRole = "assistant"
	UtteranceTool      UtteranceRole = "tool"
)

// Piece is what a model call streams: text, a complete tool call, or only a sign that the vendor is at
// work.
type Piece struct {
	// Channel is the purpose of the text; the zero value means the answer.
	Channel Channel
	Text    string
	Call    *ToolCall
	// Alive means that bytes arrived that are not shown: thinking, a part of a tool call, a keep-alive.
	Alive bool
	// Annotation describes parts of the answer's text of this call: caveats, and numbers that come from
	// cells. Its offsets count from the first byte of that text.
	Annotation *domain.Annotation
}

// End is how a model call ended.
type End struct {
	Reason EndReason
	Usage  Usage
	// Vendor is opaque: what the provider needs in the Utterance of this call while the turn continues,
	// such as thinking that its vendor requires.
	Vendor json.RawMessage
}

// EndReason says why a model stopped by itself. Any other end of a call is an error.
type EndReason string

// These are the reasons of an end.
const (
	// EndStop is the end of an answer, or of a call whose tools are to be run.
	EndStop EndReason = ""
	// EndLength is the vendor's limit: the text is incomplete, and tool calls may be incomplete, too.
	EndLength EndReason = "length"
)

// Channel maps to the role of the message that shows the text.
type Channel string

// These are the channels that a provider may use.
const (
	ChannelAnswer  Channel = ""        // domain.RoleAssistant
	ChannelPlan    Channel = "plan"    // domain.RoleCoordinator
	ChannelSummary Channel = "summary" // domain.RoleSummary
)

// ToolCall is a model's call of a tool.
type ToolCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
	// Vendor is opaque: what the provider needs back with this call, such as a signature. It is
	// journaled with the call.
	Vendor json.RawMessage `json:"vendor,omitempty"`
}

// ToolSpec describes a tool to a model.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments
}

// Table is one table that the turn may query, with its SQL name and columns.
type Table struct {
	Source   string // the data source's name
	SourceID int64
	Name     string // its name in SQL
	// Dialect is the SQL dialect of its queries; "" means DuckDB's.
	Dialect domain.Dialect
	Title   string // the name that people use
	// Description is a person's description of the table or its source; Made was generated from the
	// file, and contains only the columns and remarks on how the file was read.
	Description string
	Made        string
	Dictionary  string
	Rows        int64
	Columns     []domain.Column
}

// Usage is the cost of one call.
type Usage struct {
	InputTokens  int64
	OutputTokens int64
}

func (u *Usage) add(o Usage) {
	u.InputTokens += o.InputTokens
	u.OutputTokens += o.OutputTokens
}

// ProviderError is the failure of a model call, and says what can be done about it.
type ProviderError struct {
	// Status is the vendor's HTTP status; 0 means that there is none.
	Status int
	// Retryable means that the call may be made again before its first byte: overload, a broken
	// connection.
	Retryable bool
	// RetryAfter is in seconds, as the vendor asked; 0 means that it did not ask.
	RetryAfter int
	// TooLong means that the context did not fit the model: a shorter one may fit.
	TooLong bool
	// Midstream means that text had arrived before the failure: the text is kept, and the turn ends as
	// interrupted and not as failed.
	Midstream bool
	// Reason is shown to people: it contains no key and no address.
	Reason string
	Cause  error
}

// Error implements error; it is for logs.
func (e *ProviderError) Error() string {
	if e.Cause != nil {
		return e.Reason + ": " + e.Cause.Error()
	}
	return e.Reason
}

// Unwrap returns the cause.
func (e *ProviderError) Unwrap() error { return e.Cause }
