package api

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

type downloadDataSource struct {
	ID       int64  `path:"id"`
	Format   string `query:"format" maxLength:"10" doc:"original (the default): the uploaded file, unchanged. csv or xlsx: one of its tables (413 if it has too many rows); a cell that a spreadsheet would read as a formula gets an apostrophe in front. A file that is not a table is also returned for the name of its own type."`
	Resource int64  `query:"resource" doc:"With format: the id of the table. The default is the first table."`
	Ranged
}

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

func (s *Server) changeDataSource(ctx context.Context, in *uploadTo) (*body[wire.DataSource], error) {
	if strings.HasPrefix(strings.ToLower(in.contentType), "multipart/form-data") {
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

func (s *Server) replaceFile(ctx context.Context, in *uploadTo) (*body[wire.DataSource], error) {
	return s.changeByForm(ctx, in, domain.ReplaceFile, textFileMissing)
}

// changeByForm reads a form with fields and a file. missing is the error text if there is no
// file; empty means that the file is optional.
func (s *Server) changeByForm(ctx context.Context, in *uploadTo, action domain.Action, missing string) (*body[wire.DataSource], error) {
	d, err := s.DataSources.DataSource(ctx, callerOf(ctx), in.ID)
	if err == nil {
		// The right to a request without any body was not checked before.
		err = action.Ask(callerOf(ctx), d.Standing(callerOf(ctx)))
	}
	if err != nil {
		return nil, err
	}
	var u domain.DataSourceUpdate
	r, err := s.receive(ctx, &in.upload, callerOf(ctx).ChangeKey.Key, d.Size, missing, func(f *form) error {
		if f.fields["type"] == "" && in.Format != "" {
			f.fields["type"] = in.Format
		}
		if f.stored {
			if err := domain.ReplaceFile.Ask(callerOf(ctx), d.Standing(callerOf(ctx))); err != nil {
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
	defer r.upload.Release(ctx)
	if u.Version, err = in.from(u.Version); err == nil {
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

func (s *Server) update(ctx context.Context, id int64, u domain.DataSourceUpdate) (*body[wire.DataSource], error) {
	d, err := s.DataSources.UpdateDataSource(ctx, callerOf(ctx), id, u)
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

// decodeBody reads a JSON body that huma does not know of, as strictly as huma does.
func decodeBody[T any](in io.Reader, into *T) error {
	if in == nil {
		in = bytes.NewReader(nil)
	}
	raw, err := io.ReadAll(io.LimitReader(in, bodyLimit))
	if err != nil {
		return uploadError(err)
	}
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

func (s *Server) syncDataSource(ctx context.Context, in *dataSourceID) (*body[wire.DataSource], error) {
	caller := callerOf(ctx)
	d, err := s.DataSources.DataSource(ctx, caller, in.ID)
	if err == nil {
		err = domain.ChangeDataSource.Ask(caller, d.Standing(caller))
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
	d, err = s.DataSources.ResyncDataSource(ctx, caller, in.ID, domain.DataSourceFile{
		FileKey: file.FileKey, WorkKey: file.WorkKey,
		Resources: file.Resources,
	})
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

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
	if why := d.Unread(); why != "" {
		return nil, domain.Invalid("format", why)
	}
	return s.sendTable(ctx, d, in.Resource, format, in.part())
}
