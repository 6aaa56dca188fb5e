"""Functions and classes of a C++ file with their sizes, told by braces alone: no compiler is asked.

What clang-format has formatted is read well enough for limits on sizes. A macro with braces that do not
match would confuse it; there is none in the tree.
"""

import re
from typing import Iterator, List, NamedTuple


class Scope(NamedTuple):
    kind: str  # "function", "class", "namespace" or "other"
    name: str
    first: int  # line of its name
    last: int  # line of its closing brace
    members: int  # data members of a class


HIDDEN = re.compile(r'R"\((?:.|\n)*?\)"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"'
                    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
CLASS = re.compile(r"(?:^|[\s>])(class|struct|union)\s+(?:alignas\([^)]*\)\s*)?([\w:]+)"
                   r"(?:<[^;{}]*>)?(?:\s+final)?\s*(?::[^;]*)?$")
FUNCTION = re.compile(r"([\w:~]+|operator[^\s\w(]+)\s*\(")
NO_MEMBER = re.compile(r"(?:using|typedef|friend|static|template|enum|class|struct|union|explicit"
                       r"|virtual)\b|static_assert\b")
REQUIRES = re.compile(r"\brequires\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
# The name of a member before its braces, in the list of a constructor.
INITIALISED = re.compile(r"\)\s*(?:noexcept\s*)?:[^:].*\w\s*$", re.S)
ACCESS = {"public", "private", "protected"}


def visible(text: str) -> str:
    """The text without comments, literals and directives, whose lines stay."""
    return HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n") or " ", text)


def without_brackets(text: str) -> str:
    """Without what stands in <>, () and []."""
    text = text.replace("->", " ").replace("<=", " ").replace(">=", " ").replace("<<", " ")
    for inner in (r"\([^()]*\)", r"<[^<>]*>", r"\[[^\[\]]*\]"):
        before = None
        while before != text:
            before, text = text, re.sub(inner, " ", text)
    return text


def kind_and_name(head: str, outer: str) -> "tuple[str, str]":
    """What the brace after `head` opens, in a scope of the kind `outer`."""
    head = head.strip()
    if re.search(r"\bnamespace\b[^()=]*$", head) or re.search(r"\bextern\s*$", head):
        return "namespace", head
    if outer not in ("namespace", "class") or re.search(r"\benum\b", head):
        return "other", ""
    plain = REQUIRES.sub(" ", re.sub(r"^template\s*<", "<", head))
    named = CLASS.search(plain) if "(" not in without_brackets(plain) else None
    if named and "=" not in without_brackets(plain):
        return "class", named[2]
    if INITIALISED.search(plain):
        return "other", ""
    called = FUNCTION.search(re.sub(r"\b(?:decltype|noexcept|alignas)\s*\(", " ", plain))
    equals = without_brackets(re.sub(r"operator\S+\(", "(", plain))
    if called and not re.search(r"(?<![=!<>])=(?!=)", equals):
        return "function", called[1]
    return "other", ""


def data_members(statement: str) -> int:
    """How many data members a statement of a class declares."""
    statement = statement.strip()
    if not statement or NO_MEMBER.match(statement):
        return 0
    declared = re.split(r"(?<![=!<>])=(?!=)", statement)[0]
    if "(" in re.sub(r"alignas\([^)]*\)|<[^;]*>", "", declared):
        return 0  # a function
    return 1 + without_brackets(statement).count(",")


def scopes(text: str) -> Iterator[Scope]:
    """Each scope of a file, where it closes."""
    opened: List[dict] = [{"kind": "namespace", "name": "", "first": 1, "members": 0}]
    head, line, head_line = "", 1, 1
    for character in visible(text):
        line += character == "\n"
        if character == "{":
            kind, name = kind_and_name(head, opened[-1]["kind"])
            opened.append({"kind": kind, "name": name, "first": head_line, "members": 0,
                           "head": head})
            head = ""
        elif character == "}" and len(opened) > 1:
            closed = opened.pop()
            yield Scope(closed["kind"], closed["name"], closed["first"], line, closed["members"])
            # What follows an initialiser belongs to the same statement.
            initialised = closed["kind"] == "other" and opened[-1]["kind"] in ("class", "namespace")
            head = closed["head"] + "[]" if initialised else ""
        elif character == ":" and head.strip() in ACCESS:
            head = ""
        elif character == ";":
            if opened[-1]["kind"] == "class":
                opened[-1]["members"] += data_members(head)
            head = ""
        else:
            if not head.strip() and not character.isspace():
                head_line = line
            head += character
