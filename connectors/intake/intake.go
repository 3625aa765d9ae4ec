// Package intake accepts files: it keeps people's uploads in the file store, finds out
// their kind, and prepares them for queries. It does not know how a file is sent, nor which
// data source will use it.
package intake

import (
	"context"
	"log/slog"
	"os"
	"strconv"

	"github.com/google/uuid"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/semaphore"
)

// Config of a Service.
type Config struct {
	// Files stores the files, and Account has an entry for each file that nothing refers to
	// yet. Required.
	Files   domain.FileStore
	Account domain.FileIntake
	// Readers read files, by type. A type that is missing here is not accepted.
	Readers map[domain.DataSourceType]connectors.FileReader
	// Quota says how much people may upload. Nil: without a limit.
	Quota domain.QuotaService
	// Readings bounds how many files of one person are read at once. Required.
	Readings *semaphore.PerPerson
	// TempDir holds files while they are inspected. Zero: the system's folder for temporary files.
	TempDir string
	// Logger receives errors that occur after the answer. Nil discards them.
	Logger *slog.Logger
}

func (c *Config) mustValidate() {
	switch {
	case c.Files == nil:
		panic("intake: Config.Files is missing")
	case c.Account == nil:
		panic("intake: Config.Account is missing")
	case c.Readings == nil:
		panic("intake: Config.Readings is missing")
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}

// Service implements domain.IntakeService.
type Service struct{ cfg Config }

var _ domain.IntakeService = (*Service)(nil)

// New makes a service. It starts nothing.
func New(cfg Config) *Service {
	cfg.mustValidate()
	return &Service{cfg: cfg}
}

// Takes implements domain.IntakeService.
func (s *Service) Takes(kind domain.DataSourceType) bool { return s.cfg.Readers[kind] != nil }

// Begin implements domain.IntakeService.
func (s *Service) Begin(caller domain.Caller, request string, replaced int64) domain.Upload {
	return &upload{
		service: s, caller: caller, request: request, replaced: replaced,
		file: domain.DataSourceFile{FileKey: place(caller, "uploads/"), WorkKey: place(caller, "prepared/")},
	}
}

// BeginTrial implements domain.IntakeService.
func (s *Service) BeginTrial(caller domain.Caller) (domain.Trial, error) {
	dir, err := os.MkdirTemp(s.cfg.TempDir, "parley-info-")
	if err != nil {
		return nil, domain.Internal(err, "no folder for the upload")
	}
	return &trial{service: s, caller: caller, dir: dir}, nil
}

// Again implements domain.IntakeService.
func (s *Service) Again(ctx context.Context, caller domain.Caller, d *domain.DataSource) (domain.Upload, *domain.DataSourceFile, error) {
	reader, ok := s.cfg.Readers[d.Type]
	if !ok {
		return nil, nil, connectors.Untaken(d.Type)
	}
	path, err := s.cfg.Files.LocalPath(ctx, d.FileKey)
	if err != nil {
		return nil, nil, err
	}
	u := &upload{service: s, caller: caller, file: domain.DataSourceFile{FileKey: d.FileKey, WorkKey: place(caller, "prepared/")}}
	if err = u.note(ctx, u.file.WorkKey); err == nil {
		var info *domain.FileInfo
		info, err = u.prepare(ctx, reader, path, &domain.UploadedFile{Name: d.FileName, Options: domain.FileOptions{Delimiter: d.Delimiter}})
		if err == nil && info.Notice != "" {
			// Tables that were read before the converter was removed stay as they are.
			err = domain.Errorf(domain.CodeInvalid, "%s", info.Notice)
		}
	}
	if err != nil {
		u.Release(ctx)
		return nil, nil, err
	}
	return u, &u.file, nil
}

// Refresh implements domain.IntakeService.
func (s *Service) Refresh(ctx context.Context, caller domain.Caller, d *domain.DataSource) error {
	reader, ok := s.cfg.Readers[d.Type]
	if !ok {
		return connectors.Untaken(d.Type)
	}
	path, err := s.cfg.Files.LocalPath(ctx, d.FileKey)
	if err != nil {
		return err
	}
	info, err := s.inspect(ctx, caller, reader, path,
		&domain.UploadedFile{Name: d.FileName, Options: domain.FileOptions{Delimiter: d.Delimiter}})
	if err != nil {
		return err
	}
	for i := range d.Resources {
		for j := range info.Resources {
			if info.Resources[j].Table == d.Resources[i].Table {
				d.Resources[i].Preview, d.Resources[i].Rows = info.Resources[j].Preview, info.Resources[j].Rows
			}
		}
	}
	return nil
}

// reader finds the reader of a file: by its bytes, and by the sender's values if the bytes
// do not decide.
func (s *Service) reader(path string, f *domain.UploadedFile) (connectors.FileReader, error) {
	kind, err := connectors.Detect(connectors.Upload{Path: path, FileName: f.Name, MediaType: f.MediaType, Said: f.Said})
	if err != nil {
		return nil, err
	}
	reader, ok := s.cfg.Readers[kind]
	if !ok {
		return nil, connectors.Untaken(kind)
	}
	return reader, nil
}

// inspect inspects a file as soon as fewer of the person's files are being read than the limit.
func (s *Service) inspect(
	ctx context.Context, caller domain.Caller, reader connectors.FileReader, path string, f *domain.UploadedFile,
) (*domain.FileInfo, error) {
	release, err := s.cfg.Readings.Acquire(ctx, caller.UserID)
	if err != nil {
		return nil, err
	}
	defer release()
	return reader.Inspect(ctx, path, f.Name, f.Options)
}

func (s *Service) removeAll(ctx context.Context, dir string) {
	if err := os.RemoveAll(dir); err != nil {
		s.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "a folder was left behind", slog.String("path", dir), slog.Any("error", err))
	}
}

// place returns an unused key of the file store.
func place(caller domain.Caller, folder string) string {
	return folder + strconv.FormatInt(caller.OrganisationID, 10) + "/" + uuid.Must(uuid.NewV7()).String()
}
