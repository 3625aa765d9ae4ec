package builtin

import (
	"fmt"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// leftOut is the remark on sources that the person chose and that are not there any more,
// beside others that were asked; empty for none.
func leftOut(missing int) string {
	switch missing {
	case 0:
		return ""
	case 1:
		return "One of the data sources that you chose is not available any more: it was deleted, or is no longer shared with you. " +
			"This answer leaves it out."
	default:
		return fmt.Sprintf("%d of the data sources that you chose are not available any more: they were deleted, or are no longer "+
			"shared with you. This answer leaves them out.", missing)
	}
}

// leftOutOfStep says it once in a plan, with its first step.
func leftOutOfStep(g *analyst.Guide) string {
	if g.Step > 1 {
		return ""
	}
	return leftOut(g.Missing)
}

// remark speaks an answer that no table is behind, with a remark below it where there is one.
func (s *speaker) remark(text, remark string) error {
	if err := s.say(analyst.ChannelAnswer, joined(text, remark)); err != nil || remark == "" {
		return err
	}
	return s.annotate(&domain.Annotation{CaveatsAt: len(text) + len("\n\n")})
}
