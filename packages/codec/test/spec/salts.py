"""Salts, computed from the columns that were read."""

import hashlib

from columns import INTEGERS
from hashes import murmur2, murmur3

TEXTS = ("text", "fixedText", "lastText", "paddedText", "separatedText")


def separator(salt):  # KEY-38
    return salt.get("separator", "").encode()


def salt_width(salt):
    return own_width(salt) + len(separator(salt))


def own_width(salt):
    return salt["digits"] if salt["kind"] == "hashPrefix" else 1 if salt["count"] <= 256 else 2


def salt_bytes(salt, columns):
    """`columns`: type, value and ascending encoding of the salt's columns, in key order (KEY-21)."""
    type, value, _ = columns[-1]
    encodings = [encoding for _, _, encoding in columns]
    if salt["kind"] == "hashPrefix":  # KEY-24
        inner = type.get("inner", type)["kind"]
        plain = len(columns) == 1 and (inner in TEXTS or inner in INTEGERS)
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
    return number.to_bytes(own_width(salt), "big") + separator(salt)
