package specialist

import (
	"strings"
	"unicode"

	"parley.dev/parley/domain"
)

// Digest returns the first one or two sentences of an answer, for a turn whose model wrote
// no summary. It adds no words.
func Digest(answer string) string {
	text := ""
	for _, line := range strings.Split(answer, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "```") {
			continue
		}
		if !strings.HasPrefix(line, "**") {
			// The mark of a list or heading is removed; bold words stay.
			line = strings.TrimLeft(line, "#*->• ")
		}
		text = strings.TrimSpace(text + " " + line)
	}
	ends := 0
	runes := []rune(text)
	for i, r := range runes {
		last := i+1 == len(runes)
		if (r == '.' || r == '!' || r == '?') && (last || unicode.IsSpace(runes[i+1])) {
			if ends++; ends == 2 {
				text = string(runes[:i+1])
				break
			}
		}
	}
	if short := domain.Shorten(text, 400); len(short) < len(text) {
		return short + "…"
	}
	return text
}

// DigestAll returns the first sentence of each answer, for a plan whose model wrote no
// summary.
func DigestAll(answers []string) string {
	var parts []string
	for _, a := range answers {
		first := Digest(a)
		for i, r := range first {
			if (r == '.' || r == '!' || r == '?') && i+1 < len(first) && first[i+1] == ' ' {
				first = first[:i+1]
				break
			}
		}
		if first != "" {
			parts = append(parts, first)
		}
	}
	text := strings.Join(parts, "\n")
	if short := domain.Shorten(text, 2000); len(short) < len(text) {
		return short + "…"
	}
	return text
}
