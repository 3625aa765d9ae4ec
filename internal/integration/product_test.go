package integration_test

import (
	"testing"
	"time"

	"parley.dev/parley/internal/nodetest"
	"parley.dev/parley/persistence/persistencetest"
)

// TestProduct runs its sub-tests on one shared node.
func TestProduct(t *testing.T) {
	t.Parallel()
	// No sub-test waits for the end of the lease, and a slow machine must not end it.
	n := start(t, nodetest.New(t), persistencetest.URL(t), t.TempDir(), "one", time.Hour)
	for name, try := range map[string]func(*testing.T, *node){
		"A01": attackA01, "B01": attackB01, "B02": attackB02, "B03": attackB03, "B04": attackB04, "B05": attackB05, "B06": attackB06,
		"B08": attackB08, "B17": attackB17,
		"C02": attackC02, "C03": attackC03, "C04": attackC04, "C05": attackC05, "C06": attackC06, "C08": attackC08, "C09": attackC09,
		"D01": attackD01, "D02": attackD02, "E09": attackE09, "E15": attackE15,
		"F40": faultF40, "F41": faultF41, "F52": faultF52,
		"G2": guaranteeG2, "G4": guaranteeG4, "G6": guaranteeG6, "G8": guaranteeG8, "G8Events": guaranteeG8Events,
		"G8EveryCut": guaranteeG8EveryCut, "G10": guaranteeG10,
		"G11": guaranteeG11, "G12": guaranteeG12, "G14": guaranteeG14, "G15": guaranteeG15, "G15Team": guaranteeG15Team, "G16": guaranteeG16,
		"G20":              guaranteeG20,
		"InternalMessages": internalMessages, "StartBlueprint": startBlueprint,
		"DTexts": texts, "Validation": validation, "Files": files, "DataSourceRevoked": dataSourceRevoked, "DataSourceRights": dataSourceRights,
		"Plan": carryOutPlan, "ScheduledTasks": scheduledTasks, "EarlierResults": earlierResults, "Warehouses": remoteDatabases,
		"B13": knowledgeB13, "UsableAgents": usableAgents, "Projects": projects, "Rights": tableOfRights, "Fields": fields,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			try(t, n)
		})
	}
}
