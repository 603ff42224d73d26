"""Columns: null marker, direction and encodings. The ids are rules of docs/spec/key-format.md."""

import datetime
import math
import struct

INTEGERS = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8}
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Malformed(Exception):
    """KEY-31."""


def need(holds):
    if not holds:
        raise Malformed()


def take(data, length):
    need(len(data) >= length)
    return data[:length]


def utf8(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed()


def signed(data):  # KEY-10
    return int.from_bytes(data, "big") - (1 << len(data) * 8 - 1)


def escaped(data):  # KEY-6
    content, at = bytearray(), 0
    while True:
        zero = data.find(0, at)
        need(zero >= 0 and data[zero + 1 : zero + 2] in (b"\0", b"\1"))
        content += data[at:zero]
        at = zero + 2
        if data[zero + 1] == 0:
            return bytes(content), at
        content.append(0)


def in_range(number, type):  # KEY-10, KEY-11, KEY-14, KEY-15
    kind = type["kind"]
    bits = INTEGERS.get(kind, 8) * 8
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    if kind.startswith("uint"):
        low, high = 0, (1 << bits) - 1
    elif kind == "date":
        low, high = -100_000_000, 100_000_000
    elif type.get("unit") == "ms":
        low, high = -8_640_000_000_000_000, 8_640_000_000_000_000
    if type.get("as") == "number":
        low, high = max(low, 1 - (1 << 53)), min(high, (1 << 53) - 1)
    need(low <= number <= high)
    return number


def decoded_float(data):  # KEY-12
    bits, number = len(data) * 8, int.from_bytes(data, "big")
    number ^= 1 << bits - 1 if number >> bits - 1 else (1 << bits) - 1
    raw = number.to_bytes(len(data), "big")
    value = struct.unpack(">f" if bits == 32 else ">d", raw)[0]
    need(not math.isnan(value) or data.hex() in ("ffc00000", "fff8000000000000"))
    need(value != 0 or raw[0] == 0)
    return value


def decoded_uuid(data, order):  # KEY-13
    digits = data.hex()
    if order == "time" and digits[0] == "1":
        digits = digits[8:16] + digits[4:8] + digits[:4] + digits[16:]
    elif order == "time":
        digits = digits[1:13] + digits[0] + digits[13:]
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def decoded_decimal(data, precision, scale):  # KEY-33
    number = signed(data)
    need(abs(number) < 10**precision)
    digits = str(abs(number)).rjust(scale + 1, "0")
    point = len(digits) - scale
    return "-" * (number < 0) + digits[:point] + "." * (scale > 0) + digits[point:]


def decoded_padding(data, width, pad):  # KEY-16
    at = units = 0
    while units < width:
        lead = take(data[at:], 1)[0]
        length = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        utf8(take(data[at:], length))
        units += 1 + (length == 4)
        at += length
    need(units == width)
    return utf8(data[:at]).rstrip(pad), at


def digits_width(type):  # KEY-44
    return type.get("width") or len(type.get("max") or type.get("format") or "") or None


def decoded_digits(text, type):  # KEY-44
    length = digits_width(type)
    need(len(text) == length and text.isascii() and text.isdigit())
    number, most = int(text), int(type.get("max", 10**length - 1))
    number = most - number if type["desc"] else number
    need(0 <= number <= most)
    if "format" not in type:
        return in_range(number, type["inner"])
    fields = str(number).rjust(length, "0").ljust(17, "0")
    try:
        parts = [int(fields[start:end]) for start, end in ((0, 4), (4, 6), (6, 8), (8, 10), (10, 12), (12, 14))]
        since = datetime.datetime(*parts) - datetime.datetime(1970, 1, 1)
    except ValueError:
        raise Malformed()
    seconds = since.days * 86400 + since.seconds
    return seconds // 86400 if type["inner"]["kind"] == "date" else seconds * 1000 + int(fields[14:])


def plain_digits(text, inner):  # KEY-45
    digits = text[text.startswith("-") :]
    need(digits.isascii() and digits.isdigit() and len(digits) <= 20 and str(int(text)) == text)
    return in_range(int(text), inner)


def decoded_reverse(content, inner):  # KEY-18
    text = utf8(content)[::-1]
    if inner["kind"] == "digits":
        return decoded_digits(text, inner) if digits_width(inner) else plain_digits(text, inner["inner"])
    if inner["kind"] in ("text", "fixedText", "lastText", "separatedText"):
        return text
    return plain_digits(text, inner)


def width(type):
    """How many bytes every value of the column has, its text that follows included; None if that differs."""
    kind = type["kind"]
    if kind == "reversed" and not type["nullable"]:
        return width({**type["inner"], "followedBy": type.get("followedBy", "")}) if type["inner"]["kind"] in ("fixedText", "digits") else None
    if kind == "digits" and not digits_width(type):
        return None
    if type["nullable"] or kind in ("text", "bytes", "paddedText", "separatedText", "lastText", "lastBytes"):
        return None
    constant = len(type.get("followedBy", "").encode())
    if kind == "dictionary":
        lengths = {len(code.encode()) for _, code in type["codes"]}
        return constant + lengths.pop() if len(lengths) == 1 else None
    return constant + fixed_length(type)


def fixed_length(type):
    kind = type["kind"]
    if kind == "decimal":
        return 4 if type["precision"] <= 9 else 8 if type["precision"] <= 18 else 16
    lengths = {"bool": 1, "float32": 4, "float64": 8, "uuid": 16, "ulid": 16, "timestamp": 8, "date": 4, **INTEGERS}
    if kind == "digits":
        return digits_width(type)
    return type["width"] if kind in ("fixedBytes", "fixedText") else lengths[kind]


def ascending(type, data, after):
    """The value whose ascending encoding the bytes begin with, and how long that is; `after`: bytes of the columns after it."""
    kind = type["kind"]
    if kind == "reversed" and type["inner"]["kind"] in ("fixedText", "lastText", "separatedText", "digits"):
        content, length = ended(type["inner"], data)
        return decoded_reverse(content, type["inner"]), length
    if kind in ("text", "bytes", "reversed"):
        content, length = escaped(data)
        return decoded_reverse(content, type["inner"]) if kind == "reversed" else utf8(content) if kind == "text" else content, length
    if kind == "digits":
        content, length = ended(type, data)
        return decoded_digits(utf8(content), type) if digits_width(type) else plain_digits(utf8(content), type["inner"]), length
    if kind == "paddedText":
        return decoded_padding(data, type["width"], type["pad"])
    if kind in ("lastText", "lastBytes"):  # KEY-41
        need(data)
        return utf8(data) if kind == "lastText" else data, len(data)
    if kind == "separatedText":  # KEY-17, KEY-42
        separator = type["separator"].encode()
        end = data.find(separator)
        if type.get("split") == "last":
            end = len(data) - after - len(separator)
            need(end >= 0 and data[end:].startswith(separator))
        need(end >= 0)
        return utf8(data[:end]), end + len(separator)
    if kind == "dictionary":  # KEY-19
        codes = [(value, len(code.encode())) for value, code in type["codes"] if data.startswith(code.encode())]
        need(codes)
        return codes[0]
    length = fixed_length(type)
    return fixed(type, take(data, length)), length


def ended(type, data):
    """The text of fixedText, lastText, separatedText and digits, and the length of its encoding."""
    if "separator" in type:
        end = data.find(type["separator"].encode())
        need(end >= 0)
        return data[:end], end + len(type["separator"].encode())
    length = digits_width(type) if type["kind"] == "digits" else type.get("width")
    need(data)
    return take(data, length or len(data)), length or len(data)


def fixed(type, data):
    kind, unsigned = type["kind"], int.from_bytes(data, "big")
    if kind == "bool":  # KEY-9
        need(unsigned < 2)
        return unsigned == 1
    if kind == "ulid":  # KEY-34
        return "".join(BASE32[unsigned >> 5 * place & 31] for place in range(25, -1, -1))
    if kind == "decimal":
        return decoded_decimal(data, type["precision"], type["scale"])
    if kind == "uuid":
        return decoded_uuid(data, type.get("order"))
    if kind in ("float32", "float64"):
        return decoded_float(data)
    if kind == "fixedText":  # KEY-40
        return utf8(data)
    return data if kind == "fixedBytes" else in_range(unsigned if kind.startswith("uint") else signed(data), type)


def decoded_column(type, data, after=0):
    """Value, length, and the ascending encoding for salts."""
    marker = b""
    if type["nullable"]:  # KEY-5
        marker = take(data, 1)
        if marker == (b"\0" if type["nulls"] == "first" else b"\2"):
            return None, 1, b""
        need(marker == b"\1")
    rest = data[len(marker) :]
    own = type["kind"] == "digits" and digits_width(type)
    rest = bytes(byte ^ 0xFF for byte in rest) if type["desc"] and not own else rest  # KEY-4
    value, length = ascending(type, rest, after)
    if own and type["desc"]:  # KEY-44
        most = int(type.get("max", 10**own - 1))
        rest = str(most - int(rest[:own])).rjust(own, "0").encode()
    constant = type.get("followedBy", "").encode()  # KEY-39
    end = len(marker) + length
    need(data[end:].startswith(constant))
    return value, end + len(constant), rest[:length]
