"""A page as a browser reads it: elements, the texts people see, and forms filled in."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, TreeBuilder

EMPTY = {"br", "hr", "img", "input", "link", "meta"}
Fields = dict[str, str]


@dataclass
class Form:
    """A form with what stands in its fields; the buttons beside it are not pressed yet."""

    action: str
    id: str
    fields: Fields
    buttons: list[Fields] = field(default_factory=list)


class Page:
    """The tree of a page; raises `AssertionError` where an element is not closed in its place."""

    def __init__(self, html: str) -> None:
        self.html = html
        reader = _Reader()
        reader.feed(html)
        self.root = reader.close_tree()

    def all(self, path: str) -> list[Element]:
        """Return the elements of a path such as `p[@class='error']`, wherever they stand."""
        return self.root.findall(f".//{path}")

    def one(self, path: str) -> Element:
        """Return the only element of a path."""
        found = self.all(path)
        assert len(found) == 1, f"{len(found)} × {path}"
        return found[0]

    def texts(self, path: str) -> list[str]:
        """Return what the elements of a path say."""
        return [text_of(element) for element in self.all(path)]

    @property
    def text(self) -> str:
        """Everything the page says, in one line."""
        return text_of(self.one("body"))

    @property
    def alerts(self) -> str:
        """What is wrong, as a screen reader is told at once; what is hidden it does not tell."""
        found = [alert for alert in self.all("*[@role='alert']") if "hidden" not in alert.attrib]
        return " ".join(map(text_of, found))

    def error_of(self, name: str) -> str:
        """Return the message that a field, or the group of a choice, points to."""
        path = f".//*[@name='{name}']"
        groups = [group for group in self.all("fieldset") if group.find(path) is not None]
        fields = self.all(path.removeprefix(".//"))
        assert fields, name
        described = next(filter(None, (one.get("aria-describedby") for one in groups + fields)), "")
        return text_of(self.one(f"*[@id='{described}']")) if described else ""

    def forms(self) -> list[Form]:
        """Return every form, filled in as it was drawn."""
        return [self._form(element) for element in self.all("form[@method='post']")]

    def form(self, ending: str) -> Form:
        """Return the form of an id, or the first whose address ends so."""
        for form in self.forms():
            if form.id == ending or form.action.endswith(ending):
                return form
        raise AssertionError(f"no form {ending} in {[form.action for form in self.forms()]}")

    def _form(self, element: Element) -> Form:
        form = Form(element.get("action", "").partition("#")[0], element.get("id", ""), {})
        outside = self.all(f"button[@form='{form.id}']") if form.id else []
        for control in element.iter():
            if control.tag in ("input", "select") and _is_sent(control):
                form.fields.setdefault(control.get("name", ""), _value(control))
        form.buttons = [
            {button.get("name", ""): button.get("value", "")}
            for button in [*element.iter("button"), *outside]
            if button.get("name")
        ]
        return form


def text_of(element: Element) -> str:
    """Return what an element says, blanks collapsed; styles and scripts say nothing."""
    return " ".join("".join(seen_texts(element)).split())


def seen_texts(element: Element) -> Iterator[str]:
    """Yield the texts of an element in their order."""
    if element.tag not in ("style", "script"):
        yield element.text or ""
        for child in element:
            yield from seen_texts(child)
            yield child.tail or ""


def _is_sent(control: Element) -> bool:
    if not control.get("name") or control.get("disabled") is not None:
        return False
    return control.get("type") not in ("radio", "checkbox") or control.get("checked") is not None


def _value(control: Element) -> str:
    if control.tag == "input":
        return control.get("value", "on" if control.get("type") == "checkbox" else "")
    options = control.findall(".//option")
    chosen = [option for option in options if option.get("selected") is not None] or options[:1]
    return chosen[-1].get("value", text_of(chosen[-1])) if chosen else ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._tree, self._open = TreeBuilder(), ["page"]
        self._tree.start("page", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> says something twice: {names}"
        self._tree.start(tag, {name: value or "" for name, value in attrs})
        if tag in EMPTY:
            self._tree.end(tag)
        else:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open[-1] == tag, f"</{tag}> closes <{self._open[-1]}> at {self.getpos()}"
        self._tree.end(self._open.pop())

    def handle_data(self, data: str) -> None:
        self._tree.data(data)

    def close_tree(self) -> Element:
        """Return the tree once everything is closed."""
        self.close()
        assert self._open == ["page"], f"not closed: {self._open}"
        self._tree.end("page")
        return self._tree.close()
