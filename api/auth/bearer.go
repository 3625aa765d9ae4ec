package auth

import "strings"

const (
	// Protocol is the websocket subprotocol of the server.
	Protocol = "parley.v1"
	// protocolBearer is the prefix of the subprotocol that carries the token.
	protocolBearer = "bearer."
	// tokenMax is the maximum size of a token in bytes; a longer one is refused unread.
	tokenMax = 8 << 10
)

// Bearer returns the token in an Authorization header, or the empty string.
func Bearer(header string) string {
	scheme, token, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// ProtocolBearer returns the token in a Sec-WebSocket-Protocol header, or the empty string.
// The header must hold Protocol and the token, each once, and nothing else.
func ProtocolBearer(header string) string {
	protocols, token := 0, ""
	for entry := range strings.SplitSeq(header, ",") {
		entry = strings.TrimSpace(entry)
		if entry == Protocol {
			protocols++
			continue
		}
		rest, ok := strings.CutPrefix(entry, protocolBearer)
		if !ok || token != "" {
			return ""
		}
		token = rest
	}
	if protocols != 1 {
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
