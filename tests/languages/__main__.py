"""`python -m tests.languages [de ...]` brings translations up to the texts of the program."""

import sys

from tests.languages.catalogue import TRANSLATED, is_said, refresh

for language in sys.argv[1:] or TRANSLATED:
    catalog = refresh(language)
    missing = sum(not is_said(message) for message in catalog if message.id)
    print(f"{language}: {len(catalog)} texts, {missing} to translate")
