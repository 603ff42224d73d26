"""The two hashes of the salts that Python does not bring along, from their public definitions."""


def murmur3(data, seed):
    """MurmurHash3_x86_32, unsigned."""

    def mixed(word):
        word = word * 0xCC9E2D51 & 0xFFFFFFFF
        return (word << 15 | word >> 17) * 0x1B873593 & 0xFFFFFFFF

    whole = len(data) & ~3
    for at in range(0, whole, 4):
        seed ^= mixed(int.from_bytes(data[at : at + 4], "little"))
        seed = (seed << 13 | seed >> 19) * 5 + 0xE6546B64 & 0xFFFFFFFF
    seed ^= mixed(int.from_bytes(data[whole:], "little")) ^ len(data)
    seed = (seed ^ seed >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    seed = (seed ^ seed >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return seed ^ seed >> 16


def murmur2(data, seed):
    """MurmurHash2, 64-bit version A, unsigned."""
    m, last = 0xC6A4A7935BD1E995, (1 << 64) - 1
    hash = seed ^ len(data) * m & last
    whole = len(data) & ~7
    for at in range(0, whole, 8):
        word = int.from_bytes(data[at : at + 8], "little") * m & last
        hash = (hash ^ (word ^ word >> 47) * m & last) * m & last
    if whole < len(data):
        hash = (hash ^ int.from_bytes(data[whole:], "little")) * m & last
    hash = (hash ^ hash >> 47) * m & last
    return hash ^ hash >> 47
