package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDisplayObject_LinkHolder: a link opens what its holder may see when it is used.
func TestDisplayObject_LinkHolder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("region,n\nnorth,1\n"))
	content := v1 + "/discourse/displayobjects/" + object.ID.String() + "/content"
	link, ok := b.call(t, &b.world.Reader, http.MethodGet, strings.TrimSuffix(content, "content")+"presigned-url", "").json(t)["url"].(string)
	require.True(t, ok)
	got := b.send(t, http.MethodGet, link, http.NoBody)
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, "private, no-cache", got.header.Get("Cache-Control"), "the next person at this browser gets no answer from its cache")
	require.Equal(t, "private, no-cache", b.call(t, &b.world.Reader, http.MethodGet, content, "").header.Get("Cache-Control"))
	b.world.Disable(b.world.Reader.Email, true)
	require.Equal(t, 403, b.send(t, http.MethodGet, link, http.NoBody).status)
}

// TestDisplayObject_IfRange: a condition that cannot be true means the whole file.
func TestDisplayObject_IfRange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, object := b.world.AddConversation()
	b.files.Set(object.FileKey, []byte("region,n\nnorth,1\n"))
	content := v1 + "/discourse/displayobjects/" + object.ID.String() + "/content"
	require.Equal(t, 206, b.call(t, &b.world.Reader, http.MethodGet, content, "", "Range", "bytes=0-5").status)
	got := b.call(t, &b.world.Reader, http.MethodGet, content, "", "Range", "bytes=0-5", "If-Range", `"old"`)
	require.Equal(t, 200, got.status)
	require.Equal(t, "region,n\nnorth,1\n", got.body)
}
