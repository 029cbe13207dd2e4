package inflect

import "strings"

// The lists are Schinke's (Figures 4, 6a and 6b), with -arum, -orum and the infinitives. Theirs are two
// stems for each word, as a noun and as a verb; the aligner compares one. So the longest ending of
// either list goes, and then the vowel before it: porto, portas, portat and portant are "port".
// Left out are the verb's -beris, -mini, -stis, -ero, -mus, -ris, -sti, -tis, -bo and -ri: patris, primus and tristi are
// more frequent than what a verb loses, since the noun's -is, -us, -i and -o go from them.
var (
	latinQue, _ = set(`atque quoque neque itaque absque apsque abusque adaeque adusque denique deque susque oblique
		peraeque plenisque quandoque quisque quaeque cuiusque cuique quemque quamque quaque quique quorumque quarumque
		quibusque quosque quasque quotusquisque quousque ubique undique usque uterque utique utroque utribique torque
		coque concoque contorque detorque decoque excoque extorque obtorque optorque retorque recoque attorque incoque
		intorque praetorque`)
	latinEndings, latinLongest = set(`ibus ius ae am as em es ia is nt os ud um us a e i o u
		arum orum are ere ire
		iuntur erunt untur iunt ntur bor mur tur unt ns m r s t`)
)

// latin is the number of letters that stay of a Latin word.
func latin(letters []rune) int {
	if n := len(letters) - 3; n > 0 && string(letters[n:]) == "que" {
		if latinQue[asI(letters)] {
			return len(letters)
		}
		letters = letters[:n]
	}
	n := without(letters, latinEndings, latinLongest, 2)
	if n > 3 && n < len(letters) && strings.ContainsRune("aeiou", letters[n-1]) {
		n--
	}
	return n
}

// asI is a word with i for j and u for v, as the list is spelt.
func asI(letters []rune) string {
	return strings.NewReplacer("j", "i", "v", "u").Replace(string(letters))
}
