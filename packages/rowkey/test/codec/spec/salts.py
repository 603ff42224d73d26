"""Salts, computed from the columns that were read."""

import hashlib

from columns import INTEGERS, digits_width
from hashes import murmur2, murmur3

TEXTS = ("text", "fixedText", "lastText", "paddedText", "separatedText")


def separator(salt):  # KEY-38
    return salt.get("separator", "").encode()


def salt_width(salt, data):
    """How many bytes of the data are the salt and its separator."""
    own = own_width(salt)
    if in_text(salt):  # KEY-46
        own = next((at for at, byte in enumerate(data[:own]) if not 0x30 <= byte <= 0x39), own)
    return own + len(separator(salt))


def in_text(salt):
    return "decimalDigits" in salt


def own_width(salt):
    if in_text(salt):
        return max(salt["decimalDigits"], len(str(salt["count"] - 1)))
    return salt["digits"] if salt["kind"] == "hashPrefix" else salt.get("bytes") or (1 if salt["count"] <= 256 else 2)


def hashes_text(type):  # KEY-24
    if type["kind"] == "digits":
        return digits_width(type) is None
    return hashes_text(type["inner"]) if type["kind"] == "reversed" else type["kind"] in TEXTS or type["kind"] in INTEGERS


def salt_bytes(salt, columns):
    """`columns`: type, value and ascending encoding of the salt's columns, in key order (KEY-21)."""
    type, value, _ = columns[-1]
    encodings = [encoding for _, _, encoding in columns]
    if salt["kind"] == "hashPrefix":  # KEY-24
        plain = len(columns) == 1 and hashes_text(type)
        data = str(value).encode() if plain else b"".join(encodings)
        return hashlib.md5(data).hexdigest()[: salt["digits"]].encode() + separator(salt)
    if salt["kind"] == "modulo":  # KEY-23
        number = value % salt["count"]
    elif salt["kind"] == "hash":  # KEY-22
        number = murmur3(b"".join(encodings), salt["seed"]) % salt["count"]
    else:  # KEY-35
        if type["kind"] in ("text", "bytes"):
            encodings[-1] = value.encode() if type["kind"] == "text" else value
        number = murmur2(b"".join(encodings), salt["seed"]) % salt["count"]
    if in_text(salt):
        return str(number).rjust(salt["decimalDigits"], "0").encode() + separator(salt)
    return number.to_bytes(own_width(salt), "big") + separator(salt)
