package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

const (
	unsupportedFile = "Error: Unsupported file type. Please upload a valid file format."
	formFieldLimit  = 64 << 10
	formPartsLimit  = 20
	// uploadOverhead is what a multipart body may have around the file.
	uploadOverhead = 1 << 20
	sniffLength    = 512
)

// upload is the input of a call with a file. The body is read by the handler,
// part by part.
type upload struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"The same key again answers the first result and creates nothing (24 hours)."`

	body        io.Reader
	contentType string
}

// Resolve implements huma.Resolver: it keeps the body for the handler.
func (u *upload) Resolve(ctx huma.Context) []error {
	u.body = ctx.BodyReader()
	u.contentType = ctx.Header("Content-Type")
	return nil
}

// form is a multipart body that was read. The file's bytes went to store.
type form struct {
	fields   map[string]string
	fileName string
	size     int64
	hash     [sha256.Size]byte // of the file
	stored   bool
}

// readForm reads the parts in whatever order they come and hands the file to store.
func (u *upload) readForm(store func(fileName string, r io.Reader) (int64, error)) (*form, error) {
	kind, params, err := mime.ParseMediaType(u.contentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return nil, domain.Errorf(domain.CodeUnsupportedType, "The body must be multipart/form-data")
	}
	if u.body == nil {
		return nil, domain.Invalid("file", "Please select a file")
	}
	f := &form{fields: map[string]string{}}
	parts := multipart.NewReader(u.body, params["boundary"])
	for count := 0; ; count++ {
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
	// What stands behind the last part belongs to nobody, but must be read.
	if _, err := io.Copy(io.Discard, io.LimitReader(u.body, formFieldLimit)); err != nil {
		return f, uploadError(err)
	}
	if !f.stored {
		return f, domain.Invalid("file", "Please select a file")
	}
	return f, nil
}

func (f *form) part(part *multipart.Part, store func(string, io.Reader) (int64, error)) error {
	name := wire.Camel(part.FormName())
	if name != "file" {
		value, err := io.ReadAll(io.LimitReader(part, formFieldLimit+1))
		if err != nil {
			return uploadError(err)
		}
		if len(value) > formFieldLimit {
			return domain.Invalid(name, "The value is too long.")
		}
		if _, twice := f.fields[name]; twice {
			return domain.Invalid(name, "The field is given twice.")
		}
		if !domain.Storable(string(value)) {
			return domain.Invalid(name, "The value contains characters that cannot be stored.")
		}
		f.fields[name] = string(value)
		return nil
	}
	if f.stored {
		return domain.Invalid("file", "The field is given twice.")
	}
	f.fileName = cleanFileName(part)
	head := make([]byte, sniffLength)
	n, err := io.ReadFull(part, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return uploadError(err)
	}
	if n == 0 {
		return domain.Invalid("file", "Please provide a valid file")
	}
	if err := checkContent(head[:n]); err != nil {
		return err
	}
	sum := sha256.New()
	size, err := store(f.fileName, io.TeeReader(io.MultiReader(strings.NewReader(string(head[:n])), part), sum))
	if err != nil {
		return uploadError(err)
	}
	f.stored, f.size = true, size
	sum.Sum(f.hash[:0])
	return nil
}

// uploadError keeps what the store says of a file and names the ways in which
// a client's body can end badly.
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
	return domain.Errorf(domain.CodeBadRequest, "The upload was cut short").WithCause(err)
}

// checkContent refuses at its first bytes what can only be another kind of
// file. What may be text is looked at by the connector, in its own process.
func checkContent(head []byte) error {
	kind := http.DetectContentType(head)
	if strings.HasPrefix(kind, "text/plain") || kind == "application/octet-stream" && !executable(head) {
		return nil
	}
	return domain.Errorf(domain.CodeUnsupportedType, unsupportedFile)
}

func executable(head []byte) bool {
	s := string(head)
	return strings.HasPrefix(s, "MZ") || strings.HasPrefix(s, "\x7fELF") || strings.HasPrefix(s, "\xcf\xfa\xed\xfe")
}

// cleanFileName is the last element of the name that the client sent, without
// control characters and at most 255 bytes. It is shown, never used as a path.
func cleanFileName(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return "file"
	}
	name := strings.ToValidUTF8(params["filename"], "\uFFFD")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, name))
	extension := filepath.Ext(name)
	if len(extension) > 16 {
		extension = ""
	}
	for stem := strings.TrimSuffix(name, extension); len(name) > 255; name = stem + extension {
		_, size := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-size]
	}
	if strings.Trim(name, ".") == "" {
		return "file"
	}
	return name
}

// typeOf finds the kind of a file by the form's type field, else by its name,
// with csv as the default.
func (s *Server) typeOf(f *form) (domain.DataSourceType, connectors.Connector, error) {
	kind := domain.DataSourceType(strings.ToLower(f.fields["type"]))
	if kind == "" {
		switch ext := strings.ToLower(filepath.Ext(f.fileName)); ext {
		case ".csv", ".tsv", ".txt", ".tab", "":
			kind = domain.DataSourceCSV
		default:
			kind = domain.DataSourceType(strings.TrimPrefix(ext, "."))
		}
	}
	inspector, ok := s.Inspectors[kind]
	if !ok {
		return "", nil, domain.Errorf(domain.CodeUnsupportedType, unsupportedFile)
	}
	return kind, inspector, nil
}

func (s *Server) fileInfo(ctx context.Context, in *upload) (*body[wire.FileInfo], error) {
	if err := s.uploads.take(callerOf(ctx).UserID); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.TempDir, "parley-info-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the upload")
	}
	defer s.removeAll(ctx, dir)
	path := filepath.Join(dir, "upload")
	f, err := in.readForm(func(_ string, r io.Reader) (int64, error) { return writeFile(path, r) })
	if err != nil {
		return nil, err
	}
	_, inspector, err := s.typeOf(f)
	if err != nil {
		return nil, err
	}
	info, err := inspector.Inspect(ctx, path, f.fileName, connectors.FileOptions{Delimiter: f.fields["delimiter"]})
	if err != nil {
		return nil, err
	}
	return answer(wire.NewFileInfo(info)), nil
}

// writeFile copies at most domain.UploadMax bytes into a new file.
func writeFile(path string, r io.Reader) (int64, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, domain.Internal(err, "the upload cannot be written")
	}
	n, err := io.Copy(file, io.LimitReader(r, domain.UploadMax+1))
	if closeErr := file.Close(); err == nil && closeErr != nil {
		err = domain.Internal(closeErr, "the upload cannot be written")
	}
	if err == nil && n > domain.UploadMax {
		err = domain.Errorf(domain.CodeTooLarge, "The file is larger than 200 MB")
	}
	return n, err
}

func (s *Server) createDataSource(ctx context.Context, in *upload) (*body[wire.DataSource], error) {
	caller := callerOf(ctx)
	if err := s.uploads.take(caller.UserID); err != nil {
		return nil, err
	}
	place := strconv.FormatInt(caller.OrganisationID, 10) + "/" + uuid.Must(uuid.NewV7()).String()
	n := domain.NewDataSource{FileKey: "uploads/" + place, WorkKey: "prepared/" + place}

	f, err := in.readForm(func(_ string, r io.Reader) (int64, error) {
		return s.Files.Put(ctx, n.FileKey, "application/octet-stream", r, domain.UploadMax)
	})
	if err == nil {
		var d *domain.DataSource
		if d, err = s.keepUpload(ctx, in, f, &n); err == nil {
			if d.FileKey != n.FileKey {
				// The key was used before: the first result stands and these bytes are not needed.
				s.discard(ctx, n.FileKey, n.WorkKey)
			}
			return answer(wire.NewDataSource(d)), nil
		}
	}
	s.discard(ctx, n.FileKey, n.WorkKey)
	return nil, err
}

// keepUpload prepares the stored file and makes the data source of it.
func (s *Server) keepUpload(ctx context.Context, in *upload, f *form, n *domain.NewDataSource) (*domain.DataSource, error) {
	kind, inspector, err := s.typeOf(f)
	if err != nil {
		return nil, err
	}
	n.Type, n.FileName, n.Size = kind, f.fileName, f.size
	if n.Scope, n.ConversationID, err = scopeOf(f); err != nil {
		return nil, err
	}
	info, err := s.prepare(ctx, inspector, f, n)
	if err != nil {
		return nil, err
	}
	n.Resources = info.Resources
	n.Name = given(f, "name", domain.Shorten(strings.TrimSuffix(f.fileName, filepath.Ext(f.fileName)), domain.DataSourceNameMax))
	n.Description = strings.TrimSpace(f.fields["description"])
	if err := n.Validate(); err != nil {
		return nil, err
	}
	n.Key, err = idempotency(in.IdempotencyKey, map[string]any{"fields": f.fields, "file": hex.EncodeToString(f.hash[:])})
	if err != nil {
		return nil, err
	}
	return s.DataSources.CreateDataSource(ctx, callerOf(ctx), *n)
}

// prepare writes the database that queries read and stores it under n.WorkKey.
func (s *Server) prepare(ctx context.Context, inspector connectors.Connector, f *form, n *domain.NewDataSource) (*domain.FileInfo, error) {
	path, err := s.Files.LocalPath(ctx, n.FileKey)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.TempDir, "parley-prepare-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the preparation")
	}
	defer s.removeAll(ctx, dir)
	work := filepath.Join(dir, "work")
	info, err := inspector.Prepare(ctx, path, f.fileName, work, connectors.FileOptions{Delimiter: f.fields["delimiter"]})
	if err != nil {
		return nil, err
	}
	prepared, err := os.Open(work)
	if err != nil {
		return nil, domain.Internal(err, "the prepared file is missing")
	}
	defer func() { _ = prepared.Close() }() // only read from
	// A prepared database holds statistics and indexes beside the data.
	if _, err := s.Files.Put(ctx, n.WorkKey, "application/octet-stream", prepared, 8*domain.UploadMax); err != nil {
		return nil, err
	}
	return info, nil
}

// given is a form field, or a default where the form does not have it.
func given(f *form, name, otherwise string) string {
	if value, ok := f.fields[name]; ok {
		return strings.TrimSpace(value)
	}
	return otherwise
}

// scopeOf reads whom the data source is to belong to.
func scopeOf(f *form) (domain.DataSourceScope, uuid.UUID, error) {
	var conversation uuid.UUID
	if raw := f.fields["conversationId"]; raw != "" {
		id, err := uuid.Parse(raw)
		if err != nil {
			return "", uuid.Nil, domain.Invalid("conversationId", "The conversation's id is not valid")
		}
		conversation = id
	}
	switch scope := domain.DataSourceScope(f.fields["scope"]); scope {
	case "", domain.ScopeUser:
		return domain.ScopeUser, uuid.Nil, nil
	case domain.ScopeOrganisation:
		return scope, uuid.Nil, nil
	case domain.ScopeConversation:
		if conversation == uuid.Nil {
			return "", uuid.Nil, domain.Invalid("conversationId", "Please name the conversation")
		}
		return scope, conversation, nil
	}
	return "", uuid.Nil, domain.Invalid("scope", "The scope must be user, conversation or organization")
}

// discard takes back what an upload left in the file store. It goes on when
// the request was cancelled, for then most of all something is left.
func (s *Server) discard(ctx context.Context, keys ...string) {
	ctx = context.WithoutCancel(ctx)
	for _, key := range keys {
		if err := s.Files.Delete(ctx, key); err != nil && domain.CodeOf(err) != domain.CodeNotFound {
			s.log.LogAttrs(ctx, slog.LevelWarn, "an upload was left behind", slog.String("key", key), slog.Any("error", err))
		}
	}
}

func (s *Server) removeAll(ctx context.Context, dir string) {
	if err := os.RemoveAll(dir); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "a folder was left behind", slog.String("path", dir), slog.Any("error", err))
	}
}
