package api_test

import "testing"

// TestAttacks has the rows of the table of attacks that depend only on the API, each under
// its number. The other rows for this package need the engine or a database behind the API:
// C03, C04, C07 and the frames of C05 that only the connection actor understands, E10 and E11
// (the connector's own process), and the timing half of B17.
func TestAttacks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		number string
		run    func(*testing.T)
	}{
		{"A01", attackA01},
		{"A02", attackA02},
		{"A03", attackA03},
		{"A04", attackA04},
		{"A05", attackA05},
		{"A06", attackA06},
		{"A07", attackA07},
		{"A08", attackA08},
		{"A09", attackA09},
		{"A10", attackA10},
		{"A15", attackA15},
		{"A16", attackA16},
		{"A17", attackA17},
		{"A18", attackA18},
		{"A19", attackA19},
		{"A20", attackA20},
		{"A21", attackA21},
		{"A22", attackA22},
		{"B01", attackB01},
		{"B02", attackB02},
		{"B03", attackB03},
		{"B04", attackB04},
		{"B05", attackB05},
		{"B06", attackB06},
		{"B07", attackB07},
		{"B10", attackB10},
		{"B17", attackB17},
		{"C01", attackC01},
		{"C02", attackC02},
		{"C05", attackC05},
		{"C06", attackC06},
		{"C08", attackC08},
		{"C09", attackC09},
		{"C11", attackC11},
		{"C12", attackC12},
		{"D01", attackD01},
		{"D02", attackD02},
		{"D03", attackD03},
		{"D04", attackD04},
		{"D06", attackD06},
		{"D11", attackD11},
		{"E05", attackE05},
		{"E07", attackE07},
		{"E09", attackE09},
		{"E09Quota", attackE09Quota},
		{"E09InPlace", attackE09InPlace},
		{"E12", attackE12},
		{"E14", attackE14},
		{"E16", attackE16},
		{"E17", attackE17},
		{"E18", attackE18},
		{"J01", attackJ01},
		{"J03", attackJ03},
		{"J04", attackJ04},
		{"J05", attackJ05},
		{"J06", attackJ06},
		{"J07", attackJ07},
		{"J08", attackJ08},
	} {
		t.Run(row.number, func(t *testing.T) {
			t.Parallel()
			row.run(t)
		})
	}
}
