package check

// Level says that a group has a level of one period only: levels are never added up over time.
type Level struct {
	Control int `json:"control"`
}

func (l Level) judge(v *verdict) (Outcome, string) {
	periods, has, known := v.controlled(l.Control)
	switch {
	case !known:
		return Skipped, ""
	case has && periods > 1:
		return Failed, severalPeriods(periods)
	}
	return Passed, ""
}
