package api

// The calls that give the bytes of a display object, such as a table or a chart of an answer, and
// the parts of a download that other files use as well: ranges (RFC 9110, section 14) and
// attachments. An object is opened with a bearer or with a link (link.go), and the right of the
// person is checked each time.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// displayObjectLink is the input of a call that makes a link.
type displayObjectLink struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Format string    `query:"format" maxLength:"10" doc:"The format that the link returns; the same values as for the content."`
}

// displayObjectContent is the input of a call that gives the bytes.
type displayObjectContent struct {
	ID     uuid.UUID `path:"id" format:"uuid"`
	Format string    `query:"format" maxLength:"10" doc:"The object's own type (the default). A table is also available as csv, json and xlsx."`
	Token  string    `query:"token" doc:"The token of a presigned link. A request with it needs no bearer token."`
	Ranged
}

// Ranged is the input of a call that answers a part of a file.
type Ranged struct {
	Range   string `header:"Range" doc:"One range of bytes."`
	IfRange string `header:"If-Range" doc:"Always returns the whole file: responses have no validator, so none can match."`
}

// part is the range to answer; empty for the whole file. If the condition of If-Range does
// not hold it is the whole file (RFC 9110, 13.1.5).
func (r Ranged) part() string {
	if r.IfRange != "" {
		return ""
	}
	return r.Range
}

// streamResponse is the output of a call that writes its own response.
type streamResponse struct {
	Body func(huma.Context)
}

// displayObjectRoutes registers the calls of this file.
func (s *Server) displayObjectRoutes(a huma.API) {
	tags := []string{"display objects"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/displayobjects/{id}/presigned-url", Tags: tags,
		Summary: fmt.Sprintf("A link to the content that needs no bearer token and is valid for %d minutes", int(linkLife.Minutes())),
	}, needs(domain.SeeDisplayObject), func(ctx context.Context, in *displayObjectLink) (*body[wire.PresignedURL], error) {
		caller := callerOf(ctx)
		object, err := s.Conversations.DisplayObject(ctx, caller, in.ID)
		if err != nil {
			return nil, err
		}
		// The format is checked before the link is made, so that a link never fails because of it.
		format, err := s.formatOf(object, in.Format)
		if err != nil {
			return nil, err
		}
		expires := s.Clock.Now().Add(linkLife)
		// The link is for the method and the object alone, and carries the person whose right is
		// checked when it is used.
		query := url.Values{"token": {signLink(s.LinkKey, http.MethodGet, in.ID, caller, expires)}}
		if format != "" {
			query.Set("format", format)
		}
		return answer(wire.PresignedURL{
			URL:       apiPrefix + "/discourse/displayobjects/" + in.ID.String() + "/content?" + query.Encode(),
			ExpiresAt: protocol.Time(expires),
		}), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/displayobjects/{id}/content", Tags: tags,
		Summary: "The content of a display object", Description: "Returned as an attachment. Supports one Range.",
		Responses: map[string]*huma.Response{
			"200": {Description: "The whole content", Content: fileContent()},
			"206": {Description: "The requested range of the content", Content: fileContent()},
		},
	}, needs(domain.SeeDisplayObject), s.displayObjectContent)
}

// displayObjectContent sends an object as it is stored, or in another format.
func (s *Server) displayObjectContent(ctx context.Context, in *displayObjectContent) (*streamResponse, error) {
	object, err := s.Conversations.DisplayObject(ctx, callerOf(ctx), in.ID)
	if err != nil {
		if in.Token != "" && domain.CodeOf(err) == domain.CodeNotFound {
			// The holder of a link learns only that it does not work.
			return nil, errLink
		}
		return nil, err
	}
	format, err := s.formatOf(object, in.Format)
	if err != nil {
		return nil, err
	}
	// Another format is written to a temporary file first, because its size must be known for the
	// head of the answer.
	if format != "" {
		made, err := s.export(ctx, object, format)
		if err != nil {
			return nil, err
		}
		section, err := parseRange(in.part(), made.size)
		if err == nil {
			_, err = made.Seek(section.offset, io.SeekStart)
		}
		if err != nil {
			_ = made.Close() // only read from
			return nil, rangeProblem(ctx, made.size)
		}
		return sendAttachment(attachment{
			bytes: limited{io.LimitReader(made, section.length), made}, section: section, size: made.size,
			mediaType: mediaTypeOf(format), name: withExtension(objectName(object), format),
		}), nil
	}
	size, err := s.Files.Size(ctx, object.FileKey)
	if err != nil {
		return nil, err
	}
	// The range is checked against the size before the file is opened.
	section, err := parseRange(in.part(), size)
	if err != nil {
		return nil, rangeProblem(ctx, size)
	}
	if object.Type == domain.DisplayCSV && section.partial {
		// A range of a table is only requested for a preview, which has a maximum size.
		section.length = min(section.length, previewMax)
	}
	// The bytes are sent after this handler returned: the context must live as long.
	reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	bytes, err := s.Files.Get(reading, object.FileKey, section.offset, section.length)
	if err != nil {
		cancel()
		return nil, err
	}
	return sendAttachment(attachment{
		bytes: &closing{ReadCloser: bytes, done: cancel}, section: section, size: size,
		mediaType: contentType(object), name: withExtension(objectName(object), strings.TrimPrefix(extension(object), ".")),
	}), nil
}

// previewMax is the specification's size of a preview.
const previewMax = 201

// rangeProblem is 416 with the size of the content, as RFC 9110, 15.5.17 asks, so that a client can
// correct its range.
func rangeProblem(ctx context.Context, size int64) error {
	return newProblem(codeOfStatus(http.StatusRequestedRangeNotSatisfiable), "", requestOf(ctx).id).
		with("Content-Range", "bytes */"+strconv.FormatInt(size, 10))
}

// attachment is a file that a browser saves.
type attachment struct {
	bytes     io.ReadCloser
	section   section
	size      int64 // of the whole
	mediaType string
	name      string
}

// sendAttachment sends a file as an attachment, which a browser does not run.
func sendAttachment(f attachment) *streamResponse {
	return &streamResponse{Body: func(hc huma.Context) {
		c := humafiber.UnwrapV2(hc)
		c.Set("Content-Type", f.mediaType)
		c.Set("Content-Disposition", disposition(f.name))
		c.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
		c.Set("Accept-Ranges", "bytes")
		// Rights are checked each time: the next person at this browser, or the same one after
		// a revoke or a log-out, must not get an answer from its cache.
		c.Set("Cache-Control", "private, no-cache")
		c.Status(http.StatusOK)
		if f.section.partial {
			c.Status(http.StatusPartialContent)
			c.Set("Content-Range", f.section.contentRange(f.size))
		}
		// The server closes the stream when it is sent or when the client is gone; that also ends
		// the context or removes the temporary file.
		c.Context().SetBodyStream(f.bytes, int(f.section.length))
	}}
}

// limited reads a part of a file and closes the file.
type limited struct {
	io.Reader
	io.Closer
}

// closing ends the context of its reader when it is closed.
type closing struct {
	io.ReadCloser
	done context.CancelFunc
}

// Close implements io.Closer.
func (c *closing) Close() error {
	defer c.done()
	return c.ReadCloser.Close() //nolint:wrapcheck // the HTTP server only logs it
}

// contentType returns the stored content type if it is well formed, and never one that a
// browser would run.
func contentType(o *domain.DisplayObject) string {
	kind, _, err := mime.ParseMediaType(o.ContentType)
	if err != nil || strings.Contains(kind, "html") || strings.Contains(kind, "xml") || strings.Contains(kind, "svg") ||
		strings.Contains(kind, "script") {
		return "application/octet-stream"
	}
	return o.ContentType
}

// objectName is the file name under which a browser saves the object.
func objectName(o *domain.DisplayObject) string {
	if domain.Blank(o.Name) {
		return o.ID.String()
	}
	return o.Name
}

// extension is the extension of the object's stored format, with its dot.
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
	case domain.DisplayCSV, domain.DisplayXLSX, domain.DisplayPPTX, domain.DisplayPNG:
		return "." + string(o.Type)
	}
	return ".bin"
}

// section is the part of a file that is sent.
type section struct {
	offset, length int64
	partial        bool
}

// contentRange is the value of the header Content-Range.
func (p section) contentRange(size int64) string {
	return "bytes " + strconv.FormatInt(p.offset, 10) + "-" + strconv.FormatInt(p.offset+p.length-1, 10) + "/" + strconv.FormatInt(size, 10)
}

var errRange = errors.New("the range cannot be satisfied")

// parseRange reads a Range header. A unit other than bytes is ignored, as RFC
// 9110 says; more than one range is refused.
func parseRange(header string, size int64) (section, error) {
	whole := section{length: size}
	unit, spec, ok := strings.Cut(header, "=")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return whole, nil
	}
	first, last, ok := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok || strings.Contains(spec, ",") {
		return whole, errRange
	}
	// A suffix range is the last n bytes of the file. An empty file has none.
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
