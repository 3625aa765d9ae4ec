package api

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

// received is a file that stands in the file store, was looked at, and has its
// prepared database beside it.
type received struct {
	*form
	// FileKey and WorkKey are noted before anything is stored under them. A data
	// source takes them, or they are given up by release.
	FileKey, WorkKey string
	// keys are those that were noted: WorkKey is emptied for a file that is only kept.
	keys []string
	Info *domain.FileInfo // Info.Type is the kind
}

// receive reads a form with a file, keeps the file, and prepares it for queries:
// for a new data source, and for another file of one that is there. check judges
// the other fields; what it finds is said together with what is wrong with the
// file, and it may be nil. missing is the text when no file came; where it is
// empty the file may be left out, and then Info is nil. key is the request's, and
// replaced the size of the file that the new one takes the place of.
//
//	r, err := s.receive(ctx, in, key, 0, textFileMissing, nil)
//	if err != nil { return nil, err }        // nothing is left behind
//	defer s.release(ctx, r)
//	...store r.FileKey, r.WorkKey, r.Info.Resources, r.fileName, r.size...
//
// Errors: CodeInvalid, CodeTooLarge (the file, or a quota), CodeUnsupportedType,
// CodeTooMany, CodeNotFound for a display object that is not the caller's to see.
func (s *Server) receive(ctx context.Context, in *upload, key string, replaced int64, missing string, check func(f *form) error) (*received, error) {
	caller := callerOf(ctx)
	if err := s.uploads.take(ctx, caller.UserID); err != nil {
		return nil, err
	}
	r := &received{FileKey: newPlace(caller, "uploads/"), WorkKey: newPlace(caller, "prepared/")}
	keep := func(body io.Reader) (int64, error) {
		// A form without a file needs neither room nor a note.
		room, err := s.uploadRoom(ctx, caller, key, replaced)
		if err != nil {
			return 0, err
		}
		if err := s.begin(ctx, r, r.FileKey, r.WorkKey); err != nil {
			return 0, err
		}
		n, err := s.Files.Put(ctx, r.FileKey, "application/octet-stream", body, min(room, domain.UploadMax))
		if domain.CodeOf(err) == domain.CodeTooLarge {
			err = tooLarge(room)
		}
		return n, err
	}
	var err error
	r.form, err = in.readForm(keep)
	if err == nil {
		err = s.finishReceiving(ctx, r, keep, missing, check)
	}
	if err != nil {
		s.release(ctx, r)
		return nil, err
	}
	return r, nil
}

// begin takes keys into the account before anything is stored under them.
func (s *Server) begin(ctx context.Context, r *received, keys ...string) error {
	if err := s.Intake.Begin(ctx, callerOf(ctx).OrganisationID, keys...); err != nil {
		return err
	}
	r.keys = keys
	return nil
}

// release gives up the files of an upload that no data source took. Whether one did is
// for the store to know: an error does not say that nothing was committed. It goes on
// when the request was cancelled, for then most of all something is left.
func (s *Server) release(ctx context.Context, r *received) {
	if len(r.keys) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTimeout)
	defer cancel()
	if err := s.Intake.End(ctx, callerOf(ctx).OrganisationID, r.keys...); err != nil {
		// The note stays, and with it the way to the files.
		s.log.LogAttrs(ctx, slog.LevelWarn, "files of an upload are removed later than usual", slog.Any("keys", r.keys), slog.Any("error", err))
	}
}

// releaseTimeout bounds what a request waits for at its end.
const releaseTimeout = 5 * time.Second

// The specification's texts for a form that comes without the file that it needs.
const (
	textSelectFile  = "Please select a file" // of a connector
	textFileMissing = "File is required"     // where the file is all that the form is for
)

// correctFileName says of what is wrong with a name what to do about it for the whole form.
func correctFileName(err error) error {
	var wrong *domain.Error
	if errors.As(err, &wrong) {
		named := *wrong
		named.Message = "Please correct the file name before submitting"
		return &named
	}
	return err
}

// newPlace is a key of the file store that nobody has.
func newPlace(caller domain.Caller, folder string) string {
	return folder + strconv.FormatInt(caller.OrganisationID, 10) + "/" + uuid.Must(uuid.NewV7()).String()
}

// finishReceiving judges and prepares what readForm kept.
func (s *Server) finishReceiving(ctx context.Context, r *received, keep func(io.Reader) (int64, error), missing string, check func(*form) error) error {
	problem := r.problem
	if problem == nil && !r.stored {
		if problem = s.copyObject(ctx, r.form, keep); domain.CodeOf(problem) == domain.CodeNotFound {
			return problem
		}
		if problem == nil && !r.stored && missing != "" {
			problem = domain.Invalid("file", missing)
		}
	}
	if problem == nil && r.stored {
		problem = correctFileName(connectors.CheckName(r.fileName))
	}
	var rest error
	if check != nil {
		rest = check(r.form)
	}
	if err := together(problem, rest, r.options().Validate()); err != nil || !r.stored {
		return err
	}
	path, err := s.Files.LocalPath(ctx, r.FileKey)
	if err != nil {
		return err
	}
	inspector, err := s.inspectorOf(r.form, path)
	if err != nil {
		return err
	}
	r.Info, err = s.prepare(ctx, inspector, r, path)
	return err
}

// uploadRoom is how many bytes the caller may upload.
func (s *Server) uploadRoom(ctx context.Context, caller domain.Caller, key string, replaced int64) (int64, error) {
	if s.Quota == nil {
		return domain.UploadMax, nil
	}
	return s.Quota.UploadRoom(ctx, caller, key, replaced)
}

// tooLarge words a file that does not fit.
func tooLarge(room int64) error {
	if room < domain.UploadMax {
		return domain.Errorf(domain.CodeTooLarge, "The file does not fit: %.1f MB are left for uploads. Delete connectors that are not needed, then upload it again.", float64(room)/(1<<20))
	}
	return domain.Errorf(domain.CodeTooLarge, "The file is larger than %d MB", domain.UploadMax>>20)
}

// copyObject takes the display object that the form names as the file, where it
// names one. The caller must be able to read its conversation: who only reviews the
// feedback on it keeps nothing of it.
func (s *Server) copyObject(ctx context.Context, f *form, keep func(io.Reader) (int64, error)) error {
	raw, ok := f.fields["displayObjectId"]
	if !ok || raw == "" {
		return nil
	}
	notFound := domain.NotFound("Display object")
	id, err := uuid.Parse(raw)
	if err != nil {
		return notFound
	}
	reader := callerOf(ctx)
	reader.IsSuperuser = false
	object, err := s.Conversations.DisplayObject(ctx, reader, id)
	if err != nil {
		return err
	}
	if object.Type != domain.DisplayCSV && object.Type != domain.DisplayXLSX && object.Type != domain.DisplayPPTX {
		return domain.Invalid("displayObjectId", "Only a table or a file can become a connector.")
	}
	content, err := s.Files.Get(ctx, object.FileKey, 0, -1)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // only read from
	f.fileName = connectors.KeptName(withExtension(plainName(object.Name), string(object.Type)))
	return f.take(content, keep)
}

// inspectorOf finds who reads the file: by its bytes, and by what the sender says
// of it where they leave that open.
func (s *Server) inspectorOf(f *form, path string) (connectors.FileReader, error) {
	kind, err := connectors.Detect(connectors.Upload{Path: path, FileName: f.fileName, MediaType: f.mediaType, Said: f.fields["type"]})
	if err != nil {
		return nil, err
	}
	inspector, ok := s.Inspectors[kind]
	if !ok {
		return nil, connectors.Untaken(kind)
	}
	return inspector, nil
}

// prepare writes the database that queries read and stores it under r.WorkKey, which
// is empty afterwards where the file can only be kept.
func (s *Server) prepare(ctx context.Context, inspector connectors.FileReader, r *received, path string) (*domain.FileInfo, error) {
	dir, err := os.MkdirTemp(s.TempDir, "parley-prepare-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the preparation")
	}
	defer s.removeAll(ctx, dir)
	work := filepath.Join(dir, "work")
	leave, err := s.reading.enter(ctx, callerOf(ctx).UserID)
	if err != nil {
		return nil, err
	}
	defer leave()
	info, err := inspector.Prepare(ctx, path, r.fileName, work, r.options())
	if err != nil {
		return nil, err
	}
	if info.Notice != "" {
		r.WorkKey = "" // there is nothing to ask yet
		return info, nil
	}
	prepared, err := os.Open(work)
	if err != nil {
		return nil, domain.Internal(err, "the prepared file is missing")
	}
	defer func() { _ = prepared.Close() }() // only read from
	// A prepared database holds statistics and indexes beside the data.
	if _, err := s.Files.Put(ctx, r.WorkKey, "application/octet-stream", prepared, 8*domain.UploadMax); err != nil {
		return nil, err
	}
	return info, nil
}

func (s *Server) fileInfo(ctx context.Context, in *upload) (*body[wire.FileInfo], error) {
	if err := s.uploads.take(ctx, callerOf(ctx).UserID); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(s.TempDir, "parley-info-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the upload")
	}
	defer s.removeAll(ctx, dir)
	path := filepath.Join(dir, "upload")
	f, err := in.readForm(func(r io.Reader) (int64, error) { return writeFile(path, r) })
	if err != nil {
		return nil, err
	}
	problem := f.problem
	if problem == nil && !f.stored {
		problem = domain.Invalid("file", textSelectFile)
	}
	// It comes from a disk under any name, which a form lets people edit before the
	// file is kept.
	if connectors.CheckName(f.fileName) != nil {
		f.fileName = connectors.KeptName(f.fileName)
	}
	if err := together(problem, f.options().Validate()); err != nil {
		return nil, err
	}
	inspector, err := s.inspectorOf(f, path)
	if err != nil {
		return nil, err
	}
	leave, err := s.reading.enter(ctx, callerOf(ctx).UserID)
	if err != nil {
		return nil, err
	}
	defer leave()
	info, err := inspector.Inspect(ctx, path, f.fileName, f.options())
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
		err = tooLarge(domain.UploadMax)
	}
	return n, err
}

func (s *Server) createDataSource(ctx context.Context, in *newUpload) (*body[wire.DataSource], error) {
	var n domain.NewDataSource
	r, err := s.receive(ctx, &in.upload, in.IdempotencyKey, 0, textSelectFile, func(f *form) error {
		var placing error
		n.Scope, n.ConversationID, placing = scopeOf(f)
		n.Name, n.Description = f.given("name", connectors.Name(f.fileName)), f.given("description", "")
		if _, given := f.fields["name"]; !f.stored && !given {
			n.Name = "file" // its name is proposed when there is one
		}
		return together(placing, n.Validate())
	})
	if err != nil {
		return nil, err
	}
	defer s.release(ctx, r)
	n.DescriptionGenerated = n.Description == strings.TrimSpace(r.Info.Description)
	n.Type, n.FileName, n.Size, n.Resources = r.Info.Type, r.fileName, r.size, r.Info.Resources
	n.FileKey, n.WorkKey, n.Delimiter = r.FileKey, r.WorkKey, r.fields["delimiter"]
	n.Key, err = idempotency(in.IdempotencyKey, map[string]any{"fields": r.fields, "file": hex.EncodeToString(r.hash[:])})
	if err != nil {
		return nil, err
	}
	d, err := s.DataSources.CreateDataSource(ctx, callerOf(ctx), n)
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
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
	switch scope := domain.DataSourceScope(strings.TrimSpace(f.fields["scope"])); scope {
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

func (s *Server) removeAll(ctx context.Context, dir string) {
	if err := os.RemoveAll(dir); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "a folder was left behind", slog.String("path", dir), slog.Any("error", err))
	}
}
