package egress

import (
	"net/netip"
	"strings"

	"parley.dev/parley/domain"
)

const (
	hostMax  = 253 // maximum length of a name in the DNS
	labelMax = 63
)

// Host checks a host that a person entered, before anything is resolved. It must be an
// address in its usual form, or a name of ASCII letters, digits, hyphens, underscores and
// dots. Everything else is refused: ports, users, brackets, spaces, other letters, and
// numbers that some resolvers accept as addresses (2130706433, 0x7f.1, 0177.0.0.1).
// Errors: CodeInvalid with the field.
func Host(field, host string) error {
	if address, err := netip.ParseAddr(host); err == nil {
		// ::ffff:127.0.0.1 and fd00:0:0::1 are addresses in an unusual form.
		if address.Zone() != "" || address.Is4In6() || address.String() != strings.ToLower(host) {
			return domain.Invalid(field, textAddress)
		}
		return nil
	}
	if !isName(host) {
		return domain.Invalid(field, textHost)
	}
	return nil
}

const (
	textHost    = "Please enter the name or the address of the host alone, such as db.example.com"
	textAddress = "Please enter the address in its usual form"
)

// isName reports whether a text is a DNS name. A text whose last label is a number is not
// accepted, because some parsers would read it as an address.
func isName(host string) bool {
	if host == "" || len(host) > hostMax {
		return false
	}
	last := ""
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > labelMax || label[0] == '-' || label[len(label)-1] == '-' || strings.ContainsFunc(label, notOfLabel) {
			return false
		}
		last = label
	}
	return !isNumber(strings.ToLower(last))
}

func notOfLabel(r rune) bool {
	return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// isNumber reports whether some parsers read a label as a number: decimal, octal, or
// hexadecimal with 0x.
func isNumber(label string) bool {
	if digits, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
