package cluster

import (
	"parley.dev/parley/domain"
)

// owner picks the member for an identity that has no owner yet:
// highest random weight (Thaler and Ravishankar, 1998). Every node that sees
// the same members picks the same one, and a member that joins or leaves moves
// only its own share.
func owner(members []domain.Member, kind, identity string) (domain.Member, bool) {
	var best domain.Member
	var top uint64
	found := false
	for _, m := range members {
		w := weight(m.Node, kind, identity)
		if !found || w > top || (w == top && m.Node < best.Node) {
			best, top, found = m, w, true
		}
	}
	return best, found
}

// weight is FNV-1a over the three names followed by a finaliser. FNV alone leaves the last
// bytes nearly unmixed, so that one of three similar node names got half of all identities;
// the finaliser is fmix64 of MurmurHash3.
func weight(node, kind, identity string) uint64 {
	h := uint64(14695981039346656037)
	for _, s := range [...]string{identity, "\x00", kind, "\x00", node} {
		for i := range len(s) {
			h ^= uint64(s[i])
			h *= 1099511628211
		}
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}
