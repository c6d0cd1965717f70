"""The pages of the library in a browser, with names that are made to run there."""

import pytest

from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.library.library_pages import list_games
from mj_bot.lab.play.session import Session
from tests.browser import IS_UNPACKED, needs_browser, open_page
from tests.lab.library.games import add_reviewed, list_reviewed
from tests.lab.play.games import OPPONENTS, serve

HOSTILE = ("<img src=x onerror=owned=1>", "</script><script>owned=1</script>", "\"' onmouseover=owned=1 x='",
           "{{title}}${owned=1}", "javascript:owned=1", "a/../../b?c#d", "<!--<script>", "\u202egnp.exe\u2066")


@pytest.fixture
def url(tmp_path, monkeypatch):
    """A server whose library has games with hostile names, titles and files."""
    monkeypatch.setattr(GameKeeper, "review_waiting", lambda keeper: None)
    session = Session(OPPONENTS, "random", str(tmp_path / "played"))
    session.begin(5, 0, True)
    keeper = session.past.keeper = GameKeeper("play")
    for turn, (game, reviewed) in enumerate(list_reviewed()[:2]):
        names = list(HOSTILE[4 * turn:4 * turn + 4])
        origin = dict(game.record.origin, names=names, ids=[""] * 4, title=HOSTILE[0], session=HOSTILE[1],
                      platform=HOSTILE[2], id="%s%d" % (HOSTILE[1], turn))
        reviewed = dict(reviewed, name=HOSTILE[1], where=HOSTILE[0], session=dict(
            reviewed["session"] or {}, names=names, title=HOSTILE[0], hand=turn, hands=2, seats=[0, 1, 2, 3]))
        add_reviewed(keeper.library, game._replace(where="/tmp/%s.json" % HOSTILE[0]), reviewed, origin=origin,
                     players=names, name=HOSTILE[1])
    with serve(session) as url:
        yield url, keeper.library


@needs_browser
def test_no_name_runs_anything(browser, url):
    """Every page shows such names as text and has no error; a player whose name has slashes had no page."""
    address, library = url
    with open_page(browser, address + "library") as page:
        assert HOSTILE[0] in page.inner_text("body")
        links = page.eval_on_selector_all("a[href]", "links => links.map(link => link.href)")
        assert not any(link.startswith("javascript:") for link in links)
        players = [link for link in links if "/player/" in link]
        assert len(players) == len(HOSTILE) and page.evaluate("typeof owned") == "undefined"
        for link in [*players, *("%spast/%s" % (address, game["key"]) for game in list_games(library, most=9))]:
            page.goto(link)
            page.wait_for_function(IS_UNPACKED)
            assert page.evaluate("typeof owned") == "undefined" and not page.query_selector("img[src=x]")
