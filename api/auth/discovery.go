package auth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"

	"parley.dev/parley/domain"
)

// metadata holds the fields that are used of an issuer's discovery document (OpenID
// Connect Discovery 1.0, section 3).
type metadata struct {
	Issuer        string `json:"issuer"`
	TokenURL      string `json:"token_endpoint"`       //nolint:tagliatelle // names of the standard
	PeopleURL     string `json:"userinfo_endpoint"`    //nolint:tagliatelle // see above
	RevocationURL string `json:"revocation_endpoint"`  //nolint:tagliatelle // see above
	KeysURL       string `json:"jwks_uri"`             //nolint:tagliatelle // see above
	LogOutURL     string `json:"end_session_endpoint"` //nolint:tagliatelle // see above
}

// plainHost matches hosts that are safe in a content security policy. The host of a URL may
// contain characters that would start another directive there.
var plainHost = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$|^\[[0-9A-Fa-f:.]+\](:[0-9]+)?$`)

// discover reads the discovery document of an issuer.
func discover(ctx context.Context, client *http.Client, issuer string) (metadata, error) {
	var m metadata
	if err := getDocument(ctx, client, issuer+"/.well-known/openid-configuration", "", &m); err != nil {
		return metadata{}, err
	}
	if m.Issuer != issuer || m.KeysURL == "" {
		return metadata{}, errors.New("the discovery document is not that of the issuer")
	}
	return m, nil
}

// CallOrigins returns the origins that a page calls to sign in with this issuer and to stay
// signed in, as named in its discovery document, without the origin of the issuer itself. It
// waits at most five seconds and returns domain.CodeUnavailable if the issuer does not answer.
func CallOrigins(ctx context.Context, issuer string) ([]string, error) {
	client := keysClient()
	m, err := discover(ctx, client, issuer)
	if err != nil {
		return nil, domain.Errorf(domain.CodeUnavailable, "the issuer cannot be asked").WithCause(err)
	}
	own, ok := originOf(issuer)
	if !ok {
		return nil, errors.New("the issuer has no usable address")
	}
	var origins []string
	for _, address := range []string{m.TokenURL, m.PeopleURL, m.RevocationURL, m.KeysURL, m.LogOutURL} {
		if origin, ok := originOf(address); ok && origin != own && !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins, nil
}

func originOf(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !plainHost.MatchString(u.Host) {
		return "", false
	}
	return u.Scheme + "://" + u.Host, true
}
