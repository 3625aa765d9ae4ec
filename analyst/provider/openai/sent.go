package openai

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
)

// sent is the body of a request, which can be released when the answer has begun. Go's client
// keeps the request, and with it the whole context of the model, until the answer has been
// read, although a body is only needed again if it has to be sent again. That is 6 kB for a
// short conversation and hundreds for a long one.
type sent struct {
	// mu guards data: the client may open the body in another goroutine.
	mu   sync.Mutex
	data []byte
}

// releasable makes the body of a request one that can be released.
func releasable(r *http.Request) (*sent, error) {
	s := &sent{}
	if r.Body == nil {
		return s, nil
	}
	data, err := io.ReadAll(r.Body)
	if err = errors.Join(err, r.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	s.data = data
	r.GetBody = s.open
	r.Body, err = s.open()
	return s, err
}

// release drops the data. A body that is still being sent keeps it until it is closed.
func (s *sent) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = nil
}

func (s *sent) open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.data == nil {
		return nil, errors.New("the request was answered already")
	}
	return &sentBody{left: bytes.NewReader(s.data)}, nil
}

// sentBody is one reading of the data, which ends when it is closed.
type sentBody struct {
	// mu guards left: the client may close a body while it is being read.
	mu   sync.Mutex
	left *bytes.Reader // nil if it is closed
}

// Read implements io.Reader.
func (b *sentBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == nil {
		return 0, http.ErrBodyReadAfterClose
	}
	return b.left.Read(p) //nolint:wrapcheck // io.EOF must stay what it is
}

// Close implements io.Closer.
func (b *sentBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left = nil
	return nil
}
