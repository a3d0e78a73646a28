"""What the next run is made of: files or a bundled set, settings, language models and their keys."""

import hashlib
import os
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from dolq_core import runs
from dolq_core.agents.providers import PRESETS, key_for
from dolq_core.records import ModelChoice, Models, Preparation, Problem, Settings
from pages.ui import session, shelf
from pages.ui.session import store

_UPLOAD, _NEW, _BUNDLED, _KEYS, _MADE = "dolq.upload", "dolq.new", "dolq.bundled", "dolq.keys", "dolq.made"
LARGEST = 20_000_000
"""Bytes of the files of a table that outlives a reload: the shelf is in this server's memory."""
_PARTS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class Upload:
    """The files that the person gave: names and bytes, read once; `mark` tells them from all others."""

    files: tuple[tuple[str, bytes], ...]
    mark: str

    @property
    def name(self) -> str:
        """Return what the files are called together."""
        more = len(self.files) - 1
        return f"{self.files[0][0]} and {more} more" if more else self.files[0][0]


def _in_order(name: str) -> list[str | tuple[int, str]]:
    """Return what sorts 10 behind 2: a number by its length first, since a name may be thousands of digits."""
    parts = _PARTS.split(name)  # a number at every second place
    return [(len(part.lstrip("0")), part.lstrip("0")) if at % 2 else part for at, part in enumerate(parts)]


def upload_of(files: Sequence[tuple[str, bytes]]) -> Upload:
    """Return files that the person gave, in the order of their names: run 2 before run 10."""
    own = sorted(files, key=lambda file: _in_order(file[0]))
    mark = hashlib.sha256()
    for name, content in own:
        mark.update(hashlib.sha256(name.encode("utf-8", "replace")).digest() + hashlib.sha256(content).digest())
    return Upload(tuple(own), mark.hexdigest())


@dataclass(frozen=True)
class NewRun:
    """What a new run starts with. models: None for the built-in agents."""

    settings: Settings = Settings()
    seed: int = 0
    models: Models | None = None


@dataclass(frozen=True)
class _Open:
    """A table that is open in a tab, as the person has it, before its run."""

    upload: Upload | None
    bundled: str
    made: Mapping[str, Preparation]
    said: Mapping[str, Any]


def keep_said(of: Collection[str]) -> None:
    """Keep the open table with what its fields hold, whose keys name one of `of`, so that a reload finds it again."""
    given = upload()
    if given is None or sum(len(content) for _, content in given.files) <= LARGEST:
        shelf.put("table", _Open(given, bundled(), st.session_state.get(_MADE, {}), session.fields(of)))


def find_again() -> None:
    """Open the table that the address names, as it was left, where nothing is open in this tab yet."""
    known: _Open | None = None if _UPLOAD in st.session_state else shelf.found("table")
    if known is None:
        return
    for key, held in known.said.items():
        session.seed(key, held)
    st.session_state[_UPLOAD], st.session_state[_BUNDLED], st.session_state[_MADE] = (
        known.upload, known.bundled, known.made,
    )  # fmt: skip


def upload() -> Upload | None:
    """Return the files that the person gave, or None."""
    return st.session_state.get(_UPLOAD)


def keep_upload(new: Upload | None) -> None:
    """Keep the files across pages: the uploader itself forgets it."""
    st.session_state[_UPLOAD] = new


def preparation(mark: str) -> Preparation:
    """Return what the person does to the columns of a table before they get their roles."""
    return st.session_state.get(_MADE, {}).get(mark, Preparation())


def keep_preparation(mark: str, new: Preparation) -> None:
    """Keep what is done to the columns of a table."""
    st.session_state[_MADE] = {**st.session_state.get(_MADE, {}), mark: new}


def bundled() -> str:
    """Return the id of the bundled data set that is chosen; empty if none."""
    return st.session_state.get(_BUNDLED, "")


def choose_bundled(name: str) -> None:
    """Choose a bundled data set, instead of a file; empty for neither."""
    st.session_state[_BUNDLED] = name
    shelf.forget("table")
    keep_upload(None)


def new_run() -> NewRun:
    """Return the settings that a new run starts with."""
    return st.session_state.get(_NEW, NewRun())


def keep_new_run(new: NewRun) -> None:
    """Keep the settings for the runs to come."""
    st.session_state[_NEW] = new


def start(problem: Problem, name: str = "", settings: Settings | None = None) -> str:
    """Store a new run with what was chosen for the runs to come, and return its id."""
    new = new_run()
    agents = "builtin" if new.models is None else "models"
    return runs.start(store(), problem, settings or new.settings, new.seed, agents, name, new.models)


# --- keys of language models: in this session and nowhere else ---------------------------------------------


def keep_key(choice: ModelChoice, key: str) -> None:
    """Keep a key that the person typed for as long as this tab lives; an empty one is forgotten."""
    others = {place: kept for place, kept in st.session_state.get(_KEYS, {}).items() if place != _place(choice)}
    st.session_state[_KEYS] = {**others, _place(choice): key.strip()} if key.strip() else others


def typed_key(choice: ModelChoice) -> str:
    """Return the key that was typed for this provider and address; empty if none."""
    return st.session_state.get(_KEYS, {}).get(_place(choice), "")


def key_of(choice: ModelChoice) -> str:
    """Return the key for a call: typed, else of this server, for the provider's own address only."""
    return key_for(choice, typed_key(choice), {**os.environ, **_secrets()})


def _secrets() -> dict[str, str]:
    """The keys in `.streamlit/secrets.toml`, by the names that the environment would give them."""
    wanted = {preset.key_variable for preset in PRESETS.values()}
    try:
        return {name: str(st.secrets[name]) for name in wanted if name in st.secrets}
    except (FileNotFoundError, StreamlitSecretNotFoundError):
        return {}


def _place(choice: ModelChoice) -> tuple[str, str]:
    return choice.provider, choice.base_url.strip().rstrip("/")
