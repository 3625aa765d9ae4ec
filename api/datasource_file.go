package api

// The calls on the file of a connector: read it again, replace it, download it. An upload is read
// part by part and is never in memory as a whole, so huma does not know of its body; changeBody and
// uploadBody add it to the description afterwards.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// getDataSource is the input of a call that shows one connector.
type getDataSource struct {
	ID                int64 `path:"id"`
	RegeneratePreview bool  `query:"regeneratePreview" doc:"Reads the file again to make the previews."`
}

// uploadTo is the input of a call on one data source that may send a file.
type uploadTo struct {
	upload
	Versioned
	ID     int64  `path:"id"`
	Format string `query:"format" maxLength:"10" doc:"The type of the file, used if its content does not show the type."`
}

// downloadDataSource is the input of a download. Only the original file has stable bytes, but a
// range is accepted for each format.
type downloadDataSource struct {
	ID       int64  `path:"id"`
	Format   string `query:"format" maxLength:"10" doc:"original (the default): the uploaded file, unchanged. csv or xlsx: one of its tables (413 if it has too many rows); a cell that a spreadsheet would read as a formula gets an apostrophe in front. A file that is not a table is also returned for the name of its own type."`
	Resource int64  `query:"resource" doc:"With format: the id of the table. The default is the first table."`
	Ranged
}

// dataSourceFileRoutes registers the calls of this file.
func (s *Server) dataSourceFileRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/datasources/{id}/file", Tags: tags,
		Summary:     "Download the file of a connector, or one of its tables in another format",
		Description: "Returned as an attachment. Supports one Range. 403 for types whose file cannot be downloaded. 422 for other formats.",
		Responses: map[string]*huma.Response{
			"200": {Description: "The whole content", Content: fileContent()},
			"206": {Description: "The requested range of the content", Content: fileContent()},
		},
	}, needs(domain.UseDataSource), s.downloadDataSource)

	register(a, s.log, huma.Operation{
		Method: http.MethodPut, Path: "/memory/datasources/{id}/file", Tags: tags, Summary: "Replace the file of a connector",
		Description: "The new file may have other columns and tables. Running queries continue with the old file.",
	}, needs(domain.ReplaceFile), s.replaceFile)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/datasources/{id}/sync", Tags: tags, Summary: "Read the data of a connector again",
	}, needs(domain.ChangeDataSource), s.syncDataSource)
}

// dataSource answers a connector with its tables.
func (s *Server) dataSource(ctx context.Context, in *getDataSource) (*body[wire.DataSource], error) {
	d, err := s.DataSources.DataSource(ctx, callerOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	if in.RegeneratePreview {
		if err := s.refreshPreviews(ctx, d); err != nil {
			return nil, err
		}
	}
	return s.showSource(ctx, d)
}

// refreshPreviews reads the file again. The result is shown and not stored: a GET changes
// nothing, and the call sync stores it.
func (s *Server) refreshPreviews(ctx context.Context, d *domain.DataSource) error {
	if !s.Intake.Takes(d.Type) || !d.CanSync() {
		return nil // there is nothing to read except the stored previews
	}
	// Reading a file again costs as much as the first time.
	if err := s.reads.allow(ctx, callerOf(ctx).UserID); err != nil {
		return err
	}
	return s.Intake.Refresh(ctx, callerOf(ctx), d)
}

// changeDataSource reads a change that comes as JSON, or as a form with a file. The content type
// decides.
func (s *Server) changeDataSource(ctx context.Context, in *uploadTo) (*body[wire.DataSource], error) {
	if strings.HasPrefix(strings.ToLower(in.contentType), "multipart/form-data") {
		// A form without a file needs only the right to change the connector; with one,
		// changeByForm checks the greater right.
		return s.changeByForm(ctx, in, domain.ChangeDataSource, "")
	}
	var changes wire.DataSourceChanges
	if err := decodeBody(in.body, &changes); err != nil {
		return nil, err
	}
	u := changes.Update()
	var err error
	if u.Version, err = in.from(u.Version); err != nil {
		return nil, err
	}
	return s.update(ctx, in.ID, u)
}

// replaceFile reads a form whose only purpose is the file.
func (s *Server) replaceFile(ctx context.Context, in *uploadTo) (*body[wire.DataSource], error) {
	return s.changeByForm(ctx, in, domain.ReplaceFile, textFileMissing)
}

// changeByForm reads a form with fields and a file. missing is the error text if there is no
// file; empty means that the file is optional.
func (s *Server) changeByForm(ctx context.Context, in *uploadTo, action domain.Action, missing string) (*body[wire.DataSource], error) {
	d, err := s.DataSources.DataSource(ctx, callerOf(ctx), in.ID)
	if err == nil {
		// The right to a request without any body was not checked before.
		err = action.Authorize(callerOf(ctx), d.Relation(callerOf(ctx)))
	}
	if err != nil {
		return nil, err
	}
	var u domain.DataSourceUpdate
	// The quota counts only the growth: the file that is replaced gives its bytes back. The key
	// makes a repeated request pass a full quota, because its file is not kept.
	r, err := s.receive(ctx, &in.upload, callerOf(ctx).Idempotency.Key, d.Size, missing, func(f *form) error {
		if f.fields["type"] == "" && in.Format != "" {
			f.fields["type"] = in.Format
		}
		// Whether there is a file is known only now, after its bytes have arrived. People with a
		// share for writing may change the words and not the file.
		if f.stored {
			if err := domain.ReplaceFile.Authorize(callerOf(ctx), d.Relation(callerOf(ctx))); err != nil {
				return err
			}
		}
		var fileRefused error
		if f.stored {
			fileRefused = d.Type.AcceptsFile()
		}
		var err error
		u, err = updateOfForm(f)
		return together(fileRefused, err, u.Validate())
	})
	if err != nil {
		return nil, err
	}
	// After a success the connector refers to the files, and Release removes only what nothing
	// refers to.
	defer r.upload.Release(ctx)
	if u.Version, err = in.from(u.Version); err == nil {
		// The form is added to the hash before the change, so that the same key with another file
		// is 422.
		err = requestOf(ctx).addForm(r.form)
	}
	if err == nil {
		u.File = r.file
		d, err = s.DataSources.UpdateDataSource(ctx, callerOf(ctx), in.ID, u)
	}
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

// updateOfForm reads the fields in addition to the file. Ids of projects are one field,
// separated by commas or as a JSON array.
func updateOfForm(f *form) (domain.DataSourceUpdate, error) {
	var (
		changes wire.DataSourceChanges
		wrong   []error
	)
	for name, into := range map[string]**string{"name": &changes.Name, "description": &changes.Description, "scope": &changes.Scope} {
		if value, ok := f.fields[name]; ok {
			*into = &value
		}
	}
	if value, ok := f.fields["projectLabels"]; ok {
		ids, err := domain.ParseIDs("projectLabels", []string{strings.Trim(strings.TrimSpace(value), "[]")})
		changes.ProjectLabels, wrong = (*wire.LabelIDs)(&ids), append(wrong, err)
	}
	if value := strings.TrimSpace(f.fields["version"]); value != "" {
		version, err := strconv.Atoi(value)
		if err != nil || version < 1 {
			wrong = append(wrong, domain.Invalid("version", "The version is not valid"))
		}
		changes.Version = version
	}
	return changes.Update(), together(wrong...)
}

// update makes the change and answers the connector as it is then.
func (s *Server) update(ctx context.Context, id int64, u domain.DataSourceUpdate) (*body[wire.DataSource], error) {
	d, err := s.DataSources.UpdateDataSource(ctx, callerOf(ctx), id, u)
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

// decodeBody reads a JSON body that huma does not know of, as strictly as huma does.
func decodeBody[T any](in io.Reader, into *T) error {
	// A missing body is read as an empty one, which is the same error.
	if in == nil {
		in = bytes.NewReader(nil)
	}
	// The limit is that of every JSON body; the outer limit of this call is that of an upload.
	raw, err := io.ReadAll(io.LimitReader(in, bodyLimit))
	if err != nil {
		return uploadError(err)
	}
	// The text is validated as a plain value first, because the validator needs to see unknown and
	// missing fields.
	var value any
	if len(raw) == 0 {
		return domain.Invalid("", "This call needs a body.")
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return domain.Errorf(domain.CodeBadRequest, "The body is not valid JSON").WithCause(err)
	}
	var wrong domain.Checks
	for _, err := range huma.NewModelValidator().Validate(reflect.TypeFor[T](), value) {
		field := ProblemField{Message: err.Error()}
		if detail, ok := err.(*huma.ErrorDetail); ok { //nolint:errorlint // the validator returns the plain type
			field = fieldOf(detail)
		}
		wrong.Require(false, field.Field, field.Message)
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return domain.Invalid("", "The value is not valid.").WithCause(err)
	}
	return nil
}

// syncDataSource reads the data of a connector again, and stores the new tables and previews. It
// changes no words, and may be repeated without harm.
func (s *Server) syncDataSource(ctx context.Context, in *dataSourceID) (*body[wire.DataSource], error) {
	caller := callerOf(ctx)
	d, err := s.DataSources.DataSource(ctx, caller, in.ID)
	// A call without a body is not checked early (right.go), so the right is checked here, before
	// the expensive part.
	if err == nil {
		err = domain.ChangeDataSource.Authorize(caller, d.Relation(caller))
	}
	if err != nil {
		return nil, err
	}
	if d.IsWarehouse() {
		return s.syncConnection(ctx, d)
	}
	if !s.Intake.Takes(d.Type) || !d.CanSync() {
		return nil, domain.Errorf(domain.CodeInvalid, "This connector has nothing to be read again")
	}
	// This also costs as much as reading the file the first time.
	if err := s.reads.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	upload, file, err := s.Intake.Again(ctx, caller, d)
	if err != nil {
		return nil, err
	}
	defer upload.Release(ctx)
	// CodeConflict means that another file was uploaded meanwhile; then the new one counts and this
	// result is dropped.
	d, err = s.DataSources.ResyncDataSource(ctx, caller, in.ID, domain.DataSourceFile{
		FileKey: file.FileKey, WorkKey: file.WorkKey,
		Resources: file.Resources,
	})
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

// downloadDataSource sends the uploaded file, or one of its tables in another format.
func (s *Server) downloadDataSource(ctx context.Context, in *downloadDataSource) (*streamResponse, error) {
	d, err := s.DataSources.DataSource(ctx, callerOf(ctx), in.ID)
	if err != nil {
		return nil, err
	}
	if err := d.CanDownload(); err != nil {
		return nil, err
	}
	format := strings.ToLower(strings.TrimSpace(in.Format))
	// Without a format the answer is the uploaded file, byte for byte. With one it is an
	// exported table, whose cells a spreadsheet does not run as formulas (E12), even if the
	// file has that format itself.
	exported := slices.Contains(s.variants(), format)
	if format == "" || format == "original" || format == string(d.Type) && !exported && in.Resource == 0 {
		return s.sendStored(ctx, d, in.part())
	}
	if !exported {
		return nil, domain.Invalid("format",
			`Format "`+domain.Shorten(format, 20)+`" currently not supported. This file comes as `+strings.Join(s.variants(), ", ")+" or as it is.")
	}
	// A file that can only be kept has no tables. The text says why.
	if why := d.Unread(); why != "" {
		return nil, domain.Invalid("format", why)
	}
	return s.sendTable(ctx, d, in.Resource, format, in.part())
}
