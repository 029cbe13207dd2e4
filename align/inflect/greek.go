package inflect

// The endings of ancient Greek, without accents and breathings: those of the three declensions, of participles
// and of the verb in -ω and its middle. The iota subscript is dropped with the accents. Augment, reduplication and
// contracted vowels before the ending stay. No library in Go that we found knows ancient Greek, and Snowball's
// stemmer is for the modern language.
var greekEndings, greekEndingsLongest = set(`α ας αι αν αις αισι αισιν η ης ην ηι ο ος ον ου ους ω ων ως οι οις οισι οισιν οιο ε ει εις ες ευς εα εας
	ι ιν ις υ υς υν σι σιν εσι εσιν εσσι εσσιν εως εων ιος ιων
	εν ομεν ετε ουσι ουσιν ομαι εται ομεθα εσθε ονται ομην ετο οντο εσθαι ειν
	σα σας σε σεν σαμεν σατε σαν σω σεις σει σομεν σετε σουσι σουσιν σαι
	θην θης θη θημεν θητε θησαν θηναι
	ων ουσα οντος οντι οντα οντες οντων οντας ουσης ουσαν ομενος ομενη ομενον ομενου ομενης ομενοι ομενους ομενων ομενοις
	ματος ματι ματα ματων μασι μασιν μα`)

// greek is the number of letters that stay of a word of ancient Greek.
func greek(letters []rune) int {
	for i, r := range letters {
		if r == 'ς' && i < len(letters)-1 { // as some editions print it within words
			letters[i] = 'σ'
		}
	}
	return without(letters, greekEndings, greekEndingsLongest, 2)
}
