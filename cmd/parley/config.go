package main

// The configuration: one table of environment variables, with their defaults and their meaning. The
// command config prints it, and docs/operating.md explains it. All errors of the values are
// reported together, before anything is opened.

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"parley.dev/parley/api"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/egress"
)

// config holds the settings from the environment. No package outside cmd reads the environment.
// Fields have the unit of their variable; a comment names it where the name of the field does not.
type config struct {
	addr          string
	operatorAddr  string
	profiling     bool
	publicURL     string
	hosts         []string
	proxies       []netip.Prefix
	proxyHeader   string
	operator      string // the organization that runs the server
	dataDir       string
	databaseURL   string
	oidcIssuer    string
	oidcClientID  string
	oidcAudience  string
	bearerSeconds int    // of the embedded provider
	issuerURL     string // resolved: the one of this node, the one of another node, or oidcIssuer
	pgBin         string
	nodeName      string
	clusterAddr   string
	clusterSeen   string // the address of clusterAddr as other nodes see it; empty if it is the same
	openAIURL     string
	openAIKey     string
	openAIModel   string
	openAIWindow  int
	modelSilence  int // seconds
	filesURL      string
	secretKey     string
	webDir        string
	webCollector  string
	workerPath    string
	requireWalls  bool
	hyperProgram  string
	pptProgram    string
	scripted      bool
	loadPeople    int
	scriptedCalls string
	demoRemote    bool
	redisURL      string
	connectAllow  []egress.Rule
	connectDeny   []egress.Rule
	connectPlain  []egress.Rule
	signInsPerMin int
	sendsPerMin   int
	uploadsHour   int
	quotaPerson   int // MB
	quotaOrg      int // MB
	turns         int
	socketsUser   int
	socketsAddr   int
	sessionIdle   int // minutes
	sessionMost   int // minutes
	logLevel      string
	logFormat     string
	drainSeconds  int
	databaseWait  int // seconds
	creditsInput  float64
	creditsOutput float64
	creditsTurn   float64
}

// The values of PARLEY_LOG_FORMAT.
const (
	formatText = "text"
	formatJSON = "json"
)

// variable is one environment variable: its default, its meaning, and how its text is parsed.
type variable struct {
	name, standard, meaning string
	set                     func(c *config, text string) error
}

// text accepts any text.
func text(at func(*config) *string) func(*config, string) error {
	return func(c *config, s string) error { *at(c) = s; return nil }
}

// yesNo parses what strconv.ParseBool accepts, such as true, false, 1 and 0.
func yesNo(at func(*config) *bool) func(*config, string) error {
	return func(c *config, s string) error {
		b, err := strconv.ParseBool(s)
		if err != nil {
			return errors.New("must be true or false")
		}
		*at(c) = b
		return nil
	}
}

// number parses a whole number between two limits, both included.
func number(at func(*config) *int, low, high int) func(*config, string) error {
	return func(c *config, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil || n < low || n > high {
			return fmt.Errorf("must be a whole number from %d to %d", low, high)
		}
		*at(c) = n
		return nil
	}
}

// amount parses a number that may have a fraction; it is not negative.
func amount(at func(*config) *float64) func(*config, string) error {
	return func(c *config, s string) error {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || n < 0 {
			return errors.New("must be a number of at least 0")
		}
		*at(c) = n
		return nil
	}
}

// address parses host:port. An empty text leaves the field empty.
func address(at func(*config) *string) func(*config, string) error {
	return func(c *config, s string) error {
		if s == "" {
			return nil
		}
		if _, _, err := net.SplitHostPort(s); err != nil {
			return errors.New("must be host:port")
		}
		*at(c) = s
		return nil
	}
}

// link parses a URL with one of the schemes. An empty text leaves the field empty; nothing is
// connected to here.
func link(at func(*config) *string, schemes ...string) func(*config, string) error {
	return func(c *config, s string) error {
		if s == "" {
			return nil
		}
		u, err := url.Parse(s)
		if err == nil {
			for _, scheme := range schemes {
				if u.Scheme == scheme {
					*at(c) = s
					return nil
				}
			}
		}
		return fmt.Errorf("must be a URL with one of %s", strings.Join(schemes, ", "))
	}
}

// collectorAddress matches the address of a project at a collector (a Sentry DSN), as the library in the browser parses it.
var collectorAddress = regexp.MustCompile(`^https?://\w+@(\[[:.%\w]+\]|[\w.-]+)(:\d+)?(/[\w.-]+)*/\d+$`)

// collector parses the address of a collector. Older addresses have a secret after a colon,
// which permits reading: it must not be sent to browsers.
func collector(at func(*config) *string) func(*config, string) error {
	return func(c *config, s string) error {
		if s == "" {
			return nil
		}
		// A secret must be found before the pattern is compared, because the error about it is the
		// more important one.
		u, err := url.Parse(s)
		if err == nil && u.User != nil {
			if _, secret := u.User.Password(); secret {
				return errors.New("must be without its secret, the part from the second colon to the @: every browser is told this address")
			}
		}
		if err != nil || !collectorAddress.MatchString(s) {
			return errors.New("must be a DSN such as https://key@collector.example/1: a public key, a host, a project's number")
		}
		*at(c) = s
		return nil
	}
}

// executable parses the absolute path of an executable file.
func executable(at func(*config) *string) func(*config, string) error {
	return func(c *config, s string) error {
		if s == "" {
			return nil
		}
		// A wrong path is found at the start and not at the first file.
		if !workbench.IsProgram(s) {
			return errors.New("must be the whole path of a program")
		}
		*at(c) = s
		return nil
	}
}

// texts parses texts that are separated by commas.
func texts(at func(*config) *[]string) func(*config, string) error {
	return func(c *config, s string) error {
		for entry := range strings.SplitSeq(s, ",") {
			if entry = strings.TrimSpace(entry); entry != "" {
				*at(c) = append(*at(c), entry)
			}
		}
		return nil
	}
}

// networks parses networks and single addresses that are separated by commas.
func networks(at func(*config) *[]netip.Prefix) func(*config, string) error {
	return func(c *config, s string) error {
		for entry := range strings.SplitSeq(s, ",") {
			if entry = strings.TrimSpace(entry); entry == "" {
				continue
			}
			network, err := netip.ParsePrefix(entry)
			if err != nil {
				// A single address is a network of one.
				ip, err := netip.ParseAddr(entry)
				if err != nil {
					return errors.New("must be networks such as 10.0.0.0/8, or addresses, with commas between them")
				}
				// An IPv4 address that is written as IPv6 is the same address.
				network = netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen())
			}
			// Bits behind the prefix are dropped: 10.1.2.3/8 means 10.0.0.0/8.
			*at(c) = append(*at(c), network.Masked())
		}
		return nil
	}
}

// hosts parses a list of hosts and networks that connectors may or may not reach.
func hosts(at func(*config) *[]egress.Rule) func(*config, string) error {
	return func(c *config, s string) error {
		rules, err := egress.ParseRules(s)
		*at(c) = rules
		return err
	}
}

// variables is the only table of the configuration: reading, printing and documentation all use it.
func variables() []variable {
	return []variable{
		{"PARLEY_ADDR", "localhost:8080", "where people connect, host:port", address(func(c *config) *string { return &c.addr })},
		{
			"PARLEY_OPERATOR_ADDR", "localhost:8081", "health and metrics, host:port; keep it private",
			address(func(c *config) *string { return &c.operatorAddr }),
		},
		{
			"PARLEY_PROFILING", "false", "true serves profiles of the running program on PARLEY_OPERATOR_ADDR, /debug/pprof/",
			yesNo(func(c *config) *bool { return &c.profiling }),
		},
		{
			"PARLEY_URL", "", "the URL that browsers see; default http:// and PARLEY_ADDR",
			link(func(c *config) *string { return &c.publicURL }, "http", "https"),
		},
		{
			"PARLEY_HOSTS", "", "further names by which this server is called, with commas, on both ports; other calls are answered 400",
			texts(func(c *config) *[]string { return &c.hosts }),
		},
		{"PARLEY_TRUSTED_PROXIES", "", "networks of the proxies that are believed when they say whom a request comes from, with commas; " +
			"default none", networks(func(c *config) *[]netip.Prefix { return &c.proxies })},
		{
			"PARLEY_PROXY_HEADER", api.HeaderForwardedFor, "the header in which they do, " + api.HeaderForwardedFor + " or " + api.HeaderForwarded,
			func(c *config, s string) error {
				for _, header := range []string{api.HeaderForwardedFor, api.HeaderForwarded} {
					if strings.EqualFold(s, header) {
						c.proxyHeader = header
						return nil
					}
				}
				return errors.New("must be " + api.HeaderForwardedFor + " or " + api.HeaderForwarded)
			},
		},
		{
			"PARLEY_OPERATOR_ORGANIZATION", "", "name of the organization whose superusers see the page /cluster; default nobody, with the " +
				"embedded sign-in the first demo organization", text(func(c *config) *string { return &c.operator }),
		},
		{"PARLEY_DATA", ".parley", "folder of the embedded database and files", text(func(c *config) *string { return &c.dataDir })},
		{
			"PARLEY_FILES", "", "where files are kept (file://…); default a folder in PARLEY_DATA",
			link(func(c *config) *string { return &c.filesURL }, "file"),
		},
		{
			"DATABASE_URL", "", "Postgres 15 or later; default an embedded one in PARLEY_DATA",
			link(func(c *config) *string { return &c.databaseURL }, "postgres", "postgresql"),
		},
		{
			"PARLEY_DATABASE_WAIT_SECONDS", "120", "how long a starting node waits for the database of DATABASE_URL; 0 does not wait",
			number(func(c *config) *int { return &c.databaseWait }, 0, 86400),
		},
		{"REDIS_URL", "", "Redis that nodes share (redis://, rediss://, unix://): limits, hints, presence; default each node keeps " +
			"them by itself", link(func(c *config) *string { return &c.redisURL }, "redis", "rediss", "unix")},
		{
			"PG_BIN", "", "folder of the Postgres programs for the embedded database; default found by itself",
			text(func(c *config) *string { return &c.pgBin }),
		},
		{"PARLEY_SECRET_KEY", "", "key that encrypts people's secrets, 32 bytes in base64; several with commas, the first one encrypts; " +
			"default a file in PARLEY_DATA", text(func(c *config) *string { return &c.secretKey })},
		{
			"OIDC_ISSUER", "", "OpenID provider; default an embedded one with demo people",
			link(func(c *config) *string { return &c.oidcIssuer }, "http", "https"),
		},
		{"OIDC_CLIENT_ID", "parley-web", "the browser's client id at the provider", text(func(c *config) *string { return &c.oidcClientID })},
		{
			"OIDC_AUDIENCE", "", "audience of access tokens; default OIDC_CLIENT_ID, or the embedded provider's",
			text(func(c *config) *string { return &c.oidcAudience }),
		},
		{
			"PARLEY_BEARER_SECONDS", "43200", "seconds for which a bearer of the embedded provider is valid; pages renew theirs before",
			number(func(c *config) *int { return &c.bearerSeconds }, 10, 12*60*60),
		},
		{
			"PARLEY_SESSION_IDLE_MINUTES", "240", "minutes without a call, keep-alives aside, after which a session ends",
			number(func(c *config) *int { return &c.sessionIdle }, 1, 60*24*365),
		},
		{
			"PARLEY_SESSION_MINUTES", "720", "minutes after which a session ends in any case",
			number(func(c *config) *int { return &c.sessionMost }, 1, 60*24*365),
		},
		{
			"OPENAI_BASE_URL", "", "a compatible model endpoint; without it agents use the builtin planner",
			link(func(c *config) *string { return &c.openAIURL }, "http", "https"),
		},
		{"OPENAI_API_KEY", "", "its key", text(func(c *config) *string { return &c.openAIKey })},
		{"OPENAI_MODEL", "", "its model, for the default agent", text(func(c *config) *string { return &c.openAIModel })},
		{"OPENAI_CONTEXT_TOKENS", "0", "tokens that a context of its models may have, with the answer; 0 for what is known of a model " +
			"by its name", number(func(c *config) *int { return &c.openAIWindow }, 0, 100_000_000)},
		// The limit is below the ten minutes after which a turn ends in any case.
		{"PARLEY_MODEL_SILENCE_SECONDS", "60", "seconds in which no byte comes from a model after which its call ends; more where a server " +
			"loads its model first", number(func(c *config) *int { return &c.modelSilence }, 1, 540)},
		{"PARLEY_CREDITS_INPUT", "1", "credits per 1,000 input tokens", amount(func(c *config) *float64 { return &c.creditsInput })},
		{"PARLEY_CREDITS_OUTPUT", "4", "credits per 1,000 output tokens", amount(func(c *config) *float64 { return &c.creditsOutput })},
		{
			"PARLEY_CREDITS_PER_TURN", "0", "credits that one answer may use; 0 for any number",
			amount(func(c *config) *float64 { return &c.creditsTurn }),
		},
		{
			"PARLEY_NODE", "", "name of this node, the same after a restart; default from the host and PARLEY_ADDR",
			text(func(c *config) *string { return &c.nodeName }),
		},
		{
			"PARLEY_CLUSTER_ADDR", "127.0.0.1:0", "where this node listens for other nodes, host:port",
			address(func(c *config) *string { return &c.clusterAddr }),
		},
		{
			"PARLEY_CLUSTER_ADVERTISE", "", "where other nodes reach this one, host:port; default PARLEY_CLUSTER_ADDR",
			address(func(c *config) *string { return &c.clusterSeen }),
		},
		{"PARLEY_SCRIPTED", "false", "true offers the scripted agent of the load tester", yesNo(func(c *config) *bool { return &c.scripted })},
		{
			"PARLEY_SCRIPTED_CALLS", "", "file to which the scripted agent appends each of its calls, for checkers; empty means none",
			text(func(c *config) *string { return &c.scriptedCalls }),
		},
		{
			"PARLEY_SCRIPTED_PEOPLE", "200", "people of the load tester; PARLEY_SOCKETS_PER_USER limits the sockets of each",
			number(func(c *config) *int { return &c.loadPeople }, 0, 100_000),
		},
		{
			"PARLEY_DEMO_REMOTE", "false", "true lets the demo people sign in from other machines; their passwords are on the page",
			yesNo(func(c *config) *bool { return &c.demoRemote }),
		},
		{
			"PARLEY_SIGN_INS_PER_MINUTE", "100", "attempts to sign in at the embedded provider, for one person and from one address, in a minute",
			number(func(c *config) *int { return &c.signInsPerMin }, 1, 1_000_000),
		},
		{
			"PARLEY_SENDS_PER_MINUTE", "60", "prompts that one person may send in a minute",
			number(func(c *config) *int { return &c.sendsPerMin }, 1, 1_000_000),
		},
		{
			"PARLEY_UPLOADS_PER_HOUR", "200", "files that one person may upload in an hour",
			number(func(c *config) *int { return &c.uploadsHour }, 1, 1_000_000),
		},
		{
			"PARLEY_QUOTA_PERSON_MB", "10240", "megabytes of files that one person may keep; 0 for any number",
			number(func(c *config) *int { return &c.quotaPerson }, 0, 1<<30),
		},
		{
			"PARLEY_QUOTA_ORGANIZATION_MB", "102400", "megabytes of files that an organization may keep; 0 for any number",
			number(func(c *config) *int { return &c.quotaOrg }, 0, 1<<30),
		},
		{
			"PARLEY_TURNS", "0", "answers that this node makes at the same time; more wait, in turn for each organization and person; 0 for " +
				"3,000 for each processor", number(func(c *config) *int { return &c.turns }, 0, 1_000_000),
		},
		{"PARLEY_SOCKETS_PER_USER", "50", "open streams of one person", number(func(c *config) *int { return &c.socketsUser }, 1, 1_000_000)},
		{
			"PARLEY_SOCKETS_PER_ADDRESS", "500", "open streams of one address",
			number(func(c *config) *int { return &c.socketsAddr }, 1, 1_000_000),
		},
		{
			"PARLEY_DRAIN_SECONDS", "60", "how long a stopping node waits for running turns; what ends it must wait a minute longer",
			number(func(c *config) *int { return &c.drainSeconds }, 0, 3600),
		},
		{"PARLEY_WEB", "", "folder of the built web; default next to the program", text(func(c *config) *string { return &c.webDir })},
		{"PARLEY_WEB_COLLECTOR", "", "DSN of a Sentry-compatible collector to which pages send errors, traces and masked session replays; " +
			"default none, nothing is sent (docs/operating.md)", collector(func(c *config) *string { return &c.webCollector })},
		{"PARLEY_WORKER", "", "the query worker; default next to the program", text(func(c *config) *string { return &c.workerPath })},
		{"PARLEY_WORKER_WALLS", "prefer", "require: do not start where the machine allows queries and files only some of their walls " +
			"(docs/operating.md)", func(c *config, s string) error {
			if s != "prefer" && s != "require" {
				return errors.New("must be prefer or require")
			}
			c.requireWalls = s == "require"
			return nil
		}},
		{"PARLEY_HYPER_CONVERTER", "", "program that reads Tableau's .hyper files, its whole path (docs/operating.md); default none, files " +
			"are kept unread", executable(func(c *config) *string { return &c.hyperProgram })},
		{
			"PARLEY_PPT_CONVERTER", "", "program that makes .pptx of .ppt files, its whole path; default none, .ppt is refused",
			executable(func(c *config) *string { return &c.pptProgram }),
		},
		{"PARLEY_CONNECTORS_ALLOW", "", "hosts, addresses and networks that connectors may reach besides public addresses, each with a port " +
			"where wanted, with commas (docs/operating.md); default none", hosts(func(c *config) *[]egress.Rule { return &c.connectAllow })},
		{"PARLEY_CONNECTORS_DENY", "", "the same for what they may not reach; * for all that PARLEY_CONNECTORS_ALLOW does not name; " +
			"default none", hosts(func(c *config) *[]egress.Rule { return &c.connectDeny })},
		{
			"PARLEY_CONNECTORS_PLAIN", "", "the same for hosts to which connections may go unencrypted; default none",
			hosts(func(c *config) *[]egress.Rule { return &c.connectPlain }),
		},
		{"PARLEY_LOG", "info", "debug, info, warn or error", func(c *config, s string) error {
			switch s {
			case "debug", "info", "warn", "error":
				c.logLevel = s
				return nil
			}
			return errors.New("must be debug, info, warn or error")
		}},
		{"PARLEY_LOG_FORMAT", formatText, "text for people, or json for a collector of logs: one object on each line", func(
			c *config, s string,
		) error {
			if s != formatText && s != formatJSON {
				return errors.New("must be text or json")
			}
			c.logFormat = s
			return nil
		}},
	}
}

// shown returns the variable for an error message, with its value only if that can hold no secret.
func (v variable) shown(value string) string {
	// These may have a password or a key in them, and an error is written to a log.
	switch v.name {
	case "DATABASE_URL", "REDIS_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "PARLEY_SECRET_KEY", "PARLEY_WEB_COLLECTOR":
		return v.name
	}
	return fmt.Sprintf("%s=%q", v.name, value)
}

// loadConfig reads every variable and reports all errors together.
func loadConfig(getenv func(string) string) (*config, error) {
	c := &config{}
	var wrong []error
	// A variable that is set to an empty text counts as not set.
	for _, v := range variables() {
		value := getenv(v.name)
		if value == "" {
			value = v.standard
		}
		if err := v.set(c, value); err != nil {
			wrong = append(wrong, fmt.Errorf("%s %w", v.shown(value), err))
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return nil, err
	}
	// The settings are only compared with each other once each of them is valid.
	return c, c.complete()
}

// complete checks settings against each other and fills in the defaults that depend on other settings.
func (c *config) complete() error {
	// The default is what a browser on this machine opens.
	if c.publicURL == "" {
		c.publicURL = "http://" + c.addr
	}
	c.publicURL = strings.TrimSuffix(c.publicURL, "/")
	// The demo passwords are in the documentation. With them a server must not be reachable from
	// other machines, unless the operator says so.
	if public, err := url.Parse(c.publicURL); c.embeddedIssuer() && !c.demoRemote && (err != nil || !isLoopback(public.Hostname())) {
		return fmt.Errorf("%s is not this machine alone, and the embedded sign-in has passwords that everybody knows: "+
			"set OIDC_ISSUER to a provider of your own, PARLEY_URL to http://localhost:PORT, or PARLEY_DEMO_REMOTE=true", c.publicURL)
	}
	if c.operator == "" && c.embeddedIssuer() {
		c.operator = demo.Organisations()[0].Name
	}
	// A browser refuses to call an unencrypted address from an encrypted page (mixed content).
	if strings.HasPrefix(c.publicURL, "https:") && strings.HasPrefix(c.webCollector, "http:") {
		return errors.New("PARLEY_WEB_COLLECTOR must begin with https: pages of PARLEY_URL, which does, cannot call it otherwise")
	}
	// The name must be the same after a restart, because it ends the node's earlier lease. The port
	// tells several nodes on one machine apart.
	if c.nodeName == "" {
		host, err := os.Hostname()
		if err != nil {
			return fmt.Errorf("the host has no name; set PARLEY_NODE: %w", err)
		}
		_, port, _ := net.SplitHostPort(c.addr)
		c.nodeName = host + ":" + port
	}
	if (c.openAIURL == "") != (c.openAIModel == "") {
		return errors.New("OPENAI_BASE_URL and OPENAI_MODEL go together")
	}
	var err error
	// Postgres is started in another folder, so the path must be absolute.
	if c.dataDir, err = filepath.Abs(c.dataDir); err != nil {
		return fmt.Errorf("PARLEY_DATA: %w", err)
	}
	// The worker and the web are found next to the program, as make build lays them out.
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program's own folder: %w", err)
	}
	beside := filepath.Dir(exe)
	if c.workerPath == "" {
		c.workerPath = filepath.Join(beside, "parley-worker")
	}
	if c.webDir == "" {
		c.webDir = filepath.Join(beside, "..", "web", "dist")
	}
	// A path may have characters that a URL cannot contain; url.URL escapes them.
	if c.filesURL == "" {
		c.filesURL = (&url.URL{Scheme: "file", Path: filepath.Join(c.dataDir, "files")}).String()
	}
	return nil
}

// isLoopback reports whether only this machine reaches a host.
// Other names are not resolved, and count as names that other machines can reach.
func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// silence is the longest time in which a model may send nothing.
func (c *config) silence() time.Duration { return time.Duration(c.modelSilence) * time.Second }

// turnsPerProcessor is more than a processor can do at 20 tokens a second (docs/performance.md): a limit
// for what no node should try, and not for its usual load.
const turnsPerProcessor = 3000

// slots is how many answers the node makes at the same time.
func (c *config) slots() int {
	if c.turns > 0 {
		return c.turns
	}
	return turnsPerProcessor * runtime.GOMAXPROCS(0)
}

// embeddedIssuer reports whether the node runs its own OpenID provider.
func (c *config) embeddedIssuer() bool { return c.oidcIssuer == "" }

// printVariables writes the table of the configuration.
func printVariables(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, v := range variables() {
		if _, err := fmt.Fprintf(t, "  %s\t%s\t%s\n", v.name, v.standard, v.meaning); err != nil {
			return fmt.Errorf("print the table: %w", err)
		}
	}
	return t.Flush() //nolint:wrapcheck // the writer's error needs no further context
}
