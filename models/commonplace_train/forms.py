"""Lemmas of languages other than English, as lines of a form and its lemma that infer/features/forms.go reads.

The forms are those of simplemma's dictionaries, which know about 50 languages. Of a form that may be of several
words, as Latin *canis*, its dictionary has one lemma. A model's folder gets the forms that its terms need, so
the program needs no dictionary.
"""

import sys


def lemmas(language):
    """The lemma of each form of a language (such as "la") that is not its own lemma, in lower case."""
    try:
        from simplemma import lemmatize
        from simplemma.strategies.dictionaries import DefaultDictionaryFactory
    except ImportError:
        sys.exit(f"train: --lemmas for passages of the language {language} needs simplemma, of models/shipped/requirements-encoder.txt")
    try:
        known = {form.lower() for form in DefaultDictionaryFactory().get_dictionary(language)}
    except ValueError:
        sys.exit(f"train: simplemma has no lemmas of the language {language}; leave --lemmas out")
    found = {form: lemmatize(form, lang=language).lower() for form in known if len(form.split()) == 1}
    return {form: lemma for form, lemma in found.items() if lemma != form and len(lemma.split()) == 1}


def lines(forms):
    return "".join(f"{form} {forms[form]}\n" for form in sorted(forms))


def needed(forms, terms):
    """The forms whose lemma is in a term. A form that is in a term itself is needed as well, since there it is the lemma of another."""
    words = {word for term in terms for word in term.split()}
    return {form: lemma for form, lemma in forms.items() if lemma in words or form in words}
