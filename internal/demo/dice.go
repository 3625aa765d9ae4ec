package demo

import "time"

// dice is a random number generator with the same sequence everywhere: SplitMix64, with
// integers only. Floating point results may differ in the last bit between machines, and
// libraries may change their sequences.
type dice struct{ state uint64 }

// next returns the next 64 bits.
func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb

	return z ^ z>>31
}

// n returns a number from 0 to limit-1.
func (d *dice) n(limit int) int { return int(d.next() >> 33 % uint64(limit)) } //nolint:gosec // 31 bits, and limits are small and positive

// between returns a number from low to high, both included.
func (d *dice) between(low, high int) int { return low + d.n(high-low+1) }

// chance returns true in perMille of a thousand cases.
func (d *dice) chance(perMille int) bool { return d.n(1000) < perMille }

// bell returns a number from low to high, mostly near the middle.
func (d *dice) bell(low, high int) int {
	span := high - low + 1
	return low + (d.n(span)+d.n(span)+d.n(span))/3
}

// tail returns a number from 0 to high, mostly near 0.
func (d *dice) tail(high int) int {
	if high <= 0 {
		return 0
	}

	return d.n(high+1) * d.n(1000) / 1000 * d.n(1000) / 1000
}

// pick returns an index, with a probability proportional to its weight.
func (d *dice) pick(weights ...int) int {
	total := 0
	for _, weight := range weights {
		total += weight
	}

	at := d.n(total)
	for i, weight := range weights {
		if at -= weight; at < 0 {
			return i
		}
	}

	return len(weights) - 1
}

// one returns an element of a list, all with the same probability.
func one[T any](d *dice, list []T) T { return list[d.n(len(list))] }

// firstOf is the first day of a month.
func firstOf(year int, month time.Month) time.Time {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

// percentOf takes a share of an amount in cents, rounded to the nearest.
func percentOf(cents, percent int) int { return (cents*percent + 50) / 100 }
