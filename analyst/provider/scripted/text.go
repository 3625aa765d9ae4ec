package scripted

import "strings"

// words returns the words of the text. Some are not ASCII, so that offsets in bytes and in characters
// differ, and a cut inside a character is noticed.
func words() []string {
	return []string{
		"the", "revenue", "of", "north", "rose", "by", "seven", "percent", "while", "costs", "in", "München", "stayed", "flat",
		"orders", "from", "São", "Paulo", "came", "later", "than", "planned", "and", "returns", "fell", "again", "naïve", "forecast",
		"shows", "growth", "for", "Q3", "with", "margin", "near", "12.5", "€", "per", "unit", "日本", "📈", "customers", "churned", "less",
		"often", "after", "support", "answered", "sooner", "région", "median", "basket", "grew", "to", "stock", "weeks", "Łódź", "share",
	}
}

// Text returns the answer for a seed and a number of tokens. It is the same at every call.
func Text(seed uint64, tokens int) string {
	var b strings.Builder
	s := newSpeaker(seed)
	for range tokens {
		b.WriteString(s.next())
	}
	return b.String()
}

// speaker returns one token after the other.
type speaker struct {
	words []string
	state uint64
	count int
	begin bool
}

func newSpeaker(seed uint64) *speaker { return &speaker{words: words(), state: seed, begin: true} }

// next returns a word with the blank before it; sentences and paragraphs end now and then.
func (s *speaker) next() string {
	n := s.random()
	word := s.words[n%uint64(len(s.words))]
	if !s.begin {
		word = " " + word
	}
	s.begin = false
	s.count++
	switch {
	case s.count%61 == 0:
		s.begin = true
		return word + ".\n\n"
	case s.count%13 == 0:
		return word + "."
	default:
		return word
	}
}

// random is splitmix64: it is small, evenly distributed and the same on every machine.
// Its constants are those of https://prng.di.unimi.it/splitmix64.c.
func (s *speaker) random() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}
