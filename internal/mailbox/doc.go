// Package mailbox is a bounded mailbox for actors. The library's default mailbox
// grows without a limit. When this mailbox is full, it refuses messages that a sender can
// repeat; it never blocks the sender, and it always reports that messages were lost. A Mark tells how full mailboxes have been.
package mailbox
