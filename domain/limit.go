package domain

import (
	"strconv"
	"strings"
)

// Limit is the most that one field of a draft holds. The number is said once, and so is
// the sentence for what holds more: it stands beside the field's name in Limits of the
// draft, where Validate finds it, and from where the description at the wire type takes
// the number. In both texts the unit in braces, such as {characters}, stands for it.
type Limit struct {
	Field string // as requests and errors name it
	Most  int
	Unit  Unit
	// faults are the sentences for what is wrong with what was given.
	faults []string
}

// Unit is what a limit counts.
type Unit string

// What limits count.
const (
	Characters Unit = "characters" // of a text, as Length counts them
	Entries    Unit = "entries"    // of a list
	Bytes      Unit = "bytes"
)

// In puts the number into a text that names its unit: 20,000, or 64 kB.
func (l *Limit) In(text string) string {
	number := strconv.Itoa(l.Most)
	switch {
	case l.Unit == Bytes && l.Most%(1<<10) == 0:
		number = strconv.Itoa(l.Most>>10) + " kB"
	case l.Most >= 1000:
		number = strconv.Itoa(l.Most/1000) + "," + strconv.Itoa(1000 + l.Most%1000)[1:]
	}
	return strings.ReplaceAll(text, "{"+string(l.Unit)+"}", number)
}

// LimitsIn puts the numbers of a field's limits into a text, such as its description.
func LimitsIn(text, field string, limits []Limit) string {
	for i := range limits {
		if limits[i].Field == field {
			text = limits[i].In(text)
		}
	}
	return text
}

// Within adds what is wrong with fields that have limits.
func (c *Checks) Within(limits ...Limit) {
	for _, l := range limits {
		for _, fault := range l.faults {
			c.Require(false, l.Field, l.In(fault))
		}
	}
}

// unless adds a fault.
func (l Limit) unless(ok bool, fault string) Limit {
	if !ok {
		l.faults = append(l.faults, fault)
	}
	return l
}

// cutAt is the limit of a text that is cut there and not refused.
func cutAt(field string, most int) Limit { return Limit{Field: field, Most: most, Unit: Characters} }

// atMost is the limit of a text that may be empty or, where it is nil, is not given. What
// cannot be stored has a sentence of its own.
func atMost(field string, text *string, most int, long string) Limit {
	l := cutAt(field, most)
	if text == nil {
		return l
	}
	return l.unless(Storable(*text), errNotStorable).unless(short(*text, most), long)
}

// valid is the limit of a text that must say something. It has one sentence for all that
// can be wrong with it.
func valid(field string, text *string, most int, wrong string) Limit {
	return cutAt(field, most).unless(text == nil || !Blank(*text) && Storable(*text) && short(*text, most), wrong)
}

// section is the limit of a part of a step that is shown or not. Shown, it says something.
func section(field string, text *string, missing, blank, long string) Limit {
	l := cutAt(field, BlueprintTextMax)
	switch {
	case text == nil:
		return l
	case *text == "":
		return l.unless(false, missing)
	case Blank(*text):
		return l.unless(false, blank)
	}
	return atMost(field, text, BlueprintTextMax, long)
}

// entries is the limit of a list with so many.
func entries(field string, have, most int, many string) Limit {
	return Limit{Field: field, Most: most, Unit: Entries}.unless(have <= most, many)
}

// count is how many ids a list has; none where it is nil and was not given.
func count(ids *[]int64) int {
	if ids == nil {
		return 0
	}
	return len(*ids)
}

// sized is the limit of what has so many bytes.
func sized(field string, have, most int, large string) Limit {
	return Limit{Field: field, Most: most, Unit: Bytes}.unless(have <= most, large)
}

// short tells whether a text keeps to a limit. A text without that many bytes has not
// that many characters.
func short(text string, most int) bool { return len(text) <= most || Length(text) <= most }
