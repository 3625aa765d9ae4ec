package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/google/uuid"
)

// Kind is what a call does.
type Kind string

// The kinds of calls.
const (
	Send   Kind = "send"
	Stop   Kind = "stop"
	Rewind Kind = "rewind"
	Read   Kind = "read"
	Share  Kind = "share"
	Revoke Kind = "revoke"
	Delete Kind = "delete"
)

// Outcome is what is known of a call at its end.
type Outcome string

// The outcomes. Only a definite refusal is Failed: a call without an answer may have taken effect.
const (
	OK      Outcome = "ok"
	Failed  Outcome = "fail"
	Unknown Outcome = "unknown"
)

// Op is one call with all its repetitions: they have the same effect as one.
type Op struct {
	Client       string    `json:"client"`
	Person       string    `json:"person"`
	Org          string    `json:"org"`
	Kind         Kind      `json:"kind"`
	Conversation uuid.UUID `json:"conversation"`
	// Message is the prompt that is sent, or the first message that a rewind removes.
	Message uuid.UUID `json:"message,omitzero"`
	// With is the person whose right a share or a revoke changes.
	With string `json:"with,omitempty"`
	// Invoke and Return are when the call began and when its answer was there.
	Invoke  int64   `json:"invoke"`
	Return  int64   `json:"return"`
	Outcome Outcome `json:"outcome"`
	Result  Result  `json:"result,omitzero"`
	// Silent says that no try had a definite answer. A call may be Unknown without it: its last try
	// was refused, and an earlier one had no answer.
	Silent bool `json:"silent,omitempty"`
	// Repeated says that a try before the last one had no answer. If it took effect, the last answer
	// tells of a later state.
	Repeated bool `json:"repeated,omitempty"`
	// Healed says that the call began after the last fault had ended.
	Healed bool `json:"healed,omitempty"`
}

// Result is what an answer says; a kind of call uses only some of the fields.
type Result struct {
	// Seq is the position of a prompt that was sent.
	Seq int64 `json:"seq,omitempty"`
	// Head is the last position of a conversation that was read or rewound, or had it directly
	// after a revoke.
	Head       int64 `json:"head,omitempty"`
	Generation int64 `json:"generation,omitempty"`
	Running    bool  `json:"running,omitempty"`
	// Gone says that a read found nothing.
	Gone bool `json:"gone,omitempty"`
	// Prompts are the ids of the prompts that a read has returned, in their order.
	Prompts []uuid.UUID `json:"prompts,omitempty"`
	// Foreign are canaries of other organizations that the answer contained.
	Foreign []string `json:"foreign,omitempty"`
}

// Frame is a frame as a client received it.
type Frame struct {
	Client string `json:"client"`
	Person string `json:"person"`
	Org    string `json:"org"`
	At     int64  `json:"at"`
	// Foreign are canaries of other organizations that the frame contained.
	Foreign []string `json:"foreign,omitempty"`
	Wire
}

// Wire are the fields of a frame that the checks read (docs/stream-protocol.md).
type Wire struct {
	Type       string          `json:"type"`
	Stream     string          `json:"stream,omitempty"`
	Seq        int64           `json:"seq,omitempty"`
	Epoch      int64           `json:"epoch,omitempty"`
	Generation int64           `json:"generation,omitempty"`
	Message    string          `json:"message,omitempty"`
	Offset     int64           `json:"offset,omitempty"`
	Text       string          `json:"text,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
}

// Message is a message as the API returns it.
type Message struct {
	ID     uuid.UUID `json:"id"`
	Seq    int64     `json:"seq"`
	Role   string    `json:"role"`
	Text   string    `json:"text"`
	Status string    `json:"status"`
}

// Conversation is a conversation as the API returns it.
type Conversation struct {
	Head        int64     `json:"head"`
	Generation  int64     `json:"generation"`
	IsStreaming bool      `json:"isStreaming"`
	Messages    []Message `json:"messageSet"`
}

// Place is the state from which a client goes on: it has fetched the conversation.
type Place struct {
	Client       string       `json:"client"`
	At           int64        `json:"at"`
	Conversation uuid.UUID    `json:"conversation"`
	Fetched      Conversation `json:"fetched"`
}

// Claim is an owner of a conversation, as the database had it at some moment.
type Claim struct {
	Conversation uuid.UUID `json:"conversation"`
	Epoch        int64     `json:"epoch"`
	Activation   uuid.UUID `json:"activation"`
}

// Sample is what a node used: once before the faults (Baseline), and when it has come to rest at the end.
type Sample struct {
	Node       string `json:"node"`
	Baseline   bool   `json:"baseline,omitempty"`
	Goroutines int64  `json:"goroutines"`
	// Files are its open files without sockets; Sockets are all of its sockets, Clients those of them at which people come in.
	Files   int64 `json:"files"`
	Sockets int64 `json:"sockets"`
	Clients int64 `json:"clients"`
	// Children are its processes, the query workers; for the node "" those that no node has any more.
	Children int64 `json:"children"`
	// Temporary are the files in its folders for what it does not keep.
	Temporary int64 `json:"temporary"`
	// Resident is in bytes.
	Resident int64 `json:"resident"`
}

// Call is a call of the model, as the model saw it.
type Call struct {
	Turn   uuid.UUID `json:"turn"`
	Step   int       `json:"step"`
	Input  int64     `json:"input"`
	Output int64     `json:"output"`
	// Failed says that it ended with an error, also because it was stopped.
	Failed bool `json:"failed,omitempty"`
}

// Mark is a moment of the run.
type Mark struct {
	At int64 `json:"at"`
	// Healed says that the last fault ended; otherwise a fault of this name began.
	Healed bool   `json:"healed,omitempty"`
	Fault  string `json:"fault,omitempty"`
}

// Final is the place of a client that ought to have received everything by the end of the run.
type Final struct {
	Client       string    `json:"client"`
	Conversation uuid.UUID `json:"conversation"`
}

// Line is one line of a history; exactly one field is set.
type Line struct {
	Op     *Op     `json:"op,omitempty"`
	Frame  *Frame  `json:"frame,omitempty"`
	Place  *Place  `json:"place,omitempty"`
	Claim  *Claim  `json:"claim,omitempty"`
	Sample *Sample `json:"sample,omitempty"`
	Call   *Call   `json:"call,omitempty"`
	Mark   *Mark   `json:"mark,omitempty"`
	Final  *Final  `json:"final,omitempty"`
	Stored *Stored `json:"stored,omitempty"`
}

// History is a whole run, in the order in which its lines were recorded.
type History struct{ Lines []Line }

// Recorder collects the lines of several goroutines.
type Recorder struct {
	// mu guards lines.
	mu    sync.Mutex
	lines []Line
}

// Add appends a line.
func (r *Recorder) Add(l Line) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, l)
}

// History returns what has been recorded so far.
func (r *Recorder) History() *History {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &History{Lines: append([]Line(nil), r.lines...)}
}

// Write writes a history as JSON lines.
func (h *History) Write(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	encoder := json.NewEncoder(buffered)
	for i := range h.Lines {
		if err := encoder.Encode(&h.Lines[i]); err != nil {
			return fmt.Errorf("write line %d: %w", i+1, err)
		}
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("write a history: %w", err)
	}
	return nil
}

// ReadHistory reads what Write has written.
func ReadHistory(r io.Reader) (*History, error) {
	h := &History{}
	for decoder := json.NewDecoder(r); ; {
		var l Line
		err := decoder.Decode(&l)
		if errors.Is(err, io.EOF) {
			return h, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read line %d: %w", len(h.Lines)+1, err)
		}
		h.Lines = append(h.Lines, l)
	}
}
