package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// caller calls servers with a person's bearer.
type caller struct {
	t      *testing.T
	bearer string
}

// send makes a call of the API, which must succeed, and returns the header and the body of the answer.
func (c *caller) send(url, method, path, contentType string, body []byte) (http.Header, []byte) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, url+"/api/v1/"+path, bytes.NewReader(body))
	require.NoError(c.t, err)
	r.Header.Set("Authorization", "Bearer "+c.bearer)
	r.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(r)
	require.NoError(c.t, err)
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	require.Less(c.t, response.StatusCode, http.StatusMultipleChoices, "%s %s: %s", method, path, answer)
	return response.Header, answer
}

// call sends JSON, decodes the answer, and returns its header.
func (c *caller) call(s *server, method, path string, in, out any) http.Header {
	c.t.Helper()
	body, err := json.Marshal(in)
	require.NoError(c.t, err)
	header, answer := c.send(s.url, method, path, "application/json", body)
	require.NoError(c.t, json.Unmarshal(answer, out), "%s", answer)
	return header
}
