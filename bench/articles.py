#!/usr/bin/env python3
"""Makes up news articles that quote real speeches, for context-based quotation recommendation (dataset B).

    bench/articles.py TO.jsonl ZIP...

The speeches are real, and so is each quotation; everything else of an article is made up here, and
its field "made" says so. Each article has a title, a lead, one quotation or two, and a sentence
behind. A lead names two or three phrases of the sentences around the quotation, of its paragraph or the next
ones, and none of a word that the quotation has; before that it may name phrases of another part of the
speech. Which sentence is quoted is chance, with a weight (quotable): sentences of middle length, about
us, with a contrast or a duty, without figures, and rather early ones.
"""

import json
import math
import pathlib
import random
import re
import sys
import zipfile

SEED = 1863
STOP = set(
    """a about above after again against all also am among an and any are aren't as at be because been before being below between both but by can can't cannot could did do does
    don't done down during each every few first for from further get give given go going good great had has have having he her here him his how however i i'm i've if in into is it it's its itself
    just last less let like long made make many may me might mine more most much must my never new no nor not now of off on once one only or other our ours out over own said same say shall she should
    since so some still such take than that that's the their them then there these they this those through time today tonight too two under until up upon us very was way we we're we've were what when
    where which while who whom why will with within without work world would year years yet you your""".split()
)
BIG = set("freedom liberty peace justice hope courage faith nation people america american future children god duty strength dream union democracy truth".split())
DUTY = set("must let shall cannot never always".split())
OPENINGS = (
    "The speech had been awaited for weeks.", "The chamber was full long before the doors were shut.", "It was a colder day than most, and the crowd stood close.",
    "Nobody had expected a short address, and nobody got one.", "Both parties had sent their leaders to the front row.", "The text had been kept from the press until the morning.",
    "For the better part of an hour the hall was silent.", "Applause came early and came often.", "The speaker began slowly and without a smile.", "Guests in the gallery leaned forward.",
    "Advisers had worked on the draft until late at night.", "There were no surprises in the first minutes.",
)
BEFORE = (
    "Earlier the talk had been of {a}.", "He had begun with {a} and {b}.", "There had been some words on {a}, which few took down.", "The passage on {a} was brief.", "{A} had come first, and had been dealt with soon.",
    "What he had to say of {a} and {b} was known beforehand.",
)
TOPICS = (
    "Then the address turned to {a} and {b}.", "Much of what followed was about {a}.", "{A} was on everybody's mind, and so was {b}.", "On {a} he was more outspoken than on {b}.", "He spoke at length of {a}.",
    "Those who had come for {a} were not disappointed.", "Reporters had asked about {a} all week, and about {b} too.", "He tied {a} to {b}.", "The question of {a} could not be put off, he made clear.",
    "Critics have long complained of how {a} is handled.", "It was here that he came to {a}, with {b} close behind.", "{A}, he explained, is no small matter.",
)
SAYING = ("\u201c{q},\u201d he said.", "He put it this way: \u201c{q}.\u201d", "\u201c{q},\u201d the president said.", "In his own words: \u201c{q}.\u201d", "The president said: \u201c{q}.\u201d")
ENDINGS = ("Reactions were mixed.", "The opposition will answer on Thursday.", "Copies of the text were handed out afterwards.", "Nobody would say what comes next.", "The markets hardly moved.", "The applause lasted a minute.")
TITLES = ("{n} speaks of {a}", "{n}: {a} and {b}", "What {n} said on {a}", "{A} at the heart of {n} speech", "{n} turns to {a}", "President on {a} and {b}")


def speeches(zips):
    """The name of each, and its paragraphs: lists of sentences."""
    for path in zips:
        with zipfile.ZipFile(path) as archive:
            for entry in sorted(n for n in archive.namelist() if n.endswith(".txt")):
                raw = archive.read(entry)
                try:
                    text = raw.decode("utf-8")
                except UnicodeDecodeError:
                    text = raw.decode("latin-1")
                paragraphs = [[s.strip() for s in re.split(r"(?<=[a-z0-9][.!?])\s+(?=[A-Z])", line.strip())] for line in text.splitlines()]
                yield f"{pathlib.Path(path).stem}/{pathlib.Path(entry).stem}", [p for p in paragraphs if p[0]]


def words(text):
    return re.findall(r"[a-z']+", text.lower())


def stems(text):
    """Beginnings of its words: what shares one with a quotation gives it away."""
    return {w[:5] for w in words(text) if w not in STOP}


def quotable(sentence, place):
    """A weight; place is 0 at the beginning of the speech and 1 at its end."""
    said = words(sentence)
    value = 1.5 * (8 <= len(said) <= 28) + 0.8 * (1 - place)
    value += 1.0 * any(w in ("we", "our", "us") for w in said) + 0.7 * any(w in ("not", "but", "than", "nor") for w in said) + 0.5 * any(w in DUTY for w in said)
    return value + 0.6 * min(2, sum(w in BIG for w in said)) - 1.5 * bool(re.search(r"[0-9$%]", sentence))


def phrases(sentences, without):
    """Runs of up to three words that say something, none with a word of the quotation."""
    found = []
    for s in sentences:
        for part in re.split(r"[^A-Za-z' ]+", s):
            run = []
            for w in [*part.split(), ""]:
                if len(w) > 3 and w.lower() not in STOP and not w.endswith("ly"):
                    run.append(w.lower() if not run and part.startswith(w) else w)
                    continue
                if run and len(run) <= 3 and not stems(" ".join(run)) & without:
                    found.append(" ".join(run))
                run = []
    return list(dict.fromkeys(found))


def upper(text):
    return text[:1].upper() + text[1:]


def fill(draw, template, of):
    a, b = draw.sample(of, 2) if len(of) > 1 else (of * 2)[:2]
    return template.replace("{A}", upper(a)).replace("{a}", a).replace("{b}", b)


def cut(draw, sentence):
    """The sentence, or a clause of it that can stand alone."""
    clauses = [c for c in re.split(r"[,;:]\s+|--", sentence) if len(c.split()) >= 7]
    return draw.choice(clauses) if clauses and draw.random() < 0.35 else sentence


def quotation(draw, paragraphs, p, s):
    """What is quoted, in the words of the speech, and the sentences around it: of its paragraph and of the next ones."""
    quote, left = cut(draw, paragraphs[p][s]), paragraphs[p][:s] + paragraphs[p][s + 1 :]
    if draw.random() < 0.03 and s == len(paragraphs[p]) - 1 and p + 1 < len(paragraphs):  # over two paragraphs
        quote = f"{paragraphs[p][s]} {paragraphs[p + 1][0]}"
    around = [x for k in (p - 1, p + 1) if 0 <= k < len(paragraphs) for x in paragraphs[k]]
    without = stems(quote)
    own, near = phrases(left, without), phrases(around, without)
    draw.shuffle(own)
    draw.shuffle(near)
    return quote.rstrip(".!?,;: "), without, own[:2] + near[: 1 if own else 3]


def article(draw, name, paragraphs, chosen):
    """The text and the title; None where nothing can be said around the quotation."""
    told, title = [draw.choice(OPENINGS)], None
    for p, s in chosen:
        quote, without, about = quotation(draw, paragraphs, p, s)
        if not about:
            return None
        if draw.random() < 0.6:
            far = [x for k in draw.sample(range(len(paragraphs)), min(3, len(paragraphs))) if abs(k - p) > 3 for x in paragraphs[k]]
            if other := phrases(far, without):
                told.append(fill(draw, draw.choice(BEFORE), other))
        title = title or fill(draw, draw.choice(TITLES).replace("{n}", name), about)
        told += [fill(draw, t, about) for t in draw.sample(TOPICS, draw.choice((1, 2, 2)))]
        told.append(draw.choice(SAYING).replace("{q}", quote))
    told.append(draw.choice(ENDINGS))
    return title, " ".join(told)


def main():
    to, zips = pathlib.Path(sys.argv[1]), sys.argv[2:]
    to.parent.mkdir(parents=True, exist_ok=True)
    n = 0
    with open(to, "w", encoding="utf-8") as out:
        for speech, paragraphs in speeches(zips):
            draw = random.Random(f"{SEED} {speech}")
            found = []
            for p, of in enumerate(paragraphs):
                for s, sentence in enumerate(of):
                    if p and len(sentence.split()) >= 7 and not re.search(r"Speaker|thank|Thank|God bless|Chief Justice|[(\"\u201c\ufffd\x80-\x9f]", sentence):
                        chance = -math.log(-math.log(draw.random()))  # Gumbel's: the best are a draw by exp(weight)
                        found.append((quotable(sentence, p / len(paragraphs)) + chance, p, s))
            found = [(p, s) for _, p, s in sorted(found, reverse=True)[: max(4, min(16, len(found) // 8))]]
            draw.shuffle(found)
            president, year = re.sub(r"^.*?-|-\d$", "", speech.split("/")[1]), speech.split("/")[1][:4]
            while found:
                chosen = [found.pop() for _ in range(min(len(found), 2 if draw.random() < 0.3 else 1))]
                if made := article(draw, president, paragraphs, chosen):
                    n += 1
                    row = {"id": f"article-{n:04}", "title": made[0], "date": year, "text": made[1], "made": "bench/articles.py"}
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{n} made-up articles")


if __name__ == "__main__":
    main()
