"""A decoder of rowkeys, written from docs/spec/key-format.md alone: it shares nothing with the packages. The ids are rules of that page.

In, a line per layout: {"columns": [columns as in the JSON of a schema], "salt": [salts likewise], "keys": [hex, ...]}.
Out, a line per layout: for every key the list of its values, or null where the page says MALFORMED_KEY.
A value is text for text, uuid, ulid, decimal and dictionary; hex for bytes; decimal digits for integers, timestamps and dates; a number
for floats, or "NaN", "Infinity", "-Infinity"; true, false and null as such."""

import json
import math
import sys

from columns import Malformed, decoded_column, need, width
from salts import salt_bytes, salt_width


def decoded_key(columns, salts, data):  # KEY-1
    at = 0
    for salt in salts:
        at += salt_width(salt, data[at:])
    parts = []
    for place, column in enumerate(columns):
        widths = [width(other["type"]) for other in columns[place + 1 :]]
        after = 0 if None in widths else sum(widths)
        value, length, encoding = decoded_column(column["type"], data[at:], after)
        parts.append((column["name"], (column["type"], value, encoding)))
        at += length
    need(at == len(data))
    salted = b"".join(salt_bytes(salt, [part for name, part in parts if name in salt["of"]]) for salt in salts)
    need(data.startswith(salted))
    return [as_json(value) for _, (_, value, _) in parts]


def as_json(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def answer(line):
    layout = json.loads(line)
    for key in layout["keys"]:
        try:
            yield decoded_key(layout["columns"], layout["salt"], bytes.fromhex(key))
        except Malformed:
            yield None


for line in sys.stdin.buffer:
    print(json.dumps(list(answer(line))))
