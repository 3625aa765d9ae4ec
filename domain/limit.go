package domain

import (
	"strconv"
	"strings"
)

// Limit is the maximum that one field of a draft may hold. The number and the error text
// are defined only once, in the method Limits of the draft: Validate uses both, and the
// description of the wire type uses the number. In these texts the unit in braces, such as
// {characters}, is replaced by the number.
type Limit struct {
	Field string // as requests and errors name it
	Most  int
	Unit  Unit
	// faults are the error texts for the given value.
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

// In replaces the unit in a text by the number: 20,000, 64 kB or 200 MB.
func (l *Limit) In(text string) string {
	number := strconv.Itoa(l.Most)
	switch {
	case l.Unit == Bytes && l.Most%(1<<20) == 0:
		number = strconv.Itoa(l.Most>>20) + " MB"
	case l.Unit == Bytes && l.Most%(1<<10) == 0:
		number = strconv.Itoa(l.Most>>10) + " kB"
	case l.Most >= 1000:
		number = strconv.Itoa(l.Most/1000) + "," + strconv.Itoa(1000 + l.Most%1000)[1:]
	}
	return strings.ReplaceAll(text, "{"+string(l.Unit)+"}", number)
}

// LimitsIn replaces the units in a text, such as a field's description, by the numbers of
// the field's limits.
func LimitsIn(text, field string, limits []Limit) string {
	for i := range limits {
		if limits[i].Field == field {
			text = limits[i].In(text)
		}
	}
	return text
}

// Within adds the faults of fields that have limits.
func (c *Checks) Within(limits ...Limit) {
	for _, l := range limits {
		for _, fault := range l.faults {
			c.Require(false, l.Field, l.In(fault))
		}
	}
}

// unless adds a fault if ok is false.
func (l Limit) unless(ok bool, fault string) Limit {
	if !ok {
		l.faults = append(l.faults, fault)
	}
	return l
}

// cutAt returns the limit of a text without any faults: a longer text is cut, or the caller
// adds the faults.
func cutAt(field string, limit int) Limit {
	return Limit{Field: field, Most: limit, Unit: Characters}
}

// atMost returns the limit of a text that may be empty, or nil if it is not given. A text
// that cannot be stored has its own error text.
func atMost(field string, text *string, limit int, long string) Limit {
	l := cutAt(field, limit)
	if text == nil {
		return l
	}
	return l.unless(Storable(*text), errNotStorable).unless(short(*text, limit), long)
}

// valid returns the limit of a text that must not be blank. It has one error text for all
// faults.
func valid(field string, text *string, limit int, wrong string) Limit {
	return cutAt(field, limit).unless(text == nil || !Blank(*text) && Storable(*text) && short(*text, limit), wrong)
}

// section returns the limit of an optional part of a step. If the part is given, it must not
// be blank.
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

// entries returns the limit of a list that has the given number of entries.
func entries(field string, have, limit int, many string) Limit {
	return Limit{Field: field, Most: limit, Unit: Entries}.unless(have <= limit, many)
}

// count returns how many ids a list has; 0 if the list is not given.
func count(ids *[]int64) int {
	if ids == nil {
		return 0
	}
	return len(*ids)
}

// sized returns the limit of a value that has the given number of bytes.
func sized(field string, have, limit int, large string) Limit {
	return Limit{Field: field, Most: limit, Unit: Bytes}.unless(have <= limit, large)
}

// short reports whether a text is within a limit of characters. Counting bytes first is
// cheaper, and a text never has more characters than bytes.
func short(text string, limit int) bool { return len(text) <= limit || Length(text) <= limit }
