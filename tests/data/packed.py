"""Tables as archives."""

import io
import zipfile


def zipped(*files: tuple[str, bytes]) -> bytes:
    """Return a zip file of names and contents."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()
