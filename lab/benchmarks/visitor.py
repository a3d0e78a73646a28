"""A browser tab as the server sees it, without the browser: it opens pages, clicks, and looks as often as asked.

It speaks the wire format of Streamlit's own page (protobuf over a WebSocket), so that many tabs can be open on one
server without the drawing of all of them going on on the server's own processors.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

LONGEST_S = 5.0
LISTENS_S = 0.05
LARGEST_MESSAGE = 2**28
ANSWERS = {"history": "What happened in", "equations": "-eq_0", "discover": "-apply"}
"""What a click on a page waits for, as `gestures.PAGES` does: the start of a heading, or the end of a block's id."""


@dataclass
class _Waiting:
    """What somebody waits for: the answer, or the end of a run of the page's script that began after the click."""

    page: str
    began: float
    answer: str = ""
    over: threading.Event = field(default_factory=threading.Event)
    seconds: float = 0.0
    runs: bool = False


class Visitor:
    """One tab; its thread answers the server's wishes to be looked at again."""

    def __init__(self, address: str, page: str, query: str, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self.troubles: list[str] = []
        self._query = query
        self._socket: ClientConnection = connect(
            address.replace("http://", "ws://") + "/_stcore/stream", subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=LARGEST_MESSAGE,
        )  # fmt: skip
        self._pages: dict[str, str] = {}
        self._buttons: dict[str, str] = {}
        self._timers: dict[str, tuple[float, float]] = {}  # fragment: seconds between two looks, when the next is due
        self._at = ""
        self._waiting: _Waiting | None = None
        self._over = False
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()
        self.opened_ms = self._ask(lambda back: self._rerun(back, page_name=page), "")

    def go(self, page: str) -> float | None:
        """Click a page of the menu; return the milliseconds until the server has sent its answer, None without one."""
        wanted = self._pages[page.lower()]
        return self._ask(lambda back: self._rerun(back, page_hash=wanted), wanted, ANSWERS[page.lower()])

    def press(self, label: str) -> float | None:
        """Press a button of the page."""
        name = next(one for one in self._buttons if label in one)
        return self._ask(lambda back: self._rerun(back, self._at, pressed=self._buttons[name]), self._at)

    def close(self) -> None:
        """Close the tab."""
        self._over = True
        self._thread.join()
        self._socket.close()

    def _ask(self, fill: Callable[[BackMsg], None], page: str, answer: str = "") -> float | None:
        waiting = _Waiting(page, time.perf_counter(), answer)
        self._waiting = waiting
        back = BackMsg()
        fill(back)
        self._socket.send(back.SerializeToString())
        return 1000.0 * waiting.seconds if waiting.over.wait(self._longest_s) else None

    def _rerun(
        self, back: BackMsg, page_hash: str = "", page_name: str = "", fragment: str = "", pressed: str = ""
    ) -> None:
        asked = back.rerun_script
        asked.query_string, asked.page_script_hash, asked.page_name = self._query, page_hash, page_name
        asked.fragment_id, asked.is_auto_rerun = fragment, bool(fragment)
        asked.widget_states.SetInParent()
        if pressed:
            asked.widget_states.widgets.append(WidgetState(id=pressed, trigger_value=True))

    # --- the thread of the tab ------------------------------------------------------------------------

    def _live(self) -> None:
        while not self._over:
            try:
                raw = self._socket.recv(timeout=LISTENS_S)
                self._take(ForwardMsg.FromString(raw if isinstance(raw, bytes) else raw.encode()))
            except TimeoutError:
                pass
            except ConnectionClosed as error:
                self.troubles.append(f"The server closed the connection: {error}")
                return
            self._look()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        waiting = self._waiting
        if kind == "navigation":
            self._pages = {page.url_pathname or "start": page.page_script_hash for page in message.navigation.app_pages}
            self._at = message.navigation.page_script_hash
            self._timers.clear()  # the page is drawn anew, whole
            if waiting and waiting.page in ("", self._at):
                waiting.runs = True
        elif kind == "auto_rerun":
            between = message.auto_rerun.interval
            self._timers[message.auto_rerun.fragment_id] = (between, time.monotonic() + between)
        elif kind == "stop_auto_rerun":
            self._timers.clear()
        elif kind == "delta":
            self._note(message)
            if waiting and waiting.runs and waiting.answer and _is_answer(message, waiting.answer):
                self._end(waiting)
        elif kind == "script_finished" and waiting and waiting.runs and not waiting.answer:
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                self._end(waiting)

    def _end(self, waiting: _Waiting) -> None:
        waiting.seconds = time.perf_counter() - waiting.began
        self._waiting = None
        waiting.over.set()

    def _note(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        if element.WhichOneof("type") == "button":
            self._buttons[element.button.label] = element.button.id
        elif element.WhichOneof("type") == "exception":
            self.troubles.append(element.exception.message)
        elif b"keeps it locked" in message.SerializeToString():
            self.troubles.append("The database was locked.")

    def _look(self) -> None:
        now = time.monotonic()
        for fragment, (between, due) in list(self._timers.items()):
            if now >= due:
                self._timers[fragment] = (between, now + between)
                back = BackMsg()
                self._rerun(back, self._at, fragment=fragment)
                self._socket.send(back.SerializeToString())


def _is_answer(message: ForwardMsg, answer: str) -> bool:
    delta = message.delta
    return delta.add_block.id.endswith(answer) or delta.new_element.heading.body.startswith(answer)
