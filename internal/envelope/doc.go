// Package envelope encrypts small secrets before they are stored. Each secret
// has its own data key; the data key is wrapped by a master key that is not stored
// in any database. Both layers are AES-256-GCM and authenticate the same context,
// which says where the secret belongs: a row that is moved to another place cannot
// be decrypted.
//
// A Ring holds the master keys. The first key wraps; the others unwrap data keys
// that were wrapped before a rotation. To rotate, put a new key first, rewrap every
// secret (Rewrap), and then remove the old key. If the master key of a secret is not
// in the ring, the result is always an error.
package envelope
