package loadtest

import (
	"fmt"
	"strconv"
)

// TokenBytes is the length of every token of a stamped answer, which is "%08d-%014x " of the
// token's number and the time in microseconds at which it was made.
const TokenBytes = 24

// follower checks one answer byte by byte, as one socket receives it.
type follower struct {
	message string
	// held is the number of bytes received so far; partial is the start of a token
	// whose rest has not been received yet.
	held    int64
	partial []byte
}

// apply takes a delta and calls stamp for each token that the delta completes. It
// returns an error for a gap (bytes missing before the delta), a repeat (bytes that
// were received before) or text that does not belong at this offset.
func (f *follower) apply(message string, offset int64, text string, stamp func(micros int64)) error {
	if message != f.message {
		// A new answer starts. The deltas of a stamped answer start at its first byte.
		*f = follower{message: message}
	}
	switch {
	case offset > f.held:
		return fmt.Errorf("gap: offset %d while %d bytes are held", offset, f.held)
	case offset < f.held:
		return fmt.Errorf("repeat: offset %d while %d bytes are held", offset, f.held)
	}
	f.partial = append(f.partial, text...)
	first := (f.held - int64(len(f.partial)-len(text))) / TokenBytes
	f.held += int64(len(text))
	for n := int64(0); len(f.partial) >= TokenBytes; n++ {
		micros, err := parseToken(f.partial[:TokenBytes], first+n)
		if err != nil {
			return err
		}
		stamp(micros)
		f.partial = f.partial[TokenBytes:]
	}
	if len(f.partial) == 0 {
		f.partial = nil
	}
	return nil
}

// parseToken checks that a token has the expected number, and returns its time.
func parseToken(b []byte, want int64) (micros int64, err error) {
	number, err := strconv.ParseInt(string(b[:8]), 10, 64)
	if err != nil || b[8] != '-' || b[TokenBytes-1] != ' ' {
		return 0, fmt.Errorf("text %q is not a token", b)
	}
	if number != want {
		return 0, fmt.Errorf("reordered: token %d where %d belongs", number, want)
	}
	micros, err = strconv.ParseInt(string(b[9:TokenBytes-1]), 16, 64)
	if err != nil {
		return 0, fmt.Errorf("text %q is not a token", b)
	}
	return micros, nil
}
