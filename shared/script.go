package shared

import (
	_ "embed" // the scripts
	"strings"

	"github.com/redis/go-redis/v9"
)

// The scripts run on the server, each as one atomic step. They read the server's clock,
// because the clocks of the nodes differ.
//
//nolint:gochecknoglobals // constants; Go has no constant structs
var (
	rateScript  = script(rateText)
	seatScript  = script(seatText)
	renewScript = script(renewText)
	writeScript = script(writeText)
)

var (
	//go:embed scripts/now.lua
	nowText string
	//go:embed scripts/rate.lua
	rateText string
	//go:embed scripts/seat.lua
	seatText string
	//go:embed scripts/renew.lua
	renewText string
	//go:embed scripts/write.lua
	writeText string
)

// script prefixes a text with the code that reads the clock in milliseconds.
func script(text string) *redis.Script {
	return redis.NewScript(strings.TrimSpace(nowText) + "\n" + strings.TrimSpace(text))
}
