package ledger

import "parley.dev/parley/domain"

// Fenced is what those are told who ask an activation that owns the conversation no more.
func Fenced() error {
	return domain.Errorf(domain.CodeFenced, "The conversation has moved. Please try again.")
}

// Busy is what those are told who come while too many others wait already.
func Busy() error {
	return &domain.Error{Code: domain.CodeTooMany, Message: "The conversation is busy. Please try again in a moment.", RetryAfter: 1}
}

// Stale says that the conversation was rewound while a request was prepared: what the
// request read is to be read again. It comes when that rewind has ended, so that each
// further reading finds something else.
type Stale struct{}

// Error implements error.
func (Stale) Error() string { return "the conversation was rewound meanwhile" }
