package auth

import "strings"

const (
	// Protocol is the subprotocol that the server speaks.
	Protocol = "parley.v1"
	// protocolBearer stands before the token in its subprotocol.
	protocolBearer = "bearer."
	// tokenMax is the most bytes of a token that are looked at.
	tokenMax = 8 << 10
)

// Bearer takes the token out of an Authorization header; empty when there is none.
func Bearer(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// ProtocolBearer takes the token out of a Sec-WebSocket-Protocol header. Both
// of the pair must be there, and nothing twice.
func ProtocolBearer(header string) string {
	spoken, token := 0, ""
	for entry := range strings.SplitSeq(header, ",") {
		entry = strings.TrimSpace(entry)
		if entry == Protocol {
			spoken++
			continue
		}
		rest, ok := strings.CutPrefix(entry, protocolBearer)
		if !ok || token != "" {
			return ""
		}
		token = rest
	}
	if spoken != 1 {
		return ""
	}
	return token
}

// ProtocolBearers counts the tokens in a Sec-WebSocket-Protocol header.
func ProtocolBearers(header string) int {
	count := 0
	for entry := range strings.SplitSeq(header, ",") {
		if strings.HasPrefix(strings.TrimSpace(entry), protocolBearer) {
			count++
		}
	}
	return count
}
