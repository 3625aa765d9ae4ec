package ledger

// whenSure decides about a request after a write of this activation. Without it a decision that changes nothing
// (a refusal, or “nothing runs”) would rest on memory alone, which can be older than the store: another activation
// may own the conversation, or the end of the turn is committed and the journal's answer is still on its way,
// while the person has read that end from the store. A write comes after both: an activation that was superseded
// cannot make it, and the answers of the journal come in order.
//
// The write is empty if nothing else is queued: the store only compares the fence.
func (s *State) whenSure(to Token, decide func()) {
	b := s.openBatch(false)
	b.decide = append(b.decide, decide)
	b.failed = append(b.failed, func(err error) { s.fail(to, err) })
}
