package stream

import (
	"encoding/binary"
	"fmt"
	"io"
	"unicode/utf8"

	"parley.dev/parley/domain"
)

// The opcodes of RFC 6455.
const (
	opContinuation = 0x0
	opText         = 0x1
	opBinary       = 0x2
	opClose        = 0x8
	opPing         = 0x9
	opPong         = 0xA

	finBit       = 0x80
	reservedBits = 0x70
	opcodeBits   = 0x0F
	maskBit      = 0x80
	lengthBits   = 0x7F

	controlMax   = 125
	fragmentsMax = 256
	// readBuffer takes most of what clients send in one read.
	readBuffer = 256
)

// Close codes of RFC 6455 that the protocol of the product does not name.
const (
	closeNormal      = 1000
	closeProtocol    = 1002
	closeUnsupported = 1003
	closeNone        = 1005
	closeGone        = 1006
	closeNotText     = 1007
)

// fault is why a client's bytes end its socket.
type fault struct{ domain.Disconnect }

// Error implements error.
func (f *fault) Error() string { return fmt.Sprintf("close %d: %s", f.Code, f.Reason) }

func faulty(code int, reason string) error {
	return &fault{domain.Disconnect{Code: code, Reason: reason}}
}

// reader takes frames apart. It belongs to the goroutine that reads the socket.
type reader struct {
	in       io.Reader
	limit    int
	begun    func() // called when a message has begun that is not there as a whole
	ended    func() // called when it is
	message  []byte // of the fragments so far
	open     bool   // a fragmented message is under way
	count    int    // its fragments
	from, to int    // what of buffer is unread
	buffer   [readBuffer]byte
}

// next gives the next text message, ping, pong or close. The payload is the
// caller's. Pieces of a message are put together; control frames may come
// between them.
func (r *reader) next() (opcode byte, payload []byte, err error) {
	for {
		opcode, fin, payload, err := r.frame()
		if err != nil {
			return 0, nil, err
		}
		if opcode >= opClose {
			return opcode, payload, nil
		}
		done, err := r.assemble(opcode, fin, payload)
		if err != nil {
			return 0, nil, err
		}
		if !done {
			continue
		}
		message := r.message
		r.message, r.open, r.count = nil, false, 0
		r.ended()
		if !utf8.Valid(message) {
			return 0, nil, faulty(closeNotText, "invalid UTF-8")
		}
		return opText, message, nil
	}
}

// assemble adds a data frame to the message under way and tells whether it is whole.
func (r *reader) assemble(opcode byte, fin bool, payload []byte) (bool, error) {
	switch {
	case opcode == opBinary:
		return false, faulty(closeUnsupported, "text frames only")
	case opcode == opText && r.open:
		return false, faulty(closeProtocol, "a new message inside another one")
	case opcode == opContinuation && !r.open:
		return false, faulty(closeProtocol, "a continuation of nothing")
	}
	r.count++
	if len(r.message)+len(payload) > r.limit || r.count > fragmentsMax {
		return false, &fault{domain.DisconnectTooBig}
	}
	if r.message == nil {
		r.message = payload
	} else {
		r.message = append(r.message, payload...)
	}
	r.open = true
	if !fin {
		r.begun()
	}
	return fin, nil
}

// frame reads one frame and unmasks it.
func (r *reader) frame() (opcode byte, fin bool, payload []byte, err error) {
	var head [2]byte
	if err := r.full(head[:]); err != nil {
		return 0, false, nil, err
	}
	opcode, fin = head[0]&opcodeBits, head[0]&finBit != 0
	switch {
	case head[0]&reservedBits != 0:
		return 0, false, nil, faulty(closeProtocol, "reserved bits")
	case opcode > opBinary && opcode < opClose || opcode > opPong:
		return 0, false, nil, faulty(closeProtocol, "unknown opcode")
	case head[1]&maskBit == 0:
		return 0, false, nil, faulty(closeProtocol, "frames of a client must be masked")
	}
	length, err := r.length(opcode, fin, head[1]&lengthBits)
	if err != nil {
		return 0, false, nil, err
	}
	var mask [4]byte
	if err := r.full(mask[:]); err != nil {
		return 0, false, nil, err
	}
	if r.to-r.from < length {
		r.begun()
	}
	payload = make([]byte, length)
	if err := r.full(payload); err != nil {
		return 0, false, nil, err
	}
	for i := range payload {
		payload[i] ^= mask[i&3]
	}
	if opcode >= opClose && !r.open {
		r.ended()
	}
	return opcode, fin, payload, nil
}

// length reads the rest of a frame's length and checks it before a byte is
// kept for it.
func (r *reader) length(opcode byte, fin bool, short byte) (int, error) {
	if opcode >= opClose && (!fin || short > controlMax) {
		return 0, faulty(closeProtocol, "a control frame that is too long or in pieces")
	}
	length := uint64(short)
	switch short {
	case 126:
		var b [2]byte
		if err := r.full(b[:]); err != nil {
			return 0, err
		}
		if length = uint64(binary.BigEndian.Uint16(b[:])); length < 126 {
			return 0, faulty(closeProtocol, "a length that is not the shortest")
		}
	case 127:
		var b [8]byte
		if err := r.full(b[:]); err != nil {
			return 0, err
		}
		if length = binary.BigEndian.Uint64(b[:]); length < 1<<16 || length > 1<<62 {
			return 0, faulty(closeProtocol, "a length that is not the shortest")
		}
	}
	if length > uint64(r.limit) { //nolint:gosec // the limit is positive
		return 0, &fault{domain.DisconnectTooBig}
	}
	return int(length), nil //nolint:gosec // at most the limit
}

// full fills p from the buffer and then from the connection.
func (r *reader) full(p []byte) error {
	for len(p) > 0 {
		if r.from < r.to {
			n := copy(p, r.buffer[r.from:r.to])
			r.from += n
			p = p[n:]
			continue
		}
		if len(p) >= readBuffer {
			_, err := io.ReadFull(r.in, p)
			return err //nolint:wrapcheck // the caller only asks for io.EOF and timeouts
		}
		n, err := r.in.Read(r.buffer[:])
		if n == 0 && err != nil {
			return err //nolint:wrapcheck // as above
		}
		r.from, r.to = 0, n
	}
	return nil
}

// appendFrame adds a whole frame of the server, which is never masked.
func appendFrame(b []byte, opcode byte, payload []byte) []byte {
	b = append(b, finBit|opcode)
	switch n := len(payload); {
	case n <= controlMax:
		b = append(b, byte(n))
	case n < 1<<16:
		b = append(b, 126)
		b = binary.BigEndian.AppendUint16(b, uint16(n))
	default:
		b = append(b, 127)
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return append(b, payload...)
}

// closePayload is what a close frame carries.
func closePayload(d domain.Disconnect) []byte {
	if d.Code == closeNone {
		return nil
	}
	reason := d.Reason
	if len(reason) > controlMax-2 {
		reason = domain.Shorten(reason, 60)
	}
	return append(binary.BigEndian.AppendUint16(nil, uint16(d.Code)), reason...) //nolint:gosec // codes have four digits
}

// checkClose reads a client's close frame: the code to answer with.
func checkClose(payload []byte) (int, error) {
	switch {
	case len(payload) == 0:
		return closeNone, nil
	case len(payload) == 1:
		return 0, faulty(closeProtocol, "half a close code")
	case !utf8.Valid(payload[2:]):
		return 0, faulty(closeNotText, "invalid UTF-8")
	}
	code := int(binary.BigEndian.Uint16(payload))
	valid := code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014 || code >= 3000 && code <= 4999
	if !valid {
		return 0, faulty(closeProtocol, "a close code that is none")
	}
	return code, nil
}
