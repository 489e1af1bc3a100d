"""A resolution as HTML, in the colours of the page (`promptls preview`)."""

from html import escape

from promptls._internal.results import Resolution, Run

# The colours of the page's theme. They are mixed with the background, so they also suit dark
# themes.
VALUE = "#1a85ff"
ERROR = "#b5200d"
MUTED = "#616161"

_TINT = f"background: color-mix(in srgb, {VALUE} 22%, transparent)"
_STYLES = {
    # The characters of a value must not change the direction of the text around it.
    "value": f"{_TINT}; border-radius: 2px; unicode-bidi: plaintext",
    "mixed": f"{_TINT}; border-bottom: 1px dashed {VALUE}; unicode-bidi: plaintext",
    "escape": f"border-bottom: 1px dotted {MUTED}",
    "missing": f"color: {ERROR}; background: color-mix(in srgb, {ERROR} 12%, transparent); outline: 1px solid {ERROR}",
}


def html_of(resolution: Resolution) -> str:
    """The text with coloured values, and the error below it."""
    text, pieces, at = resolution.text, list[str](), 0
    for run in resolution.map:
        pieces.append(escape(text[at : run.start]))
        pieces.append(_piece(resolution, run))
        at = run.end
    pieces.append(escape(text[at:]))
    html = f'<pre style="white-space: pre-wrap">{"".join(pieces)}</pre>'
    if resolution.error is not None:
        html += f'<div style="color: {ERROR}">{escape(str(resolution.error))}</div>'
    return html


def _piece(resolution: Resolution, run: Run) -> str:
    text = escape(resolution.text[run.start : run.end])
    style = _STYLES.get("missing" if _is_missing(resolution, run) else run.kind)
    if style is None:
        return text
    title = f' title="{escape(run.name)}"' if run.name is not None else ""
    return f'<span style="{style}"{title}>{text}</span>'


def _is_missing(resolution: Resolution, run: Run) -> bool:
    """Whether a placeholder stayed in the text because of an error."""
    return run.kind == "literal" and any(
        problem.severity == "error" and run.source_start <= problem.start < run.source_end
        for problem in resolution.problems
    )
