package history

import "github.com/google/uuid"

// Stored is what the database has at the end of a run.
type Stored struct {
	Conversations []StoredConversation `json:"conversations"`
	Tasks         []StoredTask         `json:"tasks,omitempty"`
	// InputPrice and OutputPrice are credits for a thousand tokens. If both are 0, the history has no calls to compare with.
	InputPrice  float64 `json:"inputPrice,omitempty"`
	OutputPrice float64 `json:"outputPrice,omitempty"`
}

// StoredConversation is a conversation with all its rows.
type StoredConversation struct {
	ID         uuid.UUID       `json:"id"`
	Generation int64           `json:"generation"`
	Deleted    bool            `json:"deleted,omitempty"`
	Credits    float64         `json:"credits"`
	Events     []StoredEvent   `json:"events"`
	Messages   []StoredMessage `json:"messages"`
	Turns      []StoredTurn    `json:"turns"`
	Usage      []StoredUsage   `json:"usage"`
}

// StoredEvent is an event of the log, in the order of its position.
type StoredEvent struct {
	Seq   int64  `json:"seq"`
	Epoch int64  `json:"epoch"`
	Type  string `json:"type"`
	// Turn is the turn that ended with it.
	Turn uuid.UUID `json:"turn,omitzero"`
}

// StoredMessage is a message, whether or not a rewind has removed it.
type StoredMessage struct {
	ID   uuid.UUID `json:"id"`
	Role string    `json:"role"`
	Text string    `json:"text"`
	// Key is the id with which a client sent it: prompts carry it in their text.
	Key    uuid.UUID `json:"key,omitzero"`
	Cut    bool      `json:"cut,omitempty"`
	Status string    `json:"status"`
	// Turn is the turn that wrote it, and Want the whole text that the model had for it; empty if
	// that is not known.
	Turn uuid.UUID `json:"turn,omitzero"`
	Want string    `json:"want,omitempty"`
}

// StoredTurn is a turn with the number of its ends.
type StoredTurn struct {
	ID     uuid.UUID `json:"id"`
	Status string    `json:"status"`
	Ends   int       `json:"ends"`
	// Ended is in nanoseconds since the beginning of the run; 0 while the turn runs.
	Ended int64 `json:"ended,omitempty"`
}

// StoredUsage is a counted call of a model.
type StoredUsage struct {
	Turn    uuid.UUID `json:"turn"`
	Step    int       `json:"step"`
	Attempt int       `json:"attempt"`
	Input   int64     `json:"input"`
	Output  int64     `json:"output"`
	Credits float64   `json:"credits"`
}

// StoredTask is a due time of a scheduled task with the runs that it has made. Times are in
// nanoseconds since the beginning of the run.
type StoredTask struct {
	ID   uuid.UUID `json:"id"`
	Due  int64     `json:"due"`
	Runs []int64   `json:"runs"`
}
