"""Builds the wheel with the standard library alone (PEP 517), so that pip asks no registry for a build tool."""

import base64
import hashlib
import pathlib
import zipfile


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    root = pathlib.Path(__file__).parent
    metadata = (root / "PKG-INFO").read_text(encoding="utf-8")
    version = next(line.split(": ")[1] for line in metadata.splitlines() if line.startswith("Version: "))
    info = f"bounty_marketplace-{version}.dist-info"
    tags = "Wheel-Version: 1.0\nGenerator: bounty-marketplace\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    contents = {path.relative_to(root).as_posix(): path.read_bytes() for path in root.glob("bounty_marketplace/*")}
    contents[f"{info}/METADATA"] = metadata.encode()
    contents[f"{info}/WHEEL"] = tags.encode()
    contents[f"{info}/licenses/LICENSE"] = (root / "LICENSE").read_bytes()
    record = "".join(f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in contents.items())
    contents[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    name = f"bounty_marketplace-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents.items():
            wheel.writestr(path, data)
    return name


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
