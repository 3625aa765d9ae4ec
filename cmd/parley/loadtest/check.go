package loadtest

import (
	"fmt"
	"strconv"
)

// TokenBytes is the length of every token of a stamped answer:
// "%08d-%014x " of its number and the microsecond of its making.
const TokenBytes = 24

// follower checks one answer as one socket gets it, byte by byte.
type follower struct {
	message string
	// held is the length received so far, in bytes; partial the start of a token
	// whose rest has not come yet.
	held    int64
	partial []byte
}

// apply takes a delta and gives the stamp of each token that it completes. It
// reports a gap (bytes missing before it), a repeat (bytes that were here
// already) or text that is not what stands at this offset.
func (f *follower) apply(message string, offset int64, text string, stamp func(micros int64)) error {
	if message != f.message {
		// A new answer begins; a stamped one begins at its first byte.
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

// parseToken checks that a token is the one that belongs at this place.
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
