package api

// Multipart bodies of uploads (RFC 7578). The parts are read one after another, and the bytes of
// the file go straight to the store, so a file is never in memory as a whole.

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

const (
	// formFieldLimit is the maximum number of bytes that are read of a field: more than the
	// longest text of emojis that a field accepts. A longer value is too long for every
	// field.
	formFieldLimit = 256 << 10
	formPartsLimit = 20
	// uploadOverhead is how many bytes a multipart body may have in addition to the file.
	uploadOverhead = 1 << 20
)

// upload is the input of a call with a file. The handler reads the body part by part.
type upload struct {
	body        io.Reader
	contentType string
}

// newUpload is an upload that creates an object.
type newUpload struct {
	upload
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
}

// Resolve implements huma.Resolver: it keeps the body for the handler.
func (u *upload) Resolve(ctx huma.Context) []error {
	u.body = ctx.BodyReader()
	u.contentType = ctx.Header("Content-Type")
	return nil
}

// form is a multipart body that was read. The bytes of the file were passed to store.
type form struct {
	fields    map[string]string
	fileName  string
	mediaType string // as the client says
	size      int64
	hash      [sha256.Size]byte // of the file
	stored    bool
	// problem is an error of the file part after which the rest is still read, so that people
	// learn of all wrong fields at once.
	problem error
}

// readForm reads the parts in any order and passes the file to store. The caller decides
// whether a missing file is an error.
func (u *upload) readForm(store func(r io.Reader) (int64, error)) (*form, error) {
	kind, params, err := mime.ParseMediaType(u.contentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, domain.Errorf(domain.CodeUnsupportedType, "The body must be multipart/form-data")
	}
	f := &form{fields: map[string]string{}}
	if u.body == nil {
		return f, nil
	}
	parts := multipart.NewReader(u.body, params["boundary"])
	for count := 0; ; count++ {
		// A raw part, because NextPart would decode quoted-printable and so change the bytes of a
		// file.
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return f, uploadError(err)
		}
		if count >= formPartsLimit {
			return f, domain.Errorf(domain.CodeBadRequest, "The form has too many parts")
		}
		if err := f.part(part, store); err != nil {
			return f, err
		}
	}
	// Bytes after the last part are ignored, but must be read.
	if _, err := io.Copy(io.Discard, io.LimitReader(u.body, formFieldLimit)); err != nil {
		return f, uploadError(err)
	}
	return f, nil
}

// part reads one part: the file, or a field.
func (f *form) part(part *multipart.Part, store func(io.Reader) (int64, error)) error {
	name, err := fieldName(part.FormName())
	if err != nil {
		return err
	}
	if name == "file" {
		return f.file(part, store)
	}
	value, err := io.ReadAll(io.LimitReader(part, formFieldLimit+1))
	if err != nil {
		return uploadError(err)
	}
	if len(value) > formFieldLimit {
		// It is not refused here: the rule of the field returns the error, together with the errors of
		// other fields.
		value = bytes.ToValidUTF8(value, nil)
	}
	// Clients also write the name of a list with brackets, such as projectLabels[].
	name = strings.TrimSuffix(name, "[]")
	before, twice := f.fields[name]
	if twice && name != "projectLabels" {
		return domain.Invalid(name, "The field is given twice.")
	}
	if !domain.Storable(string(value)) {
		return domain.Invalid(name, "The value contains characters that cannot be stored.")
	}
	if twice {
		// A list is sent as one field with commas, or as a field for each entry.
		value = append([]byte(before+","), value...)
	}
	f.fields[name] = string(value)
	return nil
}

// file reads the part that is the file.
func (f *form) file(part *multipart.Part, store func(io.Reader) (int64, error)) error {
	if f.stored || f.problem != nil {
		return domain.Invalid("file", "The field is given twice.")
	}
	f.fileName, f.mediaType = cleanFileName(part), part.Header.Get("Content-Type")
	return f.storeFile(part, store)
}

// storeFile passes all bytes of the file to store, if there are any.
func (f *form) storeFile(content io.Reader, store func(io.Reader) (int64, error)) error {
	sent := &arriving{in: content}
	buffered := bufio.NewReader(sent)
	// Without any byte nothing is stored, and the other fields are still read (problem).
	switch _, err := buffered.Peek(1); {
	case errors.Is(err, io.EOF):
		f.problem = domain.Invalid("file", "Please provide a valid file")
		return nil
	case err != nil:
		return uploadError(err)
	}
	sum := sha256.New()
	size, err := store(io.TeeReader(buffered, sum))
	// A body that breaks off also fails the store, so its own error comes first.
	if sent.err != nil {
		return uploadError(sent.err)
	}
	if err != nil {
		return uploadError(err)
	}
	f.stored, f.size = true, size
	sum.Sum(f.hash[:0])
	return nil
}

// arriving remembers the error of reading a client's body: a store that copies it reports
// only its own.
type arriving struct {
	in  io.Reader
	err error
}

// Read implements io.Reader.
func (s *arriving) Read(b []byte) (int, error) {
	n, err := s.in.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err //nolint:wrapcheck // io.EOF must stay unwrapped
}

// uploadError returns the store's error for a file, and specific errors for the ways in which
// reading the body can fail.
func uploadError(err error) error {
	var d *domain.Error
	var timeout net.Error
	switch {
	case errors.As(err, &d):
		return d
	case errors.As(err, &timeout) && timeout.Timeout():
		return newProblem(codeOfStatus(http.StatusRequestTimeout), "The upload came to a halt", "")
	case errors.Is(err, multipart.ErrMessageTooLarge):
		return domain.Errorf(domain.CodeTooLarge, "The headers of the form are too large").WithCause(err)
	}
	var malformed textproto.ProtocolError
	// Package multipart has no type for this error, so its text is compared.
	if errors.As(err, &malformed) || errors.Is(err, bufio.ErrBufferFull) || strings.Contains(err.Error(), "expecting a new Part") {
		return domain.Errorf(domain.CodeBadRequest, "The form is not well formed: its parts cannot be told apart").WithCause(err)
	}
	return domain.Errorf(domain.CodeBadRequest, "The upload was cut short").WithCause(err)
}

// cleanFileName returns the last element of the name that the client sent, without control
// characters and with at most 255 bytes. It is shown, never used as a path.
func cleanFileName(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return "file"
	}
	name := strings.ToValidUTF8(params["filename"], "\uFFFD")
	// Both kinds of separators, because the file may come from any system.
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, name))
	// A name that is too long loses the end of its stem and keeps its extension, which tells the
	// kind of the file. Something longer is no extension.
	extension := filepath.Ext(name)
	if len(extension) > 16 {
		extension = ""
	}
	for stem := strings.TrimSuffix(name, extension); len(name) > 255; name = stem + extension {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	// A name of dots alone would be that of a folder.
	if strings.Trim(name, ".") == "" {
		return "file"
	}
	return name
}

// fieldOr returns a form field, or a default if the form does not have it.
func (f *form) fieldOr(name, otherwise string) string {
	if value, ok := f.fields[name]; ok {
		return strings.TrimSpace(value)
	}
	return otherwise
}

// uploaded returns the form's values about its file.
func (f *form) uploaded() *domain.UploadedFile {
	return &domain.UploadedFile{Name: f.fileName, MediaType: f.mediaType, Said: f.fields["type"], Size: f.size, Options: f.options()}
}

// options returns the form's options for reading the file.
func (f *form) options() domain.FileOptions {
	return domain.FileOptions{Delimiter: f.fields["delimiter"]}
}

// together joins several errors, so that a person sees all wrong fields at once. An error
// that is not a validation error is returned alone. The joined error has the first one's
// message.
func together(errs ...error) error {
	var (
		all   domain.Checks
		whole string
	)
	for _, err := range errs {
		if err == nil {
			continue
		}
		var d *domain.Error
		if !errors.As(err, &d) || d.Code != domain.CodeInvalid || len(d.Fields) == 0 {
			return err
		}
		if whole == "" {
			whole = d.Message
		}
		for _, field := range d.Fields {
			all.Require(false, field.Field, field.Message)
		}
	}
	err := all.Err()
	var d *domain.Error
	if errors.As(err, &d) {
		d.Message = whole
	}
	return err
}
