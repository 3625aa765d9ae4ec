package egress

import (
	"net/netip"
	"strings"

	"parley.dev/parley/domain"
)

const (
	hostMax  = 253 // of a name in the DNS
	labelMax = 63
)

// Host judges what a person entered as the name of a host, before anything is resolved:
// it is an address in its usual form, or a name of letters, digits, hyphens, underscores
// and points. All else is refused: ports, users, brackets, blanks, other letters, and
// the numbers that some resolvers take for addresses (2130706433, 0x7f.1, 0177.0.0.1).
// Errors: CodeInvalid with the field.
func Host(field, host string) error {
	if address, err := netip.ParseAddr(host); err == nil {
		// ::ffff:127.0.0.1 and fd00:0:0::1 say in another form what has a usual one.
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

// isName reports whether a text is a name of the DNS. One whose last label is a number is
// none: it would be read as an address.
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

// isNumber tells the labels that are read as numbers: decimal and octal ones, and
// hexadecimal ones behind 0x.
func isNumber(label string) bool {
	if digits, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}
