"""`python -m tests.languages [de ...]` brings translations up to the texts of the program."""

import sys

from tests.languages.catalogue import (
    TRANSLATED,
    is_said,
    po_file,
    refresh,
    refresh_words,
    with_other_words,
)

for language in sys.argv[1:] or TRANSLATED:
    catalog = refresh(language)
    missing = [message for message in catalog if message.id and not is_said(message)]
    print(f"{language}: {len(catalog)} texts, {len(missing)} to translate")
    for message in missing:
        print(f"  {message.id}")
    if missing:
        print(f"  Translate them in {po_file(language)}, then run this again.")
for language, words in with_other_words():
    print(f"{language}, {words}: {len(refresh_words(language, words))} texts")
