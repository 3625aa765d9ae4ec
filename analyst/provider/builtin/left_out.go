package builtin

import (
	"fmt"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// leftOut returns the remark about sources that the person chose and that are no longer available,
// while others were asked; "" if there are none.
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

// leftOutOfStep returns that remark only for the first step of a plan, so that the plan has it only one time.
func leftOutOfStep(g *analyst.Guide) string {
	if g.Step > 1 {
		return ""
	}
	return leftOut(g.Missing)
}

// remark streams an answer that does not come from a table, with its grade and a remark below it, if any.
func (s *speaker) remark(grade domain.Grade, text, remark string) error {
	if err := s.say(analyst.ChannelAnswer, joined(text, remark)); err != nil {
		return err
	}
	a := &domain.Annotation{Grade: grade}
	if remark != "" {
		a.CaveatsAt = len(text) + len("\n\n")
	}
	return s.annotate(a)
}
