"""The pages of the documentation, for the help of the laboratory to lead to.

They are the Markdown files of the project, which an installed package holds beside this
module; a page is made of its file when it is asked for.
"""

import re
from html import escape
from itertools import pairwise

from markdown_it import MarkdownIt
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    PlainTextResponse,
    Response,
)

from verify.lab.places import documentation_folder

_FRAME = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · oneway</title><link rel="stylesheet" href="/static/style.css"></head>
<body><main class="documentation"><p><a href="/">The laboratory</a> ·
<a href="/docs/index.md">All pages</a></p>{body}</main></body></html>
"""


def rendered(text: str, title: str) -> str:
    """Return a Markdown text as an HTML page; each heading has its anchor."""
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    tokens = parser.parse(text)
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            words = re.sub(r"[^\w\s-]", "", following.content.lower())
            token.attrSet("id", re.sub(r"[\s-]+", "-", words).strip("-"))
    body = parser.renderer.render(tokens, parser.options, {})
    return _FRAME.format(title=escape(title), body=body)


def documentation(request: Request) -> Response:
    """Answer with a page or a file of the documentation."""
    top = documentation_folder().resolve()
    path = (top / request.path_params["path"]).resolve()
    if not path.is_relative_to(top) or not path.is_file():
        return PlainTextResponse("the documentation has no such page", 404)
    if path.suffix != ".md":
        return FileResponse(path)
    return HTMLResponse(rendered(path.read_text(encoding="utf-8"), path.stem))
