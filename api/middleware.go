package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/logctx"
)

// requestIDLocal is the key of the request's id in fiber's locals.
const requestIDLocal = "requestId"

const (
	// bodyLocal is the key of the body's reader in fiber's locals.
	bodyLocal = "body"
	// prefetched bodies were read by the HTTP server together with their headers.
	prefetched = 8 << 10
	// lingerBytes and lingerTime limit how much is read of a refused body.
	lingerBytes = domain.UploadMax + 64<<20
	lingerTime  = 500 * time.Millisecond
)

// envelope handles every request first: it gives the request an id, sets the headers that
// every answer has, turns a panic into an error, and logs the result.
func (s *Server) envelope(c *fiber.Ctx) (err error) {
	started := s.Clock.Now()
	nameRequest(c)
	s.setHeaders(c)
	s.findClient(c)
	traced, span := s.Tracer.Request(c.UserContext(), c.Method(), requestIDOf(c))
	c.SetUserContext(traced)
	defer func() {
		if r := recover(); r != nil {
			s.log.LogAttrs(c.UserContext(), slog.LevelError, "a handler panicked",
				slog.String("path", c.Path()), slog.String("request", requestIDOf(c)), slog.Any("panic", r),
				slog.String("stack", string(debug.Stack())))
			c.Response().ResetBody()
			err = s.writeProblem(c, newProblem(failureOf(domain.CodeInternal), "", requestIDOf(c)))
		}
		s.closeUnread(c)
		span.Answered(c.Method(), c.Route().Path, c.Response().StatusCode())
		s.logRequest(c, s.Clock.Now().Sub(started))
	}()
	if lengthTwice(&c.Request().Header) {
		c.Context().SetConnectionClose()
		return s.handleError(c, domain.Errorf(domain.CodeBadRequest, "The request says its length in two ways"))
	}
	if err := s.checkHost(c); err != nil {
		return s.handleError(c, err)
	}
	if err := c.Next(); err != nil {
		// The error is answered here and not by fiber, so that the log line below has the
		// status.
		return s.handleError(c, err)
	}
	return nil
}

// knownMethods runs before the router and answers unknown methods with a problem document:
// the router would answer them before the envelope, in plain text.
type knownMethods struct {
	server *Server
	router fasthttp.RequestHandler
}

func (k knownMethods) handle(rc *fasthttp.RequestCtx) {
	if slices.Contains(fiber.DefaultMethods, string(rc.Method())) {
		k.router(rc)
		return
	}
	c := k.server.app.AcquireCtx(rc)
	defer k.server.app.ReleaseCtx(c)
	nameRequest(c)
	rc.SetConnectionClose() // it is not known whether such a request has a body
	if err := k.server.handleError(c, fiber.ErrMethodNotAllowed); err != nil {
		k.server.log.LogAttrs(rc, slog.LevelError, "a refusal could not be written", slog.Any("error", err))
	}
}

// nameRequest gives a request its id.
func nameRequest(c *fiber.Ctx) {
	id := make([]byte, 12)
	_, _ = rand.Read(id) // never fails
	name := hex.EncodeToString(id)
	c.Locals(requestIDLocal, name)
	c.SetUserContext(logctx.With(c.UserContext(), logctx.Request(name)))
}

// lengthTwice reports whether a request has both a length and chunks (request smuggling). A
// proxy may have used the length, and then treats as a part of this body what this server
// would read as the next request.
func lengthTwice(h *fasthttp.RequestHeader) bool {
	if h.ContentLength() >= 0 {
		return false // no chunks, or the server has refused it
	}
	for line := range bytes.Lines(h.RawHeaders()) {
		name, _, _ := bytes.Cut(line, []byte(":"))
		if bytes.EqualFold(name, []byte(fiber.HeaderContentLength)) {
			return true
		}
	}
	return false
}

// closeUnread closes the connection if a body was not read to its end: otherwise the rest
// would be read as the next request. Part of it is read and dropped before, so that a client
// that is still sending sees the answer.
func (s *Server) closeUnread(c *fiber.Ctx) {
	body, length := c.Request().BodyStream(), c.Request().Header.ContentLength()
	if body == nil || length >= 0 && length <= prefetched {
		return // nothing is left to read
	}
	if read, ok := c.Locals(bodyLocal).(*watched); ok && read.ended {
		return
	}
	c.Context().SetConnectionClose()
	if err := c.Context().Conn().SetReadDeadline(kernelNow().Add(lingerTime)); err != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, body, lingerBytes) // how it ends does not matter
}

// watched records whether a body was read to its end.
type watched struct {
	in    io.Reader
	ended bool
}

// Read implements io.Reader.
func (w *watched) Read(b []byte) (int, error) {
	n, err := w.in.Read(b)
	w.ended = w.ended || errors.Is(err, io.EOF)
	return n, err //nolint:wrapcheck // io.EOF must stay unwrapped
}

// kernelNow is the time for deadlines of connections: the kernel uses its own clock for them,
// and not the clock of the program.
func kernelNow() time.Time { return time.Now() } //nolint:forbidigo // see above

// logRequest counts the request and logs it. The query is left out, because it may contain a
// presigned token.
func (s *Server) logRequest(c *fiber.Ctx, took time.Duration) {
	status := c.Response().StatusCode()
	route := c.Route().Path
	s.counts.request(c.Method(), route, status, took)
	level := slog.LevelDebug
	if status >= http.StatusInternalServerError {
		level = slog.LevelWarn
	}
	if !s.log.Enabled(c.UserContext(), level) {
		return
	}
	s.log.LogAttrs(c.UserContext(), level, "request",
		slog.String("method", c.Method()), slog.String("path", truncated(c.Path(), 200)), slog.Int("status", status),
		slog.Duration("took", took), slog.String("from", c.Context().RemoteIP().String()), slog.String("request", requestIDOf(c)))
}

// truncated returns at most the first bytes of a text.
func truncated(s string, limit int) string { return s[:min(len(s), limit)] }

func requestIDOf(c *fiber.Ctx) string {
	if id, ok := c.Locals(requestIDLocal).(string); ok {
		return id
	}
	return ""
}

// setHeaders sets the headers that every answer has.
func (s *Server) setHeaders(c *fiber.Ctx) {
	c.Set("Content-Security-Policy", *s.csp.Load())
	c.Set("Strict-Transport-Security", "max-age=31536000")
	c.Set("X-Content-Type-Options", "nosniff")
	c.Set("X-Frame-Options", "DENY")
	c.Set("Referrer-Policy", "no-referrer")
	c.Set("Cross-Origin-Opener-Policy", "same-origin")
	c.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()")
	if id := requestIDOf(c); id != "" {
		c.Set("X-Request-Id", id)
	}
}

// styleSources is the beginning of the policy's directive for style sheets.
const styleSources = "style-src 'self'"

// librarySheets are the SHA-256 sums of three style elements that libraries of the web write
// by themselves, always with the same text and without a nonce: Radix's scroll area and
// select, which hide a scroll bar, and sonner's toasts, whose element is at first empty. The
// end-to-end tests fail if a new version of a library changes its style sheet.
const librarySheets = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' " +
	"'sha256-vGQdhYJbTuF+M8iCn1IZCHpdkiICocWHDq4qnQF4Rjw=' " +
	"'sha256-441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk=' " +
	"'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='"

// contentSecurityPolicy lets pages load only from this server. They may also connect to the
// identity provider, if that is another server, to the servers that it names, and to the
// collector, if an operator has configured one. Style elements need the page's nonce, or must
// be one of librarySheets. Scripts inside the page and style attributes are not allowed.
func contentSecurityPolicy(issuer, collector string, others []string) string {
	connect := "'self'"
	for _, address := range []string{issuer, collector} {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			connect += " " + u.Scheme + "://" + u.Host
		}
	}
	if len(others) > 0 {
		connect += " " + strings.Join(others, " ")
	}
	return strings.Join([]string{
		"default-src 'self'", "script-src 'self'", styleSources + " " + librarySheets, "img-src 'self' data: blob:", "font-src 'self' data:",
		"connect-src " + connect, "worker-src 'self' blob:", "object-src 'none'", "base-uri 'none'", "form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
}

// AllowCalls lets pages call these origins, in addition to the server, the issuer and the
// collector. A page that is already open keeps the policy that it was loaded with.
func (s *Server) AllowCalls(origins []string) {
	policy := contentSecurityPolicy(s.Browser.Issuer, s.Browser.Collector, origins)
	s.csp.Store(&policy)
}

// authenticate finds the caller before anything else of the request is read:
// by the bearer, or, for the content of a display object, by a presigned link.
func (s *Server) authenticate(c *fiber.Ctx) error {
	r := &request{id: requestIDOf(c), url: url.URL{Path: c.Path(), RawQuery: string(c.Request().URI().QueryString())}}
	limit := s.Limits.RequestTime
	if isUpload(c) || readsFile(c) {
		limit = s.Limits.UploadTime
	}
	ctx := c.UserContext()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	c.Set(fiber.HeaderCacheControl, "no-store")

	object, presigned := presignedObject(c)
	if presigned {
		caller, err := openLink(s.LinkKey, c.Method(), object, c.Query("token"), s.Clock.Now())
		if err != nil {
			return err
		}
		if r.caller, err = s.holder(ctx, caller); err != nil {
			return err
		}
	} else {
		bearer, err := bearerOf(c)
		if err != nil {
			return err
		}
		signedIn, err := s.people.Find(ctx, bearer, showsActivity(c.Path()))
		if err != nil {
			return err
		}
		r.user, r.caller, r.signIn = signedIn.User, signedIn.User.Caller(), signedIn.SignIn
	}
	c.SetUserContext(withRequest(ctx, r))
	return c.Next() //nolint:wrapcheck // problemOf needs the next handler's error unchanged
}

// showsActivity reports whether a call shows that its person is active. Any open page sends
// keep-alives, and the page of the cluster asks every few seconds: a session must end in spite of them.
func showsActivity(path string) bool {
	return path != apiPrefix+keepAlivePath && path != apiPrefix+clusterNodesPath
}

// holder returns the person of a link with their current data. The link contains only who
// they are: a person who was disabled since then can open nothing, and a person who reviews
// feedback sees the same as with their bearer.
func (s *Server) holder(ctx context.Context, of domain.Caller) (domain.Caller, error) {
	user, err := s.Users.User(ctx, of, of.UserID)
	if domain.CodeOf(err) == domain.CodeNotFound || err == nil && (user.IsDisabled || user.UUID != of.UserUUID) {
		err = errLink
	}
	if err != nil {
		return domain.Caller{}, err
	}
	return user.Caller(), nil
}

// presignedObject reports whether the request contains a link's token, and for which object.
func presignedObject(c *fiber.Ctx) (uuid.UUID, bool) {
	rest, ok := strings.CutPrefix(c.Path(), apiPrefix+"/discourse/displayobjects/")
	if !ok || c.Query("token") == "" {
		return uuid.Nil, false
	}
	rest, ok = strings.CutSuffix(rest, "/content")
	if !ok {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(rest)
	// A link with a malformed id is refused like any other invalid link.
	return id, err == nil || !strings.Contains(rest, "/")
}

// isUpload reports whether the body of a call is a form with a file, which the handler reads
// part by part. The calls of a data source also accept JSON.
func isUpload(c *fiber.Ctx) bool {
	path, _ := strings.CutPrefix(c.Path(), apiPrefix+"/memory/")
	return strings.HasPrefix(path, "file/") || path == "secrets" || strings.HasPrefix(path, "datasources/") &&
		strings.HasPrefix(strings.ToLower(c.Get(fiber.HeaderContentType)), "multipart/form-data")
}

// readsFile reports whether a call reads a whole file again or describes a remote database, which takes
// long.
func readsFile(c *fiber.Ctx) bool {
	path, ok := strings.CutPrefix(c.Path(), apiPrefix+"/memory/datasources")
	switch path {
	case "", "/check":
		// These calls sign in to a remote database and describe its tables.
		return ok && c.Method() == http.MethodPost
	}
	return ok && (strings.HasSuffix(path, "/sync") || c.Method() == http.MethodGet)
}

// normalised is a huma context with one spelling of names and the body read.
type normalised struct {
	humaContext

	query url.Values
	body  io.Reader
	// kind, if not empty, replaces the client's content type.
	kind string
	// status, if not 0, replaces the status that huma sets.
	status int
}

// SetStatus implements huma.Context.
func (n *normalised) SetStatus(code int) {
	if n.status != 0 {
		code = n.status
	}
	n.humaContext.SetStatus(code)
}

// humaContext is another name for the embedded interface, because its name must differ from
// its method Context.
type humaContext huma.Context

// Header implements huma.Context.
func (n *normalised) Header(name string) string {
	if n.kind != "" && strings.EqualFold(name, fiber.HeaderContentType) {
		return n.kind
	}
	return n.humaContext.Header(name)
}

// Query implements huma.Context.
func (n *normalised) Query(name string) string { return n.query.Get(name) }

// URL implements huma.Context. Arrays are read from it.
func (n *normalised) URL() url.URL {
	u := n.humaContext.URL()
	u.RawQuery = n.query.Encode()
	return u
}

// BodyReader implements huma.Context.
func (n *normalised) BodyReader() io.Reader { return n.body }

// Unwrap lets adapters find the context below.
func (n *normalised) Unwrap() huma.Context { return n.humaContext }

// normalise checks the caller's right, reads the body within its limit, and converts the
// names in query and body to one spelling before huma reads them.
func (s *Server) normalise(ctx huma.Context, next func(huma.Context)) {
	c := humafiber.UnwrapV2(ctx)
	n := &normalised{humaContext: ctx}
	if err := s.admit(ctx.Operation(), c, n); err != nil {
		if err := s.handleError(c, err); err != nil {
			panic(fmt.Errorf("answering a request that could not be read: %w", err))
		}
		return
	}
	next(n)
}

// admit does the steps before huma in this order: rights, spelling, body, key.
func (s *Server) admit(op *huma.Operation, c *fiber.Ctx, n *normalised) (err error) {
	r := requestOf(c.UserContext())
	check := s.newRightCheck(c, op)
	if check.early(c) {
		if err := check.refused(false); err != nil {
			return err
		}
	}
	if op.Method != http.MethodGet {
		r.rightCheck = check
	}
	if n.query, err = wire.NormaliseQuery(string(c.Request().URI().QueryString())); err == nil {
		n.body, n.kind, err = s.body(op, c)
	}
	if err == nil {
		err = setIdempotencyKey(op, c, n.body)
	}
	if domain.CodeOf(err) == domain.CodeInvalid {
		err = r.asDenied(err)
	}
	return err
}

// body reads the body, and returns its content type if it has converted it.
func (s *Server) body(op *huma.Operation, c *fiber.Ctx) (content io.Reader, kind string, err error) {
	length, stream := c.Request().Header.ContentLength(), c.Request().BodyStream()
	if packed := c.Get(fiber.HeaderContentEncoding); stream != nil && packed != "" && !strings.EqualFold(packed, "identity") {
		// A body is never decompressed here, while a proxy may have checked the decompressed one.
		return nil, "", domain.Errorf(domain.CodeUnsupportedType, "The body must come as it is, without a content encoding")
	}
	if stream != nil {
		read := &watched{in: stream}
		c.Locals(bodyLocal, read)
		stream = read
	}
	if isUpload(c) {
		if length > domain.UploadMax+uploadOverhead {
			return nil, "", domain.Errorf(domain.CodeTooLarge, "The file is larger than %s", sizeOf(domain.UploadMax))
		}
		if stream == nil {
			return bytes.NewReader(nil), "", nil
		}
		return &patient{in: stream, stall: s.Limits.UploadStall, conn: c.Context().Conn()}, "", nil
	}
	if stream == nil || length == 0 {
		return bytes.NewReader(nil), "", nil
	}
	tooLarge := domain.Errorf(domain.CodeTooLarge, "The request is larger than %s", sizeOf(bodyLimit))
	if length > bodyLimit {
		return nil, "", tooLarge
	}
	raw, err := io.ReadAll(io.LimitReader(stream, bodyLimit+1))
	if err != nil {
		return nil, "", uploadError(err)
	}
	if len(raw) > bodyLimit {
		return nil, "", tooLarge
	}
	if len(raw) == 0 {
		return bytes.NewReader(nil), "", nil
	}
	if acceptsForm(op) {
		form, err := formJSON(c.Get(fiber.HeaderContentType), raw)
		if err != nil {
			return nil, "", err
		}
		if form != nil {
			return bytes.NewReader(form), "application/json", nil
		}
	}
	if kind, _, _ := strings.Cut(c.Get(fiber.HeaderContentType), ";"); !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return nil, "", domain.Errorf(domain.CodeUnsupportedType, "The body must be application/json")
	}
	clean, err := wire.NormaliseJSON(raw)
	if err != nil {
		return nil, "", err
	}
	return bytes.NewReader(clean), "", nil
}

// patient extends the read deadline of an upload as long as bytes arrive.
type patient struct {
	in    io.Reader
	stall time.Duration
	conn  interface{ SetReadDeadline(t time.Time) error }
}

// Read implements io.Reader.
func (p *patient) Read(b []byte) (int, error) {
	if p.stall > 0 {
		if err := p.conn.SetReadDeadline(kernelNow().Add(p.stall)); err != nil {
			return 0, fmt.Errorf("setting the deadline of an upload: %w", err)
		}
	}
	return p.in.Read(b) //nolint:wrapcheck // io.EOF must stay unwrapped
}
