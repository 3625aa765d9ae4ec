package api

// The files of the web application. They are read once, at the start, and sent from memory.
// Compressed copies are made in advance: brotli by the web's build, gzip here.

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/domain"
)

// brotliSuffix is the extension of the compressed copies that the build makes.
const brotliSuffix = ".br"

// gzipFrom is the size from which a compressed copy of a text is kept as well.
const gzipFrom = 1024

// asset is a file of the web's build, read once at the start.
type asset struct {
	plain  []byte
	zipped []byte // with gzip; nil if that is not smaller
	brotli []byte // made by the web's build; nil if it made none
	kind   string
	etag   string
	// lasting files have a hash in their name, so they never change and may be cached.
	lasting bool
	// page is the HTML page, which gets a new nonce in each answer.
	page bool
}

// webRoutes serves the web: a file if there is one, otherwise the HTML page, whose router
// knows the path. It is registered last.
func (s *Server) webRoutes() error {
	config, err := json.Marshal(s.Browser.document())
	if err != nil {
		return domain.Internal(err, "the browser's configuration cannot be written")
	}
	// The configuration does not change while the process runs, so it is encoded once.
	s.app.Get("/config.json", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		c.Set(fiber.HeaderCacheControl, "no-cache")
		return c.Send(config)
	})
	assets, err := readAssets(s.Web)
	if err != nil {
		return err
	}
	// This is not a separate route: otherwise every path would exist for the router, and a
	// wrong method could not be distinguished from a wrong path.
	s.app.Use(func(c *fiber.Ctx) error {
		file, ok := find(assets, c.Path())
		if !ok {
			return c.Next()
		}
		if c.Method() != http.MethodGet && c.Method() != http.MethodHead {
			return fiber.ErrMethodNotAllowed
		}
		if file.page {
			return s.sendPage(c, file)
		}
		return file.send(c)
	})
	return nil
}

// find returns the file of a path. Paths without a dot in their last element are pages of the
// application; a missing file is never answered with a page.
func find(assets map[string]*asset, name string) (*asset, bool) {
	lower := strings.ToLower(name)
	// A path that the API or the identity provider does not know is 404 there, and never a page.
	for _, own := range []string{"/api/", "/dex/"} {
		if strings.HasPrefix(lower+"/", own) {
			return nil, false
		}
	}
	// No page has such a path. It is made so that a proxy and this server read it
	// differently.
	for _, odd := range []string{"//", "..", `\`, "%2e", "%2f", "%5c", "%25", "%00"} {
		if strings.Contains(lower, odd) {
			return nil, false
		}
	}
	if file, ok := assets[strings.TrimPrefix(name, "/")]; ok {
		return file, true
	}
	if strings.Contains(path.Base(name), ".") {
		return nil, false
	}
	page, ok := assets["index.html"]
	return page, ok
}

// readAssets reads all files of the build. Without a build there are none, and the server is only
// an API.
func readAssets(web fs.FS) (map[string]*asset, error) {
	assets, brotli := map[string]*asset{}, map[string][]byte{}
	if web == nil {
		return assets, nil
	}
	err := fs.WalkDir(web, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(web, name)
		if err != nil {
			return err //nolint:wrapcheck // wrapped below
		}
		if of, found := strings.CutSuffix(name, brotliSuffix); found {
			brotli[of] = content
			return nil
		}
		assets[name], err = newAsset(name, content)
		return err
	})
	if err != nil {
		return nil, domain.Internal(err, "the web pages cannot be read")
	}
	for name, content := range brotli {
		// The page is changed in each answer, so a compressed copy of it would be wrong.
		if of, ok := assets[name]; ok && !of.page {
			of.brotli = content
		}
	}
	return assets, nil
}

// newAsset prepares one file. The page is kept as it is, for the same reason.
func newAsset(name string, content []byte) (*asset, error) {
	sum := sha256.Sum256(content)
	a := &asset{
		plain:   content,
		kind:    mime.TypeByExtension(path.Ext(name)),
		etag:    hex.EncodeToString(sum[:8]),
		lasting: strings.HasPrefix(name, "assets/"),
		page:    name == "index.html",
	}
	if a.kind == "" {
		a.kind = "application/octet-stream"
	}
	if a.page || len(content) < gzipFrom || !compressible(a.kind) {
		return a, nil
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(content); err != nil {
		return nil, domain.Internal(err, "a web page cannot be compressed")
	}
	if err := w.Close(); err != nil {
		return nil, domain.Internal(err, "a web page cannot be compressed")
	}
	if zipped.Len() < len(content)*9/10 {
		a.zipped = zipped.Bytes()
	}
	return a, nil
}

// compressible reports whether files of a media type become smaller. Images and fonts are
// compressed already.
func compressible(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.Contains(kind, "javascript") || strings.Contains(kind, "json") ||
		strings.Contains(kind, "svg") || strings.Contains(kind, "wasm")
}

// send sends the file, or 304 for a client that has it.
func (a *asset) send(c *fiber.Ctx) error {
	// Each encoding has its own tag, because the tag names exact bytes (RFC 9110, 8.8.3).
	content, etag := a.plain, `"`+a.etag+`"`
	if a.zipped != nil || a.brotli != nil {
		c.Set(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
	}
	taken := c.Get(fiber.HeaderAcceptEncoding)
	switch {
	case a.brotli != nil && accepts(taken, "br"):
		content, etag = a.brotli, `"`+a.etag+`-br"`
		c.Set(fiber.HeaderContentEncoding, "br")
	case a.zipped != nil && accepts(taken, "gzip"):
		content, etag = a.zipped, `"`+a.etag+`-gzip"`
		c.Set(fiber.HeaderContentEncoding, "gzip")
	}
	c.Set(fiber.HeaderContentType, a.kind)
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderCacheControl, "no-cache")
	if a.lasting {
		c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	}
	if strings.Contains(c.Get(fiber.HeaderIfNoneMatch), etag) {
		// 304 has no content, so it must not name an encoding of it.
		c.Response().Header.Del(fiber.HeaderContentEncoding)
		return c.SendStatus(http.StatusNotModified) //nolint:wrapcheck // it never fails
	}
	// The asset is shared by all requests and never written, so it need not be copied.
	c.Response().SetBodyRaw(content)
	return nil
}

// accepts reports whether a client's Accept-Encoding allows an encoding. An encoding with q=0
// is not allowed.
func accepts(accepted, encoding string) bool {
	for part := range strings.SplitSeq(accepted, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		q, isQ := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
		return !isQ || strings.Trim(q, "0.") != ""
	}
	return false
}

// nonceMark is the build's placeholder in the page for the nonce of an answer.
const nonceMark = "{{nonce}}"

// sendPage sends the HTML page. It is not cached, so that a new version is seen at once, and
// has a new nonce each time, which is also in the policy of the answer. Because of the nonce,
// only the libraries of the design system may write style elements.
func (s *Server) sendPage(c *fiber.Ctx, page *asset) error {
	nonce := rand.Text()
	c.Set("Content-Security-Policy", strings.Replace(*s.csp.Load(), styleSources, styleSources+" 'nonce-"+nonce+"'", 1))
	c.Set(fiber.HeaderContentType, page.kind)
	c.Set(fiber.HeaderCacheControl, "no-cache")
	return c.Send(bytes.ReplaceAll(page.plain, []byte(nonceMark), []byte(nonce))) //nolint:wrapcheck // it never fails
}
