package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/openai/openai-go/v3/packages/ssestream"
)

const (
	// eventBuffer is the size of the buffer of one call: some six chunks of a usual answer.
	eventBuffer = 2 << 10
	// eventMax is the maximum size of an event, which is the SDK's.
	eventMax = bufio.MaxScanTokenSize << 9
)

// events reads the server-sent events of an answer
// (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation). It is
// the SDK's decoder for all events but those with plain text, which it passes to the reader itself, in
// one piece if several arrived together.
type events struct {
	body io.ReadCloser
	in   *bufio.Reader
	to   *reader

	data    []byte // of the event being read
	long    []byte // a line that is longer than the buffer
	current ssestream.Event
	err     error
}

var _ ssestream.Decoder = (*events)(nil)

func newEvents(body io.ReadCloser, to *reader) *events {
	e := &events{body: body, to: to}
	e.in = bufio.NewReaderSize(e, eventBuffer)
	return e
}

// Event implements ssestream.Decoder.
func (e *events) Event() ssestream.Event { return e.current }

// Err implements ssestream.Decoder.
func (e *events) Err() error { return e.err }

// Close implements ssestream.Decoder.
func (e *events) Close() error { return e.body.Close() } //nolint:wrapcheck // the error of the body is not used

// Next implements ssestream.Decoder: it returns when there is an event that is not plain text, or at
// the end.
func (e *events) Next() bool {
	for {
		kind, err := e.next()
		if err == nil && kind == "" && e.to.plain(e.data) {
			continue
		}
		if refused := e.to.flush(); refused != nil {
			err = refused
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				e.err = err
			}
			return false
		}
		// The SDK's objects may refer to the bytes that they were decoded from.
		e.current = ssestream.Event{Type: kind, Data: bytes.Clone(e.data)}
		return true
	}
}

// Read implements io.Reader for the buffer, which reads when all that has arrived was handled: before
// it may have to wait, the plain text so far is passed on.
func (e *events) Read(p []byte) (int, error) {
	if err := e.to.flush(); err != nil {
		return 0, err
	}
	return e.body.Read(p) //nolint:wrapcheck // io.EOF must stay what it is
}

// next reads the next event that has data into e.data, and returns its type.
func (e *events) next() (kind string, err error) {
	e.data = e.data[:0]
	for {
		line, err := e.line()
		if err != nil {
			return "", err
		}
		if len(line) == 0 {
			if len(e.data) > 0 {
				return kind, nil
			}
			kind = ""
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			kind = string(value)
		case "data":
			if len(e.data)+len(value) > eventMax {
				return "", bufio.ErrTooLong
			}
			e.data = append(append(e.data, value...), '\n')
		}
	}
}

// line returns the next line without its end. The bytes are valid until the next call.
func (e *events) line() ([]byte, error) {
	part, err := e.in.ReadSlice('\n')
	line := part
	if errors.Is(err, bufio.ErrBufferFull) {
		e.long = append(e.long[:0], part...)
		for errors.Is(err, bufio.ErrBufferFull) && len(e.long) <= eventMax {
			part, err = e.in.ReadSlice('\n')
			e.long = append(e.long, part...)
		}
		line = e.long
	}
	if err != nil {
		// A line without an end is not an event yet.
		return nil, err //nolint:wrapcheck // the caller says what it reads
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}
