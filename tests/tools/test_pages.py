"""The pages: each one is in the index, and their links lead to files and headings that exist."""
import os
import re
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGES = [p for p in subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], check=True, capture_output=True,
                                   text=True).stdout.split("\n") if p]


def text(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return re.sub(r"^```.*?^```$", "", f.read(), flags=re.M | re.S)


def anchors(path):
    """As GitHub and GitLab name headings."""
    heads = re.findall(r"^#+ (.*)$", text(path), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", h)).strip().lower().replace(" ", "-") for h in heads}


def test_the_index_has_each_page_of_docs():
    index = set(re.findall(r"\]\(([\w.-]+\.md)", text("docs/README.md")))
    assert {os.path.basename(p) for p in PAGES if p.startswith("docs/")} - {"README.md"} == index


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text(page)):
        if re.match(r"https?:|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        full = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        assert os.path.exists(os.path.join(ROOT, full)), target
        assert not anchor or anchor in anchors(full), target
