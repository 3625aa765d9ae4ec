// Package domain holds the nouns of Parley, their rules and limits, the
// interfaces of the services that keep them, their errors and their events.
// It imports nothing of ours and knows neither transport, SQL nor actors.
package domain
