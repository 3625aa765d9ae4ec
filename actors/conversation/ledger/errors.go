package ledger

import "parley.dev/parley/domain"

// Fenced is the error of an activation that does not own the conversation any more.
func Fenced() error {
	return domain.Errorf(domain.CodeFenced, "The conversation has moved. Please try again.")
}

// Busy is the error of a request that arrives while too many others wait.
func Busy() error {
	return &domain.Error{Code: domain.CodeTooMany, Message: "The conversation is busy. Please try again in a moment.", RetryAfter: 1}
}

// Stale says that the conversation was rewound while a request was prepared: the request must
// repeat its reads. It is sent when that rewind has ended, so that the next read finds the
// new state.
type Stale struct{}

// Error implements error.
func (Stale) Error() string { return "the conversation was rewound meanwhile" }
