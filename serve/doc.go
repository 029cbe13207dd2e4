// Package serve gives one page and the files that it loads to browsers of this machine.
// It listens on 127.0.0.1 alone, and answers only who knows the token of the address. It
// reads nothing but what was put into its [Site] and the texts that its [TextOf] gives.
package serve
