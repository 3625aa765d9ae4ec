package domain

// Grade says what an answer rests on. It is no probability: each grade has a reason that the answer says.
type Grade string

// The grades of answers.
const (
	// GradeUnsaid means that nothing is known, or that it is no answer to a question about data.
	GradeUnsaid Grade = ""
	// GradeCertain: the question has one reading, nothing was assumed, and every check passed.
	GradeCertain Grade = "certain"
	// GradeAssumed: a default, a correction of a spelling or a reading of a word decided something, which the answer says.
	GradeAssumed Grade = "assumed"
	// GradeUnchecked: something in the statement behind the answer could not be checked, which is said.
	GradeUnchecked Grade = "unchecked"
	// GradeAsked: the answer is a question to the person, who can mean several things.
	GradeAsked Grade = "asked"
	// GradeRefused: the question is not answered, or a check failed and the figure is withheld.
	GradeRefused Grade = "refused"
)

// Weaker returns the grade that says less: of several answers in one message the weakest grade is that of the message.
func (g Grade) Weaker(o Grade) Grade {
	order := map[Grade]int{GradeUnsaid: 0, GradeCertain: 1, GradeAssumed: 2, GradeUnchecked: 3, GradeAsked: 4, GradeRefused: 5}
	if order[o] > order[g] {
		return o
	}
	return g
}
