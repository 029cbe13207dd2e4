// Package account lets Beam start where the user has no account, as in a container that
// runs under any number. While it is initialised, Beam asks for the user's home, and ends
// the program where there is no user of that number in /etc/passwd and the environment
// names none.
//
// It imports so little that Go initialises it before Beam. Import it where Beam is.
package account

import (
	"os"
	"strconv"
)

var lent []string

func init() {
	lend("USER", strconv.Itoa(os.Getuid()))
	lend("HOME", os.TempDir())
}

// lend sets a variable that is not set. What /etc/passwd has of the user comes first
// (with the build tag osusergo).
func lend(name, value string) {
	if os.Getenv(name) == "" && os.Setenv(name, value) == nil {
		lent = append(lent, name)
	}
}

// Return takes the variables away again, when Beam is initialised.
func Return() {
	for _, name := range lent {
		os.Unsetenv(name)
	}
	lent = nil
}
