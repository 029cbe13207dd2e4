package language

import (
	"strings"
	"testing"
)

// passages are of our own making.
var passages = map[string]string{
	"en": "The miller had never trusted the river, and the river, so far as anybody could tell, had never noticed the miller. Every spring it rose and took a fence or two, and every summer he put them up again, a little further from the water than before.",
	"fr": "Le meunier ne s'était jamais fié à la rivière, et la rivière, pour autant qu'on pût le dire, n'avait jamais remarqué le meunier. Chaque printemps elle montait et emportait une clôture ou deux, et chaque été il les relevait, un peu plus loin de l'eau.",
	"de": "Der Müller hatte dem Fluss niemals getraut, und der Fluss hatte, soweit man es sagen konnte, den Müller niemals bemerkt. In jedem Frühling stieg er und nahm einen Zaun oder zwei mit, und in jedem Sommer stellte der Müller sie wieder auf, ein wenig weiter vom Wasser.",
	"es": "El molinero nunca se había fiado del río, y el río, por lo que se podía decir, nunca se había fijado en el molinero. Cada primavera crecía y se llevaba una cerca o dos, y cada verano él las levantaba otra vez, un poco más lejos del agua que antes.",
	"it": "Il mugnaio non si era mai fidato del fiume, e il fiume, per quanto si potesse dire, non si era mai accorto del mugnaio. Ogni primavera saliva e si portava via uno steccato o due, e ogni estate lui li rimetteva, un po' più lontano dall'acqua di prima.",
	"pt": "O moleiro nunca tinha confiado no rio, e o rio, tanto quanto se podia dizer, nunca tinha reparado no moleiro. Todas as primaveras subia e levava uma cerca ou duas, e todos os verões ele as punha outra vez, um pouco mais longe da água do que antes.",
	"nl": "De molenaar had de rivier nooit vertrouwd, en de rivier had, voor zover iemand het kon zeggen, de molenaar nooit opgemerkt. Elk voorjaar steeg zij en nam een hek of twee mee, en elke zomer zette hij ze weer op, een beetje verder van het water dan tevoren.",
	"sv": "Mjölnaren hade aldrig litat på floden, och floden hade, så vitt någon kunde säga, aldrig lagt märke till mjölnaren. Varje vår steg den och tog med sig ett staket eller två, och varje sommar satte han upp dem igen, lite längre från vattnet än förut.",
	"fi": "Mylläri ei ollut koskaan luottanut jokeen, eikä joki, sikäli kuin kukaan osasi sanoa, ollut koskaan huomannut mylläriä. Joka kevät se nousi ja vei mukanaan aidan tai kaksi, ja joka kesä mylläri pystytti ne uudelleen, vähän kauemmas vedestä kuin ennen.",
	"pl": "Młynarz nigdy nie ufał rzece, a rzeka, o ile ktokolwiek mógł to powiedzieć, nigdy nie zauważyła młynarza. Każdej wiosny wzbierała i zabierała płot albo dwa, a każdego lata stawiał je na nowo, trochę dalej od wody niż przedtem, i tak mijały lata.",
	"ru": "Мельник никогда не доверял реке, а река, насколько можно было судить, никогда не замечала мельника. Каждую весну она поднималась и уносила один или два забора, и каждое лето он ставил их снова, немного дальше от воды, чем прежде, и так проходили годы.",
	"el": "Ο μυλωνάς δεν είχε εμπιστευτεί ποτέ το ποτάμι, και το ποτάμι, απ' όσο μπορούσε κανείς να πει, δεν είχε προσέξει ποτέ τον μυλωνά. Κάθε άνοιξη φούσκωνε και έπαιρνε μαζί του έναν φράχτη ή δύο, και κάθε καλοκαίρι εκείνος τους έστηνε πάλι.",
	"hu": "A molnár sohasem bízott a folyóban, és a folyó, amennyire bárki meg tudta mondani, sohasem vette észre a molnárt. Minden tavasszal megáradt és elvitt egy vagy két kerítést, és minden nyáron a molnár újra felállította őket, kissé távolabb a víztől.",
	"zh": strings.Repeat("磨坊主人從來不相信那條河,而那條河,據人們所知,也從來沒有注意過磨坊主人。每年春天河水上漲,帶走一兩道籬笆。", 4),
	"la": "", // the statistics do not know it
}

const latin = "Molitor fluvio numquam confisus erat, neque fluvius, quantum quisquam dicere poterat, molitorem umquam animadverterat. Vere quoque crescebat atque saepem unam aut duas secum auferebat; aestate quaque ille eas iterum statuebat, paulo longius ab aqua quam antea, neque quicquam de ea re dicebat, quoniam nemo erat qui audiret. Sic anni praeteribant, sic homines et saepes."

func TestIdentify(t *testing.T) {
	for want, text := range passages {
		if want == "la" {
			text = latin
		}
		code := want
		if want == "la" {
			code = ""
		}
		if got := Identify(text); got != code {
			t.Errorf("%s: %q", want, got)
		}
		if got := Identify(strings.Repeat(text+"\n", 60)); got != code {
			t.Errorf("%s, long: %q", want, got)
		}
	}
	for name, text := range map[string]string{"nothing": "", "short": "The miller.", "numbers": strings.Repeat("1234 5678, ", 200), "not UTF-8": strings.Repeat("\xff\xfe", 500),
		"two languages": passages["en"] + passages["ru"] + passages["el"] + passages["hu"]} {
		if got := Identify(text); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func BenchmarkIdentify(b *testing.B) {
	text := strings.Repeat(passages["en"]+"\n", 2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Identify(text)
	}
}
