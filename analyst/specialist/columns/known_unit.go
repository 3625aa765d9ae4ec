package columns

import (
	"strings"
	"unicode"
)

// knownUnits are the units that may be in brackets after a heading, in lower case and in the
// languages of the files. Any other word, such as net, gross, est or old, is part of the heading
// and not a unit.
//
//nolint:gochecknoglobals // a constant list
var knownUnits = wordSet(`
	nm µm um mm cm dm m km in inch inches ft foot feet yd yard yards mi mile miles nmi px pt
	mm² cm² m² km² mm2 cm2 m2 km2 qm sqm sqft sqkm sqmi ha hectare hectares acre acres ac
	mm³ cm³ m³ mm3 cm3 m3 cbm ccm cc ml cl dl l hl litre litres liter liters gal gallon gallons bbl oz floz pint pints
	µg ug mg g gr gram grams kg t to ton tons tonne tonnes mt lb lbs kt mio.t
	ns µs us ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d day days w wk week weeks mo month months
	y yr yrs year years std stunde stunden tag tage woche wochen monat monate jahr jahre minuten sek sekunden
	w kw mw gw wh kwh mwh gwh twh kwp va kva kj mj gj cal kcal btu v mv kv ma ah mah ω ohm kohm hz khz mhz ghz rpm u/min
	pa hpa kpa mpa bar mbar psi mmhg atm kn nm db dba lm lx lux cd k °c °f c f celsius fahrenheit kelvin ° deg rad
	kb mb gb tb pb kib mib gib tib bit bits kbit mbit gbit bps kbps mbps gbps bytes byte
	% ‰ pp bp bps ppm ppb percent pct prozent basispunkte bpm mol mmol µmol umol nmol mmol/l iu ph fte vzä
	co2 co2e tco2 tco2e kgco2 kgco2e co₂ co₂e
	pcs pc pce piece pieces stk stück units dozen pack packs pallet pallets person persons people
	mph kmh km/h kmph kph knots kn kts mpg fps
	k tsd mio mrd mn bn m€ k€ t€ mio€ mio.€ mrd€ k$ m$ bn$ k£ m£ keur teur meur kusd musd kchf ct cent cents ¢ rp pence
	stars points pts`)

func wordSet(text string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.Fields(text) {
		out[w] = true
	}
	return out
}

// isUnit reports whether a text in brackets is a unit and not a remark: a known unit, or a quotient
// or product of known units, with powers: t/ha, µg/m³, €/kWh, kg·m².
func isUnit(s string) bool {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" || strings.ContainsAny(s, " ,;:") {
		return false
	}
	if knownUnits[s] || currencies[s] != "" {
		return true
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' || r == '·' || r == '*' })
	known := 0
	for _, p := range parts {
		bare := strings.TrimRight(p, "²³⁻¹^-0123456789.")
		if knownUnits[p] || knownUnits[bare] || currencies[bare] != "" {
			known++
			continue
		}
		// Crates/day and 1/min: one word may be anything if another one is a unit.
		if len(parts) < 2 || strings.ContainsFunc(p, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			return false
		}
	}
	return known > 0
}
