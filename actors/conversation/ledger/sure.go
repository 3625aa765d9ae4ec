package ledger

// whenSure decides about a request after a write of this activation. Without the write, a decision that changes
// nothing (a refusal, or “nothing runs”) would depend on memory alone, which can be older than the store: another
// activation may own the conversation, or the end of the turn may be committed while the journal's answer is still
// on its way, and the person has read that end from the store. The write excludes both: an activation that was
// superseded cannot write, and the answers of the journal arrive in order.
//
// The write is empty if nothing else is queued: the store only compares the fence.
func (s *State) whenSure(to Token, decide func()) {
	b := s.openBatch(false)
	b.decide = append(b.decide, decide)
	b.failed = append(b.failed, func(err error) { s.fail(to, err) })
}
