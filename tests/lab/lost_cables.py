"""Takes cables between switches out of a fabric for ibsim (ibnetdiscover text)."""
import random
import re

NODE = re.compile(r'\s*(Switch|Hca|Ca|Rt)\s+\d+\s+"([^"]+)"', re.IGNORECASE)
PORT = re.compile(r'\s*\[(\d+)\](?:\([^)]*\))?\s*"([^"]+)"\s*\[(\d+)\]')


def ends(lines):
    """{(switch, port): (number of its line, (peer, its port))} of all ports that are cabled to switches."""
    found, switches, node = {}, set(), None
    for number, line in enumerate(lines):
        if header := NODE.match(line):
            node = header[2]
            if header[1].lower() == "switch":
                switches.add(node)
        elif port := PORT.match(line):
            found[node, int(port[1])] = number, (port[2], int(port[3]))
    return {end: at for end, at in found.items() if end[0] in switches and at[1][0] in switches}


def joined(cables, start, goal):
    """True if cables lead from one switch to another."""
    around = {}
    for (a, _), (b, _) in cables:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    seen, open_ = {start}, [start]
    while open_:
        for n in around.get(open_.pop(), []):
            if n not in seen:
                seen.add(n)
                open_.append(n)
    return goal in seen


def cables_between_switches(lines):
    return sorted((end, peer) for end, (_, peer) in ends(lines).items() if end < peer)


def without_cables(lines, count, seed):
    """The lines left when up to `count` cables drawn from `seed` are gone; the switches stay joined."""
    at, cables = ends(lines), cables_between_switches(lines)
    order = list(cables)
    random.Random(seed).shuffle(order)
    gone = set()
    for cable in order:
        if len(gone) == 2 * count:
            break
        rest = [c for c in cables if c != cable]
        if joined(rest, cable[0][0], cable[1][0]):
            cables = rest
            gone |= {at[end][0] for end in cable}
    return [line for number, line in enumerate(lines) if number not in gone]
