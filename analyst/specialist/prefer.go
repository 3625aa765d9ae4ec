package specialist

import "strings"

// PreferredKind reads two things from an agent's instructions for charts: the kind to use if
// nobody asked for a kind, which is the last kind in the text that is not refused by a word such
// as "no" before it, and whether there must be no charts at all. If the instructions say neither,
// the kind depends on the columns.
func PreferredKind(instructions string) (kind Kind, none bool) {
	kinds := map[string]Kind{"column": Column, "bar": Bar, "line": Line, "area": Area, "pie": Pie, "scatter": Scatter}
	words := strings.FieldsFunc(strings.ToLower(instructions), func(r rune) bool { return r < 'a' || r > 'z' })
	refused := false
	for i, w := range words {
		switch w {
		case "no", "not", "never", "avoid", "without", "don", "instead", "than":
			refused = true
			continue
		case "use", "prefer", "always", "make", "draw", "but", "only", "rather":
			refused = w == "use" && refused || w == "make" && refused || w == "draw" && refused
			continue
		case "charts", "chart", "graphs", "graph":
			// "No charts" names no kind before it.
			if refused && i > 0 && kinds[strings.TrimSuffix(words[i-1], "s")] == "" {
				none = true
			}
			refused = false
			continue
		}
		if k := kinds[strings.TrimSuffix(w, "s")]; k != "" && !refused {
			kind = k
		}
	}
	return kind, none && kind == ""
}
