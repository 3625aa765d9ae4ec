package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"reflect"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley.dev/parley/api/stream"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/semaphore"
	"parley.dev/parley/internal/telemetry"
)

// Services are the domain services that the API calls. All of them are required.
type Services struct {
	Users         domain.UserService
	Rights        domain.RightsService
	SignIns       domain.SignInService
	Conversations domain.ConversationService
	Engine        domain.ConversationEngine
	DataSources   domain.DataSourceService
	Facts         domain.FactsService
	Meaning       domain.MeaningService
	Corrections   domain.CorrectionService
	Credentials   domain.CredentialService
	Analysts      domain.AnalystService
	Feedback      domain.FeedbackService
	Memories      domain.MemoryService
	ProjectLabels domain.ProjectLabelService
	Blueprints    domain.BlueprintService
	Tasks         domain.TaskService
	Usage         domain.UsageService
	Cluster       domain.ClusterService
}

// Shared is state that nodes share and that is not durable. All of it is required.
type Shared struct {
	// Rates counts how much people send and upload.
	Rates domain.RateCounter
	// Seats limit open streams.
	Seats domain.SeatKeeper
	// Hints tell the other nodes which sign-ins have ended.
	Hints domain.HintBoard
}

// Config is what a Server needs. Fields whose zero value is not described are required.
type Config struct {
	// Addr is the address for people, OperatorAddr the address for health and metrics. Port 0
	// means any free port. An empty OperatorAddr opens no operator port.
	Addr         string
	OperatorAddr string
	// Profiling serves profiles of the running program on the operator port. Zero: no profiles.
	Profiling bool
	// URL is the public address of the product, such as https://parley.example.
	// Its origin is the one from which browsers may open sockets.
	URL string
	// Origins are further origins of browsers. Zero: none.
	Origins []string
	// Hosts are further names of the server, which are also valid on the operator port. Zero:
	// only the names in URL and Origins; other calls are answered with 400.
	Hosts []string
	// Proxies are the networks of trusted proxies, whose header says which client a request
	// comes from. Zero: none.
	Proxies []netip.Prefix
	// ProxyHeader is that header: HeaderForwardedFor or HeaderForwarded. Zero:
	// HeaderForwardedFor.
	ProxyHeader string

	Services
	Shared
	// Models are the models that agents can have, the default one first. Zero: no agent can be
	// created.
	Models []domain.AgentModel
	Files  domain.FileStore
	// Intake stores and prepares uploaded files (connectors/intake.Service). Required.
	Intake domain.IntakeService
	// Readings limits how many files of one person are read or converted at once, by Intake
	// and by exports together. Zero: a separate limit.
	Readings *semaphore.PerPerson

	// Questions offers questions to start with (analyst/provider/builtin.Provider). Required.
	Questions QuestionOffer
	// Workbench reads tables of data sources (connectors/workbench.Bench).
	Workbench Workbench
	// Warehouses describe remote databases. Nil: none can be connected.
	Warehouses domain.WarehouseService
	// Exporter writes tables in other formats. Nil: objects are sent as they are stored.
	Exporter Exporter
	// Streams connects sockets to the engine (actors.System).
	Streams stream.Connector
	// Tokens checks bearers (auth.Verifier).
	Tokens TokenVerifier
	// LinkKey signs links to display objects: at least 32 bytes, the same on every node.
	LinkKey []byte

	// Identity is an embedded identity provider, served below /dex. Nil: there is none.
	Identity http.Handler
	// Web are the built pages (web/dist). Nil: only the API is served.
	Web fs.FS
	// Browser is what the pages read from /config.json.
	Browser BrowserConfig

	// TempDir holds uploads while they are checked. Zero: the directory of the system.
	TempDir string
	Limits  Limits

	// Ready are the checks of /readyz, in their order. Zero: always ready.
	Ready []ReadyCheck
	// Metrics is the registry of the server's metrics, which /metrics shows. Zero: a separate
	// registry.
	Metrics *prometheus.Registry
	// Clock returns the time. Zero: the clock of the machine.
	Clock clock.Clock
	// Tracer makes the traces. Nil: none.
	Tracer *telemetry.Tracer
	// Logger gets the log lines. Zero: the default logger of slog.
	Logger *slog.Logger
}

// BrowserConfig is what the pages must know before a person is signed in. It contains no
// secret.
type BrowserConfig struct {
	Issuer   string
	ClientID string
	Scope    string
	// Audience is sent to a provider that requires one. Zero: not sent.
	Audience string
	// Version of the server. Zero: not sent.
	Version string
	// Collector is the DSN of the collector to which pages report errors, traces and session
	// replays, and may connect. Zero: they report nothing.
	Collector string
}

// browserDocument is /config.json, with the field names of the browser's OIDC library.
type browserDocument struct {
	OIDC struct {
		Authority string `json:"authority"`
		ClientID  string `json:"clientId"`
		Scope     string `json:"scope"`
		// RedirectURI is empty: a sign-in returns to the origin where the page was opened.
		RedirectURI string `json:"redirectUri"`
		Audience    string `json:"audience,omitempty"`
	} `json:"oidc"`
	Version   string `json:"version"`
	Collector string `json:"collector,omitempty"`
}

func (b BrowserConfig) document() browserDocument {
	var d browserDocument
	d.OIDC.Authority, d.OIDC.ClientID, d.OIDC.Scope = b.Issuer, b.ClientID, b.Scope
	d.OIDC.Audience, d.Version, d.Collector = b.Audience, b.Version, b.Collector
	return d
}

// Limits restrict what one caller may use. A zero field means the default, a negative field
// no limit.
type Limits struct {
	SocketsPerUser    int           // 50
	SocketsPerAddress int           // 500
	SendsPerMinute    int           // 60 prompts for each user
	UploadsPerHour    int           // 200 files for each user
	ReadTime          time.Duration // 30 s until the headers and the first bytes of a body, or a whole JSON body, have arrived
	RequestTime       time.Duration // 30 s for a call without an upload
	UploadTime        time.Duration // 15 min for an upload with its preparation
	UploadStall       time.Duration // 30 s without a byte of an upload
}

// ReadyCheck is one condition under which the server accepts requests.
type ReadyCheck struct {
	Name  string
	Check func(ctx context.Context) error
	// Note returns what the answer of /readyz says in addition when the check passes; nil or
	// empty: nothing.
	Note func() string
}

// Workbench runs one SELECT over the tables of data sources.
type Workbench interface {
	Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error)
}

// QuestionOffer makes at most limit questions that the sources can answer, from the
// descriptions of their tables; it reads no data.
type QuestionOffer interface {
	Offer(sources []domain.DataSource, limit int) []domain.OfferedQuestion
}

// Exporter converts a stored table, a CSV file at path, to another format
// (connectors/workbench.Bench).
type Exporter interface {
	// Formats lists the formats that Export supports.
	Formats() []string
	// Export writes the table to outPath. The columns say how people read it, in the order of
	// the table; nil if that is not known. CodeInvalid for an unknown format, CodeTooLarge for
	// a table that the format cannot hold.
	Export(ctx context.Context, path, format string, columns []domain.ShownColumn, outPath string) error
}

// TokenVerifier verifies a bearer. Errors: CodeUnauthenticated, CodeUnavailable if the keys
// of the provider cannot be fetched.
type TokenVerifier interface {
	Verify(ctx context.Context, token string) (domain.Identity, error)
}

const (
	headerLimit     = 16 << 10 // bytes of all headers of a request
	bodyLimit       = 1 << 20  // bytes of a JSON body
	idleTimeout     = 75 * time.Second
	writeTimeout    = 5 * time.Minute
	shutdownTimeout = 10 * time.Second
	linkLife        = 5 * time.Minute
)

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Readings == nil {
		c.Readings = semaphore.New(domain.FilesAtOnce)
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Metrics == nil {
		c.Metrics = prometheus.NewRegistry()
	}
	c.ProxyHeader = orDefault(c.ProxyHeader, HeaderForwardedFor)
	l := &c.Limits
	l.SocketsPerUser = orDefault(l.SocketsPerUser, 50)
	l.SocketsPerAddress = orDefault(l.SocketsPerAddress, 500)
	l.SendsPerMinute = orDefault(l.SendsPerMinute, 60)
	l.UploadsPerHour = orDefault(l.UploadsPerHour, 200)
	l.ReadTime = orDefault(l.ReadTime, 30*time.Second)
	l.RequestTime = orDefault(l.RequestTime, 30*time.Second)
	l.UploadTime = orDefault(l.UploadTime, 15*time.Minute)
	l.UploadStall = orDefault(l.UploadStall, 30*time.Second)
	return c
}

func orDefault[T comparable](v, def T) T {
	var zero T
	if v == zero {
		return def
	}
	return v
}

// mustValidate panics if a required field is missing.
func (c Config) mustValidate() {
	for _, group := range []reflect.Value{reflect.ValueOf(c.Services), reflect.ValueOf(c.Shared)} {
		for i := range group.NumField() {
			if group.Field(i).IsNil() {
				panic("api: Config." + group.Type().Field(i).Name + " is missing")
			}
		}
	}
	switch {
	case c.Addr == "":
		panic("api: Config.Addr is missing")
	case c.URL == "":
		panic("api: Config.URL is missing")
	case c.ProxyHeader != HeaderForwardedFor && c.ProxyHeader != HeaderForwarded:
		panic("api: Config.ProxyHeader is not one that is known")
	case c.Files == nil:
		panic("api: Config.Files is missing")
	case c.Intake == nil:
		panic("api: Config.Intake is missing")
	case c.Questions == nil:
		panic("api: Config.Questions is missing")
	case c.Workbench == nil:
		panic("api: Config.Workbench is missing")
	case c.Streams == nil:
		panic("api: Config.Streams is missing")
	case c.Tokens == nil:
		panic("api: Config.Tokens is missing")
	case len(c.LinkKey) < 32:
		panic("api: Config.LinkKey needs at least 32 bytes")
	}
}
