// Package envelope encrypts small secrets before they are stored. Each secret
// has a data key of its own; the data key is wrapped by a master key that stands
// in no database. Both layers are AES-256-GCM and bind the same words, which say
// where the secret belongs: a row that is moved to another place does not open.
//
// A Ring holds the master keys. The first one wraps; the others open what was
// wrapped before a rotation. To rotate, put a new key first, let every secret be
// wrapped again (Rewrap), and then remove the old key. A secret whose master
// key is not in the ring is an error, and never anything else.
package envelope
