package semantic

import (
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// countryShare is the share of the values that must be countries, in per cent.
const countryShare = 70

// countryNames are the names of countries in English and German and their codes, in lower case, of CLDR.
//
//nolint:gochecknoglobals // a constant list, too long for a literal
var countryNames = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{
		"usa": true, "uk": true, "england": true, "scotland": true, "wales": true, "czech republic": true,
		"great britain": true,
	}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			region, err := language.ParseRegion(string(a) + string(b))
			if err != nil || !region.IsCountry() || region.String() != string(a)+string(b) {
				continue
			}
			for _, namer := range []display.Namer{display.English.Regions(), display.German.Regions()} {
				if name := namer.Name(region); name != "" {
					out[strings.ToLower(name)] = true
				}
			}
			out[strings.ToLower(region.String())], out[strings.ToLower(region.ISO3())] = true, true
		}
	}
	return out
})

// hasCountries reports whether most of the values are countries. Codes of two letters may be anything, so they count only in a
// column that is named like a place.
func (c *column) hasCountries() bool {
	known := 0
	for _, v := range c.Values {
		if countryNames()[strings.ToLower(v)] && (len(v) > 3 || anyIn(c.words, "places")) {
			known++
		}
	}
	return len(c.Values) > 1 && known*100 >= len(c.Values)*countryShare
}
