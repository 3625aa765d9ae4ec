package apibench

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"
)

// request is a call made as one person.
type request struct{ url, token string }

func newRequest(base, path, token string) request {
	return request{url: strings.TrimSuffix(base, "/") + "/api/v1/" + path, token: token}
}

func (r request) fill(into *fasthttp.Request) {
	into.SetRequestURI(r.url)
	into.Header.Set("Authorization", "Bearer "+r.token)
}

// fetch makes a call and returns the body of the response.
func fetch(_ context.Context, r request) ([]byte, error) {
	in, out := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(in)
	defer fasthttp.ReleaseResponse(out)
	r.fill(in)
	if err := fasthttp.Do(in, out); err != nil {
		return nil, fmt.Errorf("ask: %w", err)
	}
	if out.StatusCode() != http.StatusOK {
		return nil, fmt.Errorf("the answer is %d: %s", out.StatusCode(), out.Body())
	}
	return slices.Clone(out.Body()), nil
}

// load makes calls over persistent connections and measures how long each takes. On each
// connection it makes the calls of all people in turn. A warm-up of a quarter of Duration
// is not counted.
func (c *Config) load(ctx context.Context, requests []request) (Figures, error) {
	took := make([][]time.Duration, c.Connections)
	begin := time.Now().Add(c.Duration / 4)
	end := begin.Add(c.Duration)
	var cpu usage
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		cpu, err = c.cpuBetween(ctx, begin, end)
		return err
	})
	for i := range c.Connections {
		g.Go(func() error {
			client := &fasthttp.Client{MaxConnsPerHost: 1, NoDefaultUserAgentHeader: true}
			defer client.CloseIdleConnections()
			in, out := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			defer fasthttp.ReleaseRequest(in)
			defer fasthttp.ReleaseResponse(out)
			for n := i; ctx.Err() == nil; n++ {
				requests[n%len(requests)].fill(in)
				at := time.Now()
				if at.After(end) {
					return nil
				}
				if err := client.Do(in, out); err != nil {
					return fmt.Errorf("ask: %w", err)
				}
				if out.StatusCode() != http.StatusOK {
					return fmt.Errorf("the answer is %d: %s", out.StatusCode(), out.Body())
				}
				if at.After(begin) {
					took[i] = append(took[i], time.Since(at))
				}
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return Figures{}, err //nolint:wrapcheck // the goroutines have wrapped it
	}
	return figuresOf(slices.Concat(took...), c.Duration, cpu), nil
}
