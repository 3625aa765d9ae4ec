package postgres

import (
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

const schemasMax = 20

// settings is what a person entered, checked. The secret is a password, or a certificate with its
// key in PEM.
type settings struct {
	*connectors.Server
	schemas []string
}

// settingsOf checks an Access. It returns CodeInvalid with the fields.
func settingsOf(a connectors.Access) (*settings, error) {
	server, err := connectors.ServerOf(domain.DataSourcePostgres, a)
	if err != nil {
		return nil, err
	}
	s := &settings{Server: server}
	// The order of the schemas is that of the search path, so duplicates are removed and the order
	// stays.
	for name := range strings.SplitSeq(server.Params[domain.ParamSchemas], ",") {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(s.schemas, name) {
			s.schemas = append(s.schemas, name)
		}
	}
	if len(s.schemas) == 0 || len(s.schemas) > schemasMax {
		return nil, domain.Invalid("params."+domain.ParamSchemas, "Please enter from 1 to "+strconv.Itoa(schemasMax)+" schemas")
	}
	return s, server.UseCertificate()
}
