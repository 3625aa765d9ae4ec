package turn

import (
	"errors"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// What people read when a turn did not complete.
const (
	reasonNoAnswer = "The model did not answer in time."
	reasonStalled  = "The model stopped in the middle of the answer."
	reasonTooLong  = "The answer took too long."
)

// verdict says how a run ended and why, honestly: only a run without error is
// complete. A model that broke off after it had begun leaves an interrupted
// answer, whose text is kept.
func verdict(err error, spoke bool) (domain.TurnStatus, string) {
	if err == nil {
		return domain.TurnComplete, ""
	}
	var provider *analyst.ProviderError
	if errors.As(err, &provider) {
		return cut(spoke), or(provider.Reason, protocol.ReasonInternal)
	}
	var known *domain.Error
	if errors.As(err, &known) && known.Code != domain.CodeInternal {
		return domain.TurnFailed, or(known.Message, protocol.ReasonInternal)
	}
	return domain.TurnFailed, protocol.ReasonInternal
}

func cut(spoke bool) domain.TurnStatus {
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
