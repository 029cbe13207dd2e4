"""Made-up passages of the kinds that books have around their text: title pages,
contents, indexes, licences, stage directions. Nobody quotes them, and no verse
teaches a model so."""

WORDS = """light river stone garden letter winter lamp shadow harbour morning captain sister window
mountain journey silver bridge orchard widow stranger candle tower meadow winter king miller sailor
forest daughter island market secret house clock ship village road""".split()
NAMES = """Anna Brand Carlo Dorothy Edmund Francis Greta Harold Isabel Jonas Katharine Leopold Martha
Nicholas Oliver Priscilla Rupert Susan Theodore Ursula Victor Walter""".split()
PLACES = "London Boston Vienna Oxford Leipzig Edinburgh Philadelphia Norwich Chester Dublin".split()


def paratext(rng):
    """A made-up passage of the kinds that books have around their text."""
    title = lambda: " ".join(w.capitalize() for w in ["The"] * rng.randrange(2) + rng.sample(WORDS, rng.randint(1, 3)))
    name = lambda: rng.choice(NAMES) + " " + rng.choice(WORDS).capitalize()
    roman = lambda: rng.choice("II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI XVII XVIII XIX XX XXI XXIV XXX".split())
    year = lambda: str(rng.randint(1780, 1930))
    kind = rng.randrange(9)
    if kind == 0:
        dots = rng.choice([" ", " . . . . ", "...... ", "\t", " -- "])
        return "\n".join(f"{rng.choice(['', 'Chapter ', 'CHAPTER '])}{roman()}. {title()}{dots}{rng.randint(1, 500)}" for _ in range(rng.randint(5, 30)))
    if kind == 1:
        return "CONTENTS\n" + "\n".join(f"{rng.choice(['CHAPTER', 'Chapter', 'BOOK', 'PART'])} {roman()}{rng.choice(['', '.', ' ' + title(), '. ' + title().upper()])}" for _ in range(rng.randint(5, 60)))
    if kind == 2:
        return f"{title().upper()}\n\nBY\n\n{name().upper()}\n\nAUTHOR OF \"{title().upper()},\" ETC.\n\n{rng.choice(PLACES)}: {name()} & Co., {rng.randint(1, 90)} {rng.choice(NAMES)} Street\n\n{year()}\n\nCopyright, {year()}, by {name()}. All rights reserved."
    if kind == 3:
        return "DRAMATIS PERSONAE\n\n" + "\n".join(f"{name().upper()}, {rng.choice(['a', 'his', 'the'])} {rng.choice(WORDS)} {rng.choice(['to', 'of', 'and'])} {rng.choice(NAMES)}." for _ in range(rng.randint(6, 25))) + f"\n\nSCENE: {rng.choice(PLACES)}"
    if kind == 4:
        return "\n".join(f"{name()}, {', '.join(str(rng.randint(1, 480)) for _ in range(rng.randint(1, 6)))}" for _ in range(rng.randint(8, 35)))
    if kind == 5:
        return "\n\n".join(f"[{rng.choice(['Illustration', 'Footnote ' + str(rng.randint(1, 90)), 'Transcriber’s note'])}: {title()}]" for _ in range(rng.randint(3, 14))) + f"\n\nACT {roman()}. SCENE {roman()}. Enter {name()} and {name()}. Exeunt."
    if kind == 7:
        line = lambda: f"{rng.choice(['You may', 'The publisher will', 'No person shall', 'Any user must'])} {rng.choice(['copy', 'distribute', 'provide', 'display'])} {rng.choice(['this', 'any', 'each'])} {rng.choice(['electronic', 'printed', 'derivative'])} {rng.choice(['work', 'edition', 'page', 'ebook'])} {rng.choice(['with', 'without', 'under'])} {rng.choice(['the terms of this license', 'a full refund', 'the trademark of the project', 'permission of the copyright owner', 'paragraph ' + str(rng.randint(1, 9)) + '.' + rng.choice('ABCDEF')])}."
        return " ".join(line() for _ in range(rng.randint(4, 14)))
    if kind == 8:
        who = [n[: rng.randint(2, 5)] + "." for n in rng.sample(NAMES, 4)]
        return "\n".join(f"  {rng.choice(who)} {rng.choice(['Ay', 'No', 'What', 'My lord', 'Sir', 'Who is there', 'Come', 'Well', 'Here', 'Look you', 'Not so'])}{rng.choice(['.', '!', '?', ', ' + rng.choice(NAMES) + '.', ', the ' + rng.choice(WORDS) + '.'])}" + rng.choice(["", "", f" [Exit {rng.choice(who)}]", f"  Enter {rng.choice(NAMES)}."]) for _ in range(rng.randint(10, 40)))
    return f"Produced by {name()} and {name()}. Release date: {rng.choice(['May', 'June', 'March'])} {rng.randint(1, 28)}, {year()} [EBook #{rng.randint(100, 60000)}]. Language: English. *** {title().upper()} *** by {name()}, translated by {name()}. {rng.choice(PLACES)}, {year()}. www.{rng.choice(WORDS)}.org"
