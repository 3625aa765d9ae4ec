package turn

import (
	"errors"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// These are the texts that people read when a turn did not complete.
const (
	reasonNoAnswer = "The model did not answer in time."
	reasonStalled  = "The model stopped in the middle of the answer."
	reasonTooLong  = "The answer took too long."
	reasonBusy     = "Too many answers are being made now. Please try again later."
)

// verdict is the status and the reason of a run's end: only a run without error is complete.
// If the model failed after its first text the answer is interrupted and its text is kept.
func verdict(err error, spoke bool) (domain.TurnStatus, string) {
	if err == nil {
		return domain.TurnComplete, ""
	}
	var provider *analyst.ProviderError
	if errors.As(err, &provider) {
		return brokenOff(spoke), or(provider.Reason, protocol.ReasonInternal)
	}
	var known *domain.Error
	if errors.As(err, &known) && known.Code != domain.CodeInternal {
		return domain.TurnFailed, or(known.Message, protocol.ReasonInternal)
	}
	return domain.TurnFailed, protocol.ReasonInternal
}

// brokenOff is the status of a turn that ended before the answer was complete.
func brokenOff(spoke bool) domain.TurnStatus {
	if spoke {
		return domain.TurnInterrupted
	}
	return domain.TurnFailed
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
