package check

// Level checks that a group reads a level at one period only, because levels are never added up over time.
type Level struct {
	Control int `json:"control"`
}

func (l Level) judge(v *verdict) (Outcome, string) {
	periods, has, known := v.controlNumber(l.Control)
	switch {
	case !known:
		return Skipped, ""
	case has && periods > 1:
		return Failed, severalPeriods(periods)
	}
	return Passed, ""
}
