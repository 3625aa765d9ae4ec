package protocol

import (
	"encoding/hex"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Frames are encoded without the package json, because this is the hot path: one pass, no
// reflection, one allocation. The order of the fields is the same as in Frame and Delta.

// EncodeDelta returns the frame of a delta.
func EncodeDelta(stream uuid.UUID, epoch, generation int64, message uuid.UUID, offset int64, text string) []byte {
	return AppendDelta(make([]byte, 0, 208+len(text)+len(text)/16), stream, epoch, generation, message, offset, text)
}

// AppendDelta appends the frame of a delta.
func AppendDelta(b []byte, stream uuid.UUID, epoch, generation int64, message uuid.UUID, offset int64, text string) []byte {
	b = append(b, `{"type":"message.delta","stream":"`...)
	b = appendUUID(b, stream)
	b = append(b, `","epoch":`...)
	b = strconv.AppendInt(b, epoch, 10)
	b = append(b, `,"generation":`...)
	b = strconv.AppendInt(b, generation, 10)
	b = append(b, `,"message":"`...)
	b = appendUUID(b, message)
	b = append(b, `","offset":`...)
	b = strconv.AppendInt(b, offset, 10)
	b = append(b, `,"text":`...)
	b = AppendString(b, text)
	return append(b, '}')
}

// EncodeEvent returns the frame of an event of a conversation's log. A seq of 0, which
// belongs to an event that is not kept, is left out.
func EncodeEvent(eventType string, stream uuid.UUID, seq, epoch, generation int64, at time.Time, data []byte) []byte {
	b := make([]byte, 0, 192+len(data))
	b = appendType(b, eventType)
	b = append(b, `,"stream":"`...)
	b = appendUUID(b, stream)
	b = append(b, '"')
	b = appendField(b, `,"seq":`, seq)
	b = appendField(b, `,"epoch":`, epoch)
	b = appendField(b, `,"generation":`, generation)
	b = appendTime(b, at)
	return appendData(b, data)
}

// EncodeUserEvent returns the frame of an event of a person's own log.
func EncodeUserEvent(eventType string, seq int64, at time.Time, data []byte) []byte {
	b := make([]byte, 0, 128+len(data))
	b = appendType(b, eventType)
	b = append(b, `,"stream":"user"`...)
	b = appendField(b, `,"seq":`, seq)
	b = appendTime(b, at)
	return appendData(b, data)
}

// EncodeControl returns a frame without data; zero fields and a zero stream are left out.
func EncodeControl(frameType string, stream uuid.UUID, seq, epoch, generation int64) []byte {
	b := make([]byte, 0, 160)
	b = appendType(b, frameType)
	if stream != uuid.Nil {
		b = append(b, `,"stream":"`...)
		b = appendUUID(b, stream)
		b = append(b, '"')
	}
	b = appendField(b, `,"seq":`, seq)
	b = appendField(b, `,"epoch":`, epoch)
	b = appendField(b, `,"generation":`, generation)
	return append(b, '}')
}

// EncodePosition is EncodeControl with a seq that is written even when it is 0.
func EncodePosition(frameType string, stream uuid.UUID, seq, epoch, generation int64) []byte {
	b := make([]byte, 0, 160)
	b = appendType(b, frameType)
	if stream != uuid.Nil {
		b = append(b, `,"stream":"`...)
		b = appendUUID(b, stream)
		b = append(b, '"')
	}
	b = append(b, `,"seq":`...)
	b = strconv.AppendInt(b, seq, 10)
	b = appendField(b, `,"epoch":`, epoch)
	b = appendField(b, `,"generation":`, generation)
	return append(b, '}')
}

func appendType(b []byte, t string) []byte {
	b = append(b, `{"type":"`...)
	b = append(b, t...)
	return append(b, '"')
}

func appendField(b []byte, name string, v int64) []byte {
	if v == 0 {
		return b
	}
	b = append(b, name...)
	return strconv.AppendInt(b, v, 10)
}

func appendTime(b []byte, at time.Time) []byte {
	if at.IsZero() {
		return b
	}
	b = append(b, `,"at":"`...)
	b = at.UTC().AppendFormat(b, timeLayout)
	return append(b, '"')
}

func appendData(b, data []byte) []byte {
	if len(data) > 0 {
		b = append(b, `,"data":`...)
		b = append(b, data...)
	}
	return append(b, '}')
}

func appendUUID(b []byte, id uuid.UUID) []byte {
	var t [36]byte
	hex.Encode(t[:8], id[:4])
	t[8] = '-'
	hex.Encode(t[9:13], id[4:6])
	t[13] = '-'
	hex.Encode(t[14:18], id[6:8])
	t[18] = '-'
	hex.Encode(t[19:23], id[8:10])
	t[23] = '-'
	hex.Encode(t[24:], id[10:])
	return append(b, t[:]...)
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Invalid UTF-8 becomes U+FFFD, and the line
// separators are escaped, both as in encoding/json.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			b = append(b, s[start:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\r':
				b = append(b, '\\', 'r')
			case '\t':
				b = append(b, '\\', 't')
			default:
				b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(b, s[start:i]...)
			b = append(b, "\uFFFD"...)
		case r == '\u2028' || r == '\u2029':
			b = append(b, s[start:i]...)
			b = append(b, '\\', 'u', '2', '0', '2', hexDigits[r&15])
		default:
			i += size
			continue
		}
		i += size
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}
