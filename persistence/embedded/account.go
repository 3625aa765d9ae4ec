package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that Postgres runs as.
type account struct {
	uid, gid int

	// name is used in messages.
	name string

	// switched says that it is not the user of this process. Only root can switch.
	switched bool
}

// currentAccount is the account of this process.
func currentAccount() account {
	return account{uid: os.Geteuid(), gid: os.Getegid(), name: strconv.Itoa(os.Geteuid())}
}

// chooseAccount returns the user that Postgres runs as. An ordinary user has no choice. If
// this process is root, it is the owner of the cluster, so that an ordinary user can use
// the cluster later; for a new cluster it is the user postgres or the user nobody. Both are
// in the user list, without which initdb refuses to work.
func chooseAccount(cluster string) (account, error) {
	if os.Geteuid() != 0 {
		return currentAccount(), nil
	}

	if info, err := os.Stat(cluster); err == nil {
		if owner, ok := info.Sys().(*syscall.Stat_t); ok && owner.Uid != 0 {
			return account{uid: int(owner.Uid), gid: int(owner.Gid), name: strconv.Itoa(int(owner.Uid)), switched: true}, nil
		}
	}

	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}

		uid, err := strconv.Atoi(found.Uid)
		if err != nil {
			return account{}, fmt.Errorf("account %s: %w", name, err)
		}

		gid, err := strconv.Atoi(found.Gid)
		if err != nil {
			return account{}, fmt.Errorf("account %s: %w", name, err)
		}

		return account{uid: uid, gid: gid, name: name, switched: true}, nil
	}

	return account{}, errors.New("postgres does not run as root and this machine has neither an account postgres nor nobody; run as an " +
		"ordinary user")
}

// attributes makes a child process run as the account, in its own session so that Ctrl-C in
// the terminal reaches only the parent.
func (a account) attributes() *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setsid: true}
	if a.switched {
		// Ids come from the user list or from a file's owner: never negative.
		attributes.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)} //nolint:gosec // see above
	}

	return attributes
}

// canReach reports whether the account may enter dir and every folder above it.
func (a account) canReach(dir string) bool {
	if !a.switched {
		return true
	}

	for {
		info, err := os.Stat(dir)
		if err != nil || !a.mayEnter(info) {
			return false
		}

		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}

		dir = parent
	}
}

// mayEnter reads the permission bits as the kernel would.
func (a account) mayEnter(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}

	switch mode := info.Mode().Perm(); {
	case int(owner.Uid) == a.uid:
		return mode&0o100 != 0
	case int(owner.Gid) == a.gid:
		return mode&0o010 != 0
	default:
		return mode&0o001 != 0
	}
}

// give makes the account the owner of path.
func (a account) give(path string) error {
	if !a.switched {
		return nil
	}

	if err := os.Lchown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("give %s to %s: %w", path, a.name, err)
	}

	return nil
}
