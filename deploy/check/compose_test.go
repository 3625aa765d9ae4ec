package check

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"
	"sigs.k8s.io/yaml"
)

// nodes are the names of the nodes in docker-compose.yml.
func nodes() []string { return []string{"node1", "node2", "node3"} }

// compose returns docker-compose.yml as compose reads it.
func compose(t *testing.T) *types.Project {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{"../../docker-compose.yml"}, cli.WithConsistency(true), cli.WithResolvedPaths(true))
	require.NoError(t, err)
	project, err := options.LoadProject(t.Context())
	require.NoError(t, err)
	return project
}

// after is how much longer what stops a node must wait than PARLEY_DRAIN_SECONDS.
const after = time.Minute

// drain is the default of PARLEY_DRAIN_SECONDS.
func drain(t *testing.T) time.Duration { t.Helper(); return seconds(t, "PARLEY_DRAIN_SECONDS") }

// seconds is the default of a variable in seconds.
func seconds(t *testing.T, variable string) time.Duration {
	t.Helper()
	found := regexp.MustCompile(`"` + variable + `", "(\d+)"`).FindStringSubmatch(read(t, "cmd", "parley", "config.go"))
	require.Len(t, found, 2, variable)
	d, err := time.ParseDuration(found[1] + "s")
	require.NoError(t, err)
	return d
}

// variables returns the environment variables that a node reads.
func variables(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, found := range regexp.MustCompile(`\{\s*"([A-Z_]+)", "`).FindAllStringSubmatch(read(t, "cmd", "parley", "config.go"), -1) {
		all = append(all, found[1])
	}
	require.Greater(t, len(all), 40, "the table of variables must be found")
	return all
}

func TestCompose(t *testing.T) {
	t.Parallel()
	project := compose(t)
	known := variables(t)
	subnet := project.Networks["default"].Ipam.Config[0].Subnet
	for i, name := range nodes() {
		node := project.Services[name]
		require.NotNil(t, node.StopGracePeriod, name)
		require.GreaterOrEqual(t, time.Duration(*node.StopGracePeriod), drain(t)+after, "%s would be killed while it drains", name)
		for variable := range node.Environment {
			require.Contains(t, known, variable, name)
		}
		value := func(variable string) string {
			require.NotNil(t, node.Environment[variable], "%s: %s", name, variable)
			return *node.Environment[variable]
		}
		require.Equal(t, name, value("PARLEY_NODE"))
		require.Equal(t, name+":8082", value("PARLEY_CLUSTER_ADDR"))
		require.Equal(t, subnet, value("PARLEY_TRUSTED_PROXIES"))
		require.Contains(t, strings.Split(value("PARLEY_HOSTS"), ","), name)
		require.Equal(t, []string{fmt.Sprint(8080 + 100*(i+1)), fmt.Sprint(8081 + 100*(i+1))}, published(node))
	}
	for name, service := range project.Services {
		for _, p := range service.Ports {
			require.Equal(t, "127.0.0.1", p.HostIP, "%s opens a port to other machines", name)
		}
		for _, v := range service.Volumes {
			if v.Type == types.VolumeTypeBind {
				_, err := os.Stat(v.Source)
				require.NoError(t, err, name)
			}
		}
		if service.Build == nil && service.Image != "parley" {
			require.Regexp(t, `:v?\d+[\d.]*(-alpine)?$`, service.Image, "%s has no version", name)
		}
	}
	require.Equal(t, []string{"8080", "8404"}, published(project.Services["balancer"]))
}

// published are the ports of this machine at which a service is reached.
func published(s types.ServiceConfig) []string {
	var ports []string
	for _, p := range s.Ports {
		ports = append(ports, p.Published)
	}
	return ports
}

// What stands beside the nodes names the nodes of docker-compose.yml, and no others.
func TestCompose_Neighbours(t *testing.T) {
	t.Parallel()
	var targets, servers []string
	for _, name := range nodes() {
		targets = append(targets, name+":8081")
		servers = append(servers, name+":8080")
	}
	var scraping struct {
		Configs []struct {
			Job     string `json:"job_name"`
			Statics []struct {
				Targets []string `json:"targets"`
			} `json:"static_configs"`
		} `json:"scrape_configs"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy", "prometheus", "prometheus.yml")), &scraping))
	require.Len(t, scraping.Configs, 1)
	require.Equal(t, "parley", scraping.Configs[0].Job)
	require.Equal(t, targets, scraping.Configs[0].Statics[0].Targets)

	var balanced []string
	server := regexp.MustCompile(`(?m)^  server \S+ "\$\{PARLEY_NODE\d-(\S+)\}" port "\$\{\w+-8081\}"$`)
	for _, found := range server.FindAllStringSubmatch(read(t, "deploy", "haproxy", "haproxy.cfg"), -1) {
		balanced = append(balanced, found[1])
	}
	require.Equal(t, servers, balanced)

	var source struct {
		Sources []struct {
			URL string `json:"url"`
		} `json:"datasources"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy", "grafana", "provisioning", "datasources", "prometheus.yml")), &source))
	require.Equal(t, "http://prometheus:9090", source.Sources[0].URL)
	var provider struct {
		Providers []struct {
			Options map[string]string `json:"options"`
		} `json:"providers"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, "deploy", "grafana", "provisioning", "dashboards", "parley.yml")), &provider))
	mounted := slices.IndexFunc(compose(t).Services["grafana"].Volumes, func(v types.ServiceVolumeConfig) bool {
		return v.Target == provider.Providers[0].Options["path"] && filepath.Base(v.Source) == "dashboards"
	})
	require.GreaterOrEqual(t, mounted, 0, "the dashboards are mounted where Grafana looks for them")
}

// The provider of docker-compose.yml lets the demo people in, for the nodes' client and address.
func TestCompose_Dex(t *testing.T) {
	t.Parallel()
	var dex struct {
		Issuer  string         `json:"issuer"`
		Storage map[string]any `json:"storage"`
		Web     struct {
			HTTP           string   `json:"http"`
			AllowedOrigins []string `json:"allowedOrigins"`
		} `json:"web"`
		OAuth2  map[string]any `json:"oauth2"`
		Expiry  map[string]any `json:"expiry"`
		Clients []struct {
			ID           string   `json:"id"`
			Name         string   `json:"name"`
			Public       bool     `json:"public"`
			RedirectURIs []string `json:"redirectURIs"`
		} `json:"staticClients"`
		Enabled bool `json:"enablePasswordDB"`
		People  []struct {
			ID    string `json:"userID"`
			Email string `json:"email"`
			Name  string `json:"username"`
			Hash  string `json:"hash"`
		} `json:"staticPasswords"`
	}
	require.NoError(t, yaml.UnmarshalStrict([]byte(read(t, "deploy", "dex", "config.yml")), &dex))
	environment := compose(t).Services["node1"].Environment
	require.Equal(t, *environment["OIDC_ISSUER"], dex.Issuer)
	require.Equal(t, []string{*environment["PARLEY_URL"]}, dex.Web.AllowedOrigins)
	require.Len(t, dex.Clients, 1)
	require.True(t, dex.Clients[0].Public && dex.Enabled)
	require.Contains(t, read(t, "cmd", "parley", "config.go"), `"OIDC_CLIENT_ID", "`+dex.Clients[0].ID+`"`)
	require.Equal(t, []string{*environment["PARLEY_URL"] + "/authorizing"}, dex.Clients[0].RedirectURIs)
	demo := read(t, "internal", "demo", "world.go")
	require.Regexp(t, fmt.Sprintf(`meridian += %q`, *environment["PARLEY_OPERATOR_ORGANIZATION"]), demo, "its superuser sees /cluster")
	require.Len(t, dex.People, strings.Count(demo, "ID: uuid.MustParse("))
	for _, p := range dex.People {
		require.Contains(t, demo, fmt.Sprintf("ID: uuid.MustParse(%q), Email: %q, Name: %q", p.ID, p.Email, p.Name))
		require.NoError(t, bcrypt.CompareHashAndPassword([]byte(p.Hash), []byte("parley")), p.Email)
	}
}

// make cluster starts the same nodes at the same ports.
func TestCompose_Cluster(t *testing.T) {
	t.Parallel()
	source := read(t, "cmd", "parley-cluster", "cluster.go")
	number := func(name string) int {
		found := regexp.MustCompile(`(?m)^\t` + name + `\s+= (\d+)`).FindStringSubmatch(source)
		require.Len(t, found, 2, name)
		n, err := strconv.Atoi(found[1])
		require.NoError(t, err)
		return n
	}
	require.Len(t, nodes(), number("nodeCount"))
	services := compose(t).Services
	require.Equal(t, []string{fmt.Sprint(number("balancerPort")), fmt.Sprint(number("pagePort"))}, published(services["balancer"]))
	for i, name := range nodes() {
		port := number("firstPort") + i*number("nextNode")
		require.Equal(t, []string{fmt.Sprint(port), fmt.Sprint(port + number("operatorPort"))}, published(services[name]))
	}
}
