package openai

import (
	"errors"
	"io"
	"net/http"

	"github.com/openai/openai-go/v3/option"

	"parley.dev/parley/analyst"
)

// outlet passes pieces on and stores the error of a receiver that refused one.
type outlet struct {
	emit    func(analyst.Piece) error
	refused error
	// unreported means that bytes arrived and no piece was passed on since.
	unreported bool
	// failure is an answer that is not a stream; nil if there is none.
	failure *http.Response
}

func (o *outlet) give(p analyst.Piece) error {
	o.unreported = false
	if o.refused == nil {
		o.refused = o.emit(p)
	}
	return o.refused
}

// listen is a middleware that reports every byte of an answer when it arrives, whatever it is: headers,
// a comment, thinking, half a tool call. So a model counts as alive while it works, before it sends
// text.
func (o *outlet) listen(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	request, err := releasable(r)
	if err != nil {
		return nil, err
	}
	answer, err := next(r)
	if err != nil {
		return answer, err
	}
	request.release()
	if err := o.give(analyst.Piece{Alive: true}); err != nil {
		_ = answer.Body.Close()
		return nil, err
	}
	answer.Body = &heardBody{answer.Body, o}
	if answer.StatusCode >= http.StatusBadRequest {
		// The SDK reads such a body completely.
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, detailMax), answer.Body}
		o.failure = answer
	}
	return answer, nil
}

// heardBody is a body that reports reads as signs of life, unless what was read was passed on as a piece.
type heardBody struct {
	io.ReadCloser
	outlet *outlet
}

// Read implements io.Reader. The next read begins when what was read before has been handled, so the
// report is not late, and an answer that is nothing but text needs none.
func (b *heardBody) Read(p []byte) (int, error) {
	if b.outlet.unreported {
		if refused := b.outlet.give(analyst.Piece{Alive: true}); refused != nil {
			return 0, refused
		}
	}
	n, err := b.ReadCloser.Read(p)
	b.outlet.unreported = n > 0
	if err != nil && !errors.Is(err, io.EOF) {
		// The vendor was reached, and then its connection broke, whatever the error is called.
		err = errors.Join(errCut, err)
	}
	return n, err
}
