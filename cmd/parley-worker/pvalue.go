package main

/*
// The engine calls these by their addresses; the Go functions below have these names.
extern void parleyPT(void *info, void *input, void *output);
extern void parleyPF(void *info, void *input, void *output);
extern void parleyPChi2(void *info, void *input, void *output);
extern void parleyPNormal(void *info, void *input, void *output);
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"

	duckdb "github.com/duckdb/duckdb-go-bindings"
	"gonum.org/v1/gonum/mathext"
)

// The p-values of test statistics as functions of SQL (docs/statistics.md). DuckDB 1.5 has neither erf nor the incomplete
// beta function, so they are computed by gonum's port of the Cephes library.

// pFunction is a function of SQL whose arguments and result are of the type DOUBLE.
type pFunction struct {
	name      string
	arguments int
	callback  unsafe.Pointer
}

// pFunctions lists the functions that every statement may use.
func pFunctions() []pFunction {
	return []pFunction{
		{"p_t", 2, unsafe.Pointer(C.parleyPT)},
		{"p_f", 3, unsafe.Pointer(C.parleyPF)},
		{"p_chi2", 2, unsafe.Pointer(C.parleyPChi2)},
		{"p_normal", 1, unsafe.Pointer(C.parleyPNormal)},
	}
}

// registerPFunctions makes the functions known to the connection of the database.
func registerPFunctions(d *database) error {
	double := duckdb.CreateLogicalType(duckdb.TypeDouble)
	defer duckdb.DestroyLogicalType(&double)
	for _, p := range pFunctions() {
		f := duckdb.CreateScalarFunction()
		duckdb.ScalarFunctionSetName(f, p.name)
		for range p.arguments {
			duckdb.ScalarFunctionAddParameter(f, double)
		}
		duckdb.ScalarFunctionSetReturnType(f, double)
		duckdb.ScalarFunctionSetFunction(f, p.callback)
		state := duckdb.RegisterScalarFunction(d.conn, f)
		duckdb.DestroyScalarFunction(&f)
		if state == duckdb.StateError {
			return fmt.Errorf("register the function %s", p.name)
		}
	}
	return nil
}

//export parleyPT
func parleyPT(_, input, output unsafe.Pointer) {
	eachRow(input, output, 2, func(a *[3]float64) float64 { return pT(a[0], a[1]) })
}

//export parleyPF
func parleyPF(_, input, output unsafe.Pointer) {
	eachRow(input, output, 3, func(a *[3]float64) float64 { return pF(a[0], a[1], a[2]) })
}

//export parleyPChi2
func parleyPChi2(_, input, output unsafe.Pointer) {
	eachRow(input, output, 2, func(a *[3]float64) float64 { return pChi2(a[0], a[1]) })
}

//export parleyPNormal
func parleyPNormal(_, input, output unsafe.Pointer) {
	eachRow(input, output, 1, func(a *[3]float64) float64 { return pNormal(a[0]) })
}

// eachRow computes a function for each row of a chunk. The result is NULL if an argument is NULL or the function is not
// defined for the arguments, which it says by NaN: one bad group must not end a query over many.
func eachRow(input, output unsafe.Pointer, arguments int, f func(*[3]float64) float64) {
	chunk, result := duckdb.DataChunk{Ptr: input}, duckdb.Vector{Ptr: output}
	rows := int(duckdb.DataChunkGetSize(chunk))
	var columns [3][]float64
	var valid [3]unsafe.Pointer
	for i := range arguments {
		v := duckdb.DataChunkGetVector(chunk, duckdb.IdxT(i))
		// The engine hands flat vectors to functions of its C interface.
		columns[i] = unsafe.Slice((*float64)(duckdb.VectorGetData(v)), rows)
		valid[i] = duckdb.VectorGetValidity(v)
	}
	out := unsafe.Slice((*float64)(duckdb.VectorGetData(result)), rows)
	duckdb.VectorEnsureValidityWritable(result)
	mask := duckdb.VectorGetValidity(result)
	for r := range rows {
		var a [3]float64
		p, missing := math.NaN(), false
		for i := range arguments {
			missing = missing || valid[i] != nil && !duckdb.ValidityRowIsValid(valid[i], duckdb.IdxT(r))
			a[i] = columns[i][r]
		}
		if !missing {
			p = f(&a)
		}
		if math.IsNaN(p) {
			duckdb.ValiditySetRowInvalid(mask, duckdb.IdxT(r))
			continue
		}
		out[r] = p
	}
}

// freedom reports whether a number can be one of degrees of freedom. It need not be whole: Welch's is not.
func freedom(d float64) bool { return d > 0 && !math.IsInf(d, 1) }

// pT is the two-sided p-value of Student's t with df degrees of freedom: P(|T| ≥ |t|) = I(df/(df+t²); df/2, 1/2), with
// the regularized incomplete beta function I (Abramowitz and Stegun, 26.7.1 and 26.5.27).
func pT(t, df float64) float64 {
	if math.IsNaN(t) || !freedom(df) {
		return math.NaN()
	}
	x := df / (df + t*t)
	if x > 0.5 {
		// Near 1 the other tail keeps the digits of a small t.
		return 1 - mathext.RegIncBeta(0.5, df/2, t*t/(df+t*t))
	}
	return mathext.RegIncBeta(df/2, 0.5, x)
}

// pF is the upper tail of Fisher's F with d1 and d2 degrees of freedom: P(F ≥ f) = I(d2/(d2+d1·f); d2/2, d1/2)
// (Abramowitz and Stegun, 26.6.2).
func pF(f, d1, d2 float64) float64 {
	switch {
	case math.IsNaN(f) || f < 0 || !freedom(d1) || !freedom(d2):
		return math.NaN()
	case math.IsInf(f, 1):
		return 0
	}
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*f))
}

// pChi2 is the upper tail of χ² with df degrees of freedom: P(X ≥ x) = Q(df/2, x/2), with the regularized upper
// incomplete gamma function Q (Abramowitz and Stegun, 26.4.2 and 26.4.19).
func pChi2(x, df float64) float64 {
	switch {
	case math.IsNaN(x) || x < 0 || !freedom(df):
		return math.NaN()
	case math.IsInf(x, 1):
		return 0
	}
	return mathext.GammaIncRegComp(df/2, x/2)
}

// pNormal is the two-sided p-value of a standard normal z: P(|Z| ≥ |z|) = erfc(|z|/√2).
func pNormal(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }
