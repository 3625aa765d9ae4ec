// Package mailbox is an actor's mailbox with a limit. The library's default one
// grows without bound; a full one of ours refuses what a sender can repeat,
// never blocks the sender, and never hides that something was lost.
package mailbox
