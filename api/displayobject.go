package api

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

type displayObjectID struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type displayObjectContent struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Format string    `query:"format" maxLength:"10" doc:"The object's own type, or left out."`
	Token  string    `query:"token" doc:"Of a presigned link; no bearer is needed with it."`
	Range  string    `header:"Range" doc:"One range of bytes."`
}

// streamed is an output that writes itself.
type streamed struct {
	Body func(huma.Context)
}

func (s *Server) displayObjectRoutes(a huma.API) {
	tags := []string{"display objects"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/displayobjects/{id}/presigned-url", Tags: tags,
		Summary: "A link to the object's bytes that needs no bearer and lives 5 minutes",
	}, func(ctx context.Context, in *displayObjectID) (*body[wire.PresignedURL], error) {
		caller := callerOf(ctx)
		if _, err := s.Conversations.DisplayObject(ctx, caller, in.ID); err != nil {
			return nil, err
		}
		expires := s.Clock.Now().Add(linkLife)
		query := url.Values{"token": {signLink(s.LinkKey, http.MethodGet, in.ID, caller, expires)}}
		return answer(wire.PresignedURL{
			URL:       apiPrefix + "/discourse/displayobjects/" + in.ID.String() + "/content?" + query.Encode(),
			ExpiresAt: protocol.Time(expires),
		}), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/displayobjects/{id}/content", Tags: tags,
		Summary: "The object's bytes", Description: "Answered as an attachment. Honours one Range.",
		Responses: map[string]*huma.Response{
			"200": {Description: "All bytes", Content: map[string]*huma.MediaType{"application/octet-stream": {}}},
			"206": {Description: "The bytes of the range", Content: map[string]*huma.MediaType{"application/octet-stream": {}}},
		},
	}, s.displayObjectContent)
}

func (s *Server) displayObjectContent(ctx context.Context, in *displayObjectContent) (*streamed, error) {
	object, err := s.Conversations.DisplayObject(ctx, callerOf(ctx), in.ID)
	if err != nil {
		if in.Token != "" && domain.CodeOf(err) == domain.CodeNotFound {
			// Whoever holds a link learns no more than that it does not work.
			return nil, domain.Errorf(domain.CodeForbidden, "The link is not valid any more")
		}
		return nil, err
	}
	if in.Format != "" && in.Format != string(object.Type) {
		return nil, domain.Invalid("format", `Operation "`+in.Format+`" currently not supported`)
	}
	size, err := s.Files.Size(ctx, object.FileKey)
	if err != nil {
		return nil, err
	}
	section, err := parseRange(in.Range, size)
	if err != nil {
		return nil, newProblem(codeOfStatus(http.StatusRequestedRangeNotSatisfiable), "", requestOf(ctx).id).
			with("Content-Range", "bytes */"+strconv.FormatInt(size, 10))
	}
	// The bytes are sent after this handler returned: the context must live as long.
	sending, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	bytes, err := s.Files.Get(sending, object.FileKey, section.offset, section.length)
	if err != nil {
		cancel()
		return nil, err
	}
	return &streamed{Body: func(hc huma.Context) {
		c := humafiber.UnwrapV2(hc)
		c.Set("Content-Type", contentType(object))
		c.Set("Content-Disposition", attachment(object))
		c.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
		c.Set("Accept-Ranges", "bytes")
		c.Set("Cache-Control", "private, max-age=3600")
		c.Status(http.StatusOK)
		if section.partial {
			c.Status(http.StatusPartialContent)
			c.Set("Content-Range", section.contentRange(size))
		}
		c.Context().SetBodyStream(&closing{ReadCloser: bytes, done: cancel}, int(section.length))
	}}, nil
}

// closing ends the context of what it reads.
type closing struct {
	io.ReadCloser
	done context.CancelFunc
}

// Close implements io.Closer.
func (c *closing) Close() error {
	defer c.done()
	return c.ReadCloser.Close() //nolint:wrapcheck // the HTTP server only logs it
}

// contentType is the stored one where it is well formed, and never one that a
// browser would run.
func contentType(o *domain.DisplayObject) string {
	kind, _, err := mime.ParseMediaType(o.ContentType)
	if err != nil || strings.Contains(kind, "html") || strings.Contains(kind, "xml") || strings.Contains(kind, "svg") || strings.Contains(kind, "script") {
		return "application/octet-stream"
	}
	return o.ContentType
}

// attachment names the file that a browser saves.
func attachment(o *domain.DisplayObject) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, domain.Clean(o.Name))
	if domain.Blank(name) {
		name = o.ID.String()
	}
	if filepath.Ext(name) == "" {
		name += extension(o)
	}
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}

func extension(o *domain.DisplayObject) string {
	switch o.Type {
	case domain.DisplayHighcharts:
		return ".json"
	case domain.DisplayPython:
		if o.Language == "sql" {
			return ".sql"
		}
		return ".py"
	case domain.DisplayLogs:
		return ".log"
	case domain.DisplayCSV, domain.DisplayXLSX, domain.DisplayPNG:
		return "." + string(o.Type)
	}
	return ".bin"
}

// section is the part of a file that is sent.
type section struct {
	offset, length int64
	partial        bool
}

func (p section) contentRange(size int64) string {
	return "bytes " + strconv.FormatInt(p.offset, 10) + "-" + strconv.FormatInt(p.offset+p.length-1, 10) + "/" + strconv.FormatInt(size, 10)
}

var errRange = errors.New("the range cannot be satisfied")

// parseRange reads a Range header. A unit other than bytes is ignored, as RFC
// 9110 says; more than one range is refused.
func parseRange(header string, size int64) (section, error) {
	whole := section{length: size}
	spec, ok := strings.CutPrefix(header, "bytes=")
	if !ok {
		return whole, nil
	}
	first, last, ok := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok || strings.Contains(spec, ",") {
		return whole, errRange
	}
	if first == "" {
		n, err := strconv.ParseInt(last, 10, 64)
		if err != nil || n <= 0 || size == 0 {
			return whole, errRange
		}
		n = min(n, size)
		return section{offset: size - n, length: n, partial: true}, nil
	}
	from, err := strconv.ParseInt(first, 10, 64)
	if err != nil || from < 0 || from >= size {
		return whole, errRange
	}
	to := size - 1
	if last != "" {
		if to, err = strconv.ParseInt(last, 10, 64); err != nil || to < from {
			return whole, errRange
		}
		to = min(to, size-1)
	}
	return section{offset: from, length: to - from + 1, partial: true}, nil
}
