// Package serve gives one page and the files that it loads to browsers of this machine.
// It listens on 127.0.0.1 alone, reads nothing but what was put into its [Site], and
// answers only who knows the token of the address.
package serve
