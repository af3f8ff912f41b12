"""Spellings of names: those of one player on several keyboards, and those of other people."""

SAME = {
    "apostrophe": ("O'Neil", "O\u2019Neil", "O\u2018Neil", "O`Neil", "O\u00b4Neil", "O\u02bcNeil",
                   "O\u2032Neil", "O\uff07Neil", "o'neil"),
    "quotes": ('Joe "Ace"', "Joe \u201cAce\u201d", "Joe \u201eAce\u201c", "Joe \u00abAce\u00bb"),
    "hyphen": ("Anna-Lena", "Anna\u2010Lena", "Anna\u2011Lena", "Anna\u2013Lena", "Anna\u2212Lena",
               "Anna\uff0dLena"),
    "full width": ("Kim 2", "\uff2b\uff49\uff4d\u3000\uff12"),
    "composed": ("Jos\u00e9", "Jose\u0301"),
    "german": ("Gro\u00df", "GROSS", "Gross"),
    "french": ("L\u2019\u0152il", "l'\u0153il"),
    "spanish": ("D\u2019Angelo", "d'angelo"),
    "kashida": ("\u0645\u062d\u0645\u062f", "\u0645\u062d\u0640\u0640\u0645\u062f"),
    "presentation forms": ("\u0639\u0644\u064a", "\ufecb\ufee0\ufef2"),
    "yeh": ("\u0639\u0644\u064a", "\u0639\u0644\u06cc", "\u0639\u0644\u0649"),
    "kaf": ("\u0643\u0631\u064a\u0645", "\u06a9\u0631\u06cc\u0645"),
    "digits": ("Ali 2", "Ali \u0662", "Ali \u06f2", "Ali \u0968"),
    "nukta": ("\u091c\u093c\u0930\u0940\u0928", "\u095b\u0930\u0940\u0928"),
    "joiners": ("\u0930\u0915\u094d\u0937\u093e", "\u0930\u0915\u094d\u200d\u0937\u093e"),
    "romanian": ("Ionu\u021b", "Ionu\u0163"),
}  # fmt: skip
OTHERS = {
    "accents": ("Jose", "Jos\u00e9", "Jos\u00e8"),
    "left out": ("ONeil", "O'Neil", "O Neil"),
    "umlauts": ("Muller", "M\u00fcller", "Mueller"),
    "alef": ("\u0627\u062d\u0645\u062f", "\u0623\u062d\u0645\u062f"),
    "tilde": ("Pena", "Pe\u00f1a"),
    "scripts": ("Anna", "\u0410nn\u0430"),
    "vowel signs": ("\u0930\u093e\u092e", "\u0930\u092e\u093e"),
}
