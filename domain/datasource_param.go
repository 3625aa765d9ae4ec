package domain

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ParamKind says how a parameter is entered and checked.
type ParamKind string

// The kinds of parameters.
const (
	ParamText   ParamKind = "text"
	ParamNumber ParamKind = "number" // a whole number
	ParamChoice ParamKind = "choice"
	// ParamSecret is stored encrypted (Credential). It is never returned and never among the
	// values of the other parameters.
	ParamSecret ParamKind = "secret"
)

// DataSourceParam is one parameter that a person enters for a connection. There is no other
// way to configure a driver: a parameter that is not listed is refused.
type DataSourceParam struct {
	Name     string
	Label    string
	Kind     ParamKind
	Required bool
	// Default is used if nothing is entered.
	Default string
	// Choices are the values of a ParamChoice.
	Choices []string
	// Min and Max limit a number; for texts and secrets, Max is the maximum length.
	Min, Max int
	// Lines is true if a text may have several lines.
	Lines bool
	// Help is a sentence for the person who fills in the form.
	Help string
}

// DataSourceParams are the values of a connection's parameters by their names, without
// the secret.
type DataSourceParams map[string]string

// The names of the parameters. All but ParamSchemas are those of every server (serverParams).
const (
	ParamHost      = "host"
	ParamPort      = "port"
	ParamDatabase  = "database"
	ParamUser      = "user"
	ParamSchemas   = "schemas" // of PostgreSQL
	ParamTLS       = "tls"
	ParamAuthority = "certificateAuthority"
	// ParamCredentials is the secret. It is never among DataSourceParams: a connection has it as
	// Connection.Secret, and its errors name the field "secret".
	ParamCredentials = "password"
)

// The values of ParamTLS.
const (
	// TLSVerify encrypts, and accepts only a certificate for the host by a known authority.
	TLSVerify = "verify"
	// TLSPlain does not encrypt. An operator must have allowed it for the host.
	TLSPlain = "plain"
)

// serverSettings is what differs between the parameters of servers.
type serverSettings struct {
	// Port is the usual one; Identifier is the longest name of a database or a user, in characters.
	Port, Identifier int
	// Database, User and SignIn are the help of the parameters, the last of the secret.
	Database, User, SignIn string
	// Further parameters are shown behind the user.
	Further []DataSourceParam
}

// serverParams returns the parameters that any server has, which connectors.ServerOf checks.
func serverParams(s serverSettings) []DataSourceParam {
	return slices.Concat([]DataSourceParam{
		{Name: ParamHost, Label: "Host", Kind: ParamText, Required: true, Max: 253, Help: "Name or address of the server, without a port."},
		{Name: ParamPort, Label: "Port", Kind: ParamNumber, Default: strconv.Itoa(s.Port), Min: 1, Max: 65535},
		{Name: ParamDatabase, Label: "Database", Kind: ParamText, Required: true, Max: s.Identifier, Help: s.Database},
		{Name: ParamUser, Label: "User", Kind: ParamText, Required: true, Max: s.Identifier, Help: s.User},
	}, s.Further, []DataSourceParam{
		{
			Name: ParamTLS, Label: "Encryption", Kind: ParamChoice, Default: TLSVerify, Choices: []string{TLSVerify, TLSPlain},
			Help: "verify takes only a valid certificate for the host; plain does not encrypt and needs an administrator's permission for the host.",
		},
		{
			Name: ParamAuthority, Label: "Certificate authority", Kind: ParamText, Max: 16 << 10, Lines: true,
			Help: "Its certificate in PEM, where the server's certificate is not signed by a public authority.",
		},
		{Name: ParamCredentials, Label: "Password", Kind: ParamSecret, Required: true, Max: CredentialMax, Lines: true, Help: s.SignIn},
	})
}

func postgresParams() []DataSourceParam {
	return serverParams(serverSettings{
		Port: 5432, Identifier: 63,
		User:   "A role that can only read the tables that may be asked.",
		SignIn: "Of the user; or a client certificate with its private key, both in PEM.",
		Further: []DataSourceParam{{
			Name: ParamSchemas, Label: "Schemas", Kind: ParamText, Default: "public", Max: 1000,
			Help: "Names with commas between them. Tables of other schemas are not shown.",
		}},
	})
}

// Secret returns the parameter that is stored encrypted; nil if the kind has none.
func (k *DataSourceKind) Secret() *DataSourceParam {
	for i := range k.Params {
		if k.Params[i].Kind == ParamSecret {
			return &k.Params[i]
		}
	}
	return nil
}

// CheckParams checks what a person entered and returns it with the defaults filled in. A name
// that is not a parameter of the kind is refused. Errors: CodeInvalid, with a field
// params.NAME for each wrong parameter.
func (k *DataSourceKind) CheckParams(given DataSourceParams) (DataSourceParams, error) {
	var c Checks
	out := make(DataSourceParams, len(k.Params))
	for i := range k.Params {
		p := &k.Params[i]
		if p.Kind == ParamSecret {
			continue
		}
		value := strings.TrimSpace(given[p.Name])
		if value == "" {
			value = p.Default
		}
		if wrong := p.wrong(value); wrong != "" {
			c.Require(false, "params."+p.Name, wrong)
		}
		if value != "" {
			out[p.Name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		known := slices.ContainsFunc(k.Params, func(p DataSourceParam) bool { return p.Name == name && p.Kind != ParamSecret })
		c.Require(known, "params."+Shorten(Clean(name), 40), "This is no parameter of "+k.Label)
	}
	return out, c.Err()
}

// CheckSecret checks the secret. Its value is never part of an error. Errors: CodeInvalid.
func (k *DataSourceKind) CheckSecret(secret string) error {
	p := k.Secret()
	var c Checks
	switch {
	case p == nil:
		c.Require(secret == "", "secret", k.Label+" needs no secret")
	case secret == "":
		c.Require(!p.Required, "secret", "Please enter the "+strings.ToLower(p.Label))
	default:
		c.Require(len(secret) <= p.Max, "secret", "The secret is too long")
	}
	return c.Err()
}

// wrong returns an error text for a value; empty if the value is valid.
func (p *DataSourceParam) wrong(value string) string {
	if value == "" {
		if p.Required {
			return "Please enter the " + strings.ToLower(p.Label)
		}
		return ""
	}
	switch p.Kind {
	case ParamNumber:
		// Only digits are allowed: strconv would also accept a sign.
		n, err := strconv.Atoi(value)
		if err != nil || strings.Trim(value, "0123456789") != "" || n < p.Min || n > p.Max {
			return fmt.Sprintf("%s must be a whole number from %d to %d", p.Label, p.Min, p.Max)
		}
	case ParamChoice:
		if !slices.Contains(p.Choices, value) {
			return p.Label + " must be one of " + strings.Join(p.Choices, ", ")
		}
	case ParamText, ParamSecret:
		switch {
		case Length(value) > p.Max:
			return fmt.Sprintf("%s must have at most %d characters", p.Label, p.Max)
		case !p.Lines && strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }), !Storable(value):
			return p.Label + " contains characters that are not allowed"
		}
	}
	return ""
}
