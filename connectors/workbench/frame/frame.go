// Package frame is the protocol between a node and its worker processes over the worker's
// stdin and stdout: each frame is a four byte length and one JSON value. A worker serves
// one request:
//
//	worker  Hello      it has put itself behind its walls and waits
//	node    Request
//	worker  Reply      and then it exits
//
// The node trusts nothing of a reply beyond its shape: a worker reads untrusted files and
// may have been taken over by one of them.
package frame

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// Version is compared when a worker says hello, so that a node never uses a binary with the
// protocol of another build.
const Version = 8

const (
	// MaxRequest is the maximum size of one request: a statement and the names of tables.
	MaxRequest = 4 << 20
	// MaxReply is the maximum size of one reply; a result is truncated long before that.
	MaxReply   = 32 << 20
	headerSize = 4
)

// TooLargeError says that a frame is longer than the limit.
type TooLargeError struct{ Size, Max int }

// Error implements error.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("frame of %d bytes where %d are allowed", e.Size, e.Max)
}

// Write sends v as one frame of at most limit bytes.
func Write(w io.Writer, v any, limit int) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	if len(body) > limit {
		return &TooLargeError{Size: len(body), Max: limit}
	}
	out := make([]byte, headerSize, headerSize+len(body))
	binary.BigEndian.PutUint32(out, uint32(len(body))) //nolint:gosec // limit is far below 4 GB
	if _, err := w.Write(append(out, body...)); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

// Read decodes one frame of at most limit bytes into v.
func Read(r io.Reader, v any, limit int) error {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return fmt.Errorf("read frame header: %w", err)
	}
	size := int(binary.BigEndian.Uint32(header[:]))
	if size > limit {
		return &TooLargeError{Size: size, Max: limit}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return fmt.Errorf("read frame: %w", err)
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("decode frame: %w", err)
	}
	return nil
}
