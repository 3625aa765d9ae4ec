package api

// Uploads of files: the check of a file that is not kept, and the creation of a connector from a
// file or from a table of a conversation. Intake stores and prepares the file (connectors/intake);
// the form is read here, in one pass over the body.

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// received is a stored and prepared file, with its form.
type received struct {
	*form
	upload domain.Upload
	// file is nil if it is optional and the form had none.
	file *domain.DataSourceFile
}

// receive reads a form with a file, and lets Intake store the file and prepare it for
// queries: for a new data source, and for another file of an existing one. check validates
// the other fields; its errors are returned together with the errors of the file; it may be
// nil. missing is the error text if there is no file; if it is empty the file is optional,
// and received.file may be nil. key is the request's idempotency key, and replaced the size
// in bytes of the file that the new one replaces.
//
//	r, err := s.receive(ctx, in, key, 0, textFileMissing, nil)
//	if err != nil { return nil, err }        // nothing stays stored
//	defer r.upload.Release(ctx)
//	...store r.file...
//
// Errors: CodeInvalid, CodeTooLarge (the file, or a quota), CodeUnsupportedType,
// CodeTooMany, CodeNotFound for a display object that the caller may not see.
func (s *Server) receive(
	ctx context.Context, in *upload, key string, replaced int64, missing string, check func(f *form) error,
) (*received, error) {
	caller := callerOf(ctx)
	// Each upload counts, also one that fails later, because it costs as much.
	if err := s.uploads.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	r := &received{upload: s.Intake.Begin(caller, key, replaced)}
	keep := func(body io.Reader) (int64, error) { return r.upload.Keep(ctx, body) }
	var err error
	r.form, err = in.readForm(keep)
	if err == nil {
		err = s.judge(ctx, r.form, keep, missing, check)
	}
	if err == nil && r.stored {
		// The fields are checked before the file is prepared, which is the expensive part.
		r.file, err = r.upload.Prepare(ctx, r.uploaded())
	}
	if err != nil {
		// Nothing refers to the files yet, so they are removed.
		r.upload.Release(ctx)
		return nil, err
	}
	return r, nil
}

// The specification's texts for a form without the file that it needs.
const (
	textSelectFile  = "Please select a file" // of a connector
	textFileMissing = "File is required"     // of a form whose only purpose is the file
)

// correctFileName turns the error of a file name into an error of the whole form, which says how
// to correct it.
func correctFileName(err error) error {
	var wrong *domain.Error
	if errors.As(err, &wrong) {
		named := *wrong
		named.Message = "Please correct the file name before submitting"
		return &named
	}
	return err
}

// judge returns all errors of a form at once: of its file, which may be a display object that
// the form names, and of its fields.
func (s *Server) judge(ctx context.Context, f *form, keep func(io.Reader) (int64, error), missing string, check func(*form) error) error {
	problem := f.problem
	if problem == nil && !f.stored {
		if problem = s.copyObject(ctx, f, keep); domain.CodeOf(problem) == domain.CodeNotFound {
			return problem
		}
		if problem == nil && !f.stored && missing != "" {
			problem = domain.Invalid("file", missing)
		}
	}
	if problem == nil && f.stored {
		problem = correctFileName(domain.CheckFileName(f.fileName))
	}
	var rest error
	if check != nil {
		rest = check(f)
	}
	return together(problem, rest, f.options().Validate())
}

// copyObject uses the display object that the form names as the file, if it names one. The
// caller must be able to read its conversation: a person who only reviews the feedback on it
// may not copy anything of it.
func (s *Server) copyObject(ctx context.Context, f *form, keep func(io.Reader) (int64, error)) error {
	raw, ok := f.fields["displayObjectId"]
	if !ok || raw == "" {
		return nil
	}
	notFound := domain.NotFound("Display object")
	id, err := uuid.Parse(raw)
	if err != nil {
		// A malformed id is answered as an unknown one.
		return notFound
	}
	reader := callerOf(ctx)
	// Without the flag a superuser has only the rights of a reader.
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
	f.fileName = domain.KeptFileName(withExtension(plainName(object.Name), string(object.Type)))
	return f.storeFile(content, keep)
}

// fileInfo inspects a file and proposes a name and a description for it. Nothing stays stored.
func (s *Server) fileInfo(ctx context.Context, in *upload) (*body[wire.FileInfo], error) {
	caller := callerOf(ctx)
	if err := s.uploads.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	trial, err := s.Intake.BeginTrial(caller)
	if err != nil {
		return nil, err
	}
	defer trial.Release(ctx)
	f, err := in.readForm(func(r io.Reader) (int64, error) { return trial.Keep(ctx, r) })
	if err != nil {
		return nil, err
	}
	problem := f.problem
	if problem == nil && !f.stored {
		problem = domain.Invalid("file", textSelectFile)
	}
	// A file may have any name on the person's disk; people may edit the name in the form
	// before the file is stored.
	if domain.CheckFileName(f.fileName) != nil {
		f.fileName = domain.KeptFileName(f.fileName)
	}
	if err := together(problem, f.options().Validate()); err != nil {
		return nil, err
	}
	info, err := trial.Inspect(ctx, f.uploaded())
	if err != nil {
		return nil, err
	}
	return answer(wire.NewFileInfo(info)), nil
}

// createDataSource makes a connector from a file. The file is stored before the row: if the node
// stops between the two, the file has no row and is removed later, and never the other way round.
func (s *Server) createDataSource(ctx context.Context, in *newUpload) (*body[wire.DataSource], error) {
	var n domain.NewDataSource
	r, err := s.receive(ctx, &in.upload, in.IdempotencyKey, 0, textSelectFile, func(f *form) error {
		var placing error
		n.Scope, n.ConversationID, placing = scopeOf(f)
		n.Name, n.Description = f.fieldOr("name", domain.NameOfFile(f.fileName)), f.fieldOr("description", "")
		// The name of the file is the default, and a form without a file has none; the missing file
		// is the error then.
		if _, given := f.fields["name"]; !f.stored && !given {
			n.Name = "file" // a valid name is proposed later
		}
		return together(placing, n.Validate())
	})
	if err != nil {
		return nil, err
	}
	defer r.upload.Release(ctx)
	// A description that the person has not changed is marked, so that a later reading of the file
	// may replace it.
	n.DescriptionGenerated = n.Description == strings.TrimSpace(r.file.Description)
	n.Type, n.FileName, n.Size, n.Resources = r.file.Type, r.file.FileName, r.file.Size, r.file.Resources
	n.FileKey, n.WorkKey, n.Delimiter = r.file.FileKey, r.file.WorkKey, r.file.Delimiter
	// The file is part of the hash: the same key with another file is 422.
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

// scopeOf returns the scope of the data source.
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

// removeAll removes a temporary folder. A folder that cannot be removed costs only disk space, so
// it is logged.
func (s *Server) removeAll(ctx context.Context, dir string) {
	if err := os.RemoveAll(dir); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "a folder was left behind", slog.String("path", dir), slog.Any("error", err))
	}
}
