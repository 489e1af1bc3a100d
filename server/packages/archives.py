"""Archives with the names that `cargo binstall`, mise, ubi and eget expect: promptls-TARGET.tar.gz
or .zip.

The same files make the same archive, at any time and on any system: names are sorted, and times,
owners and system-specific metadata are omitted.
"""

import gzip
import tarfile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo


def make(out, name, target, folder, level=9):
    """Packs the contents of `folder` as `name` in `out`, in the usual archive format of that
    system. `level` is that of zlib, from 1, the fastest, to 9."""
    files = {str(file.relative_to(folder).as_posix()): file for file in sorted(folder.rglob("*")) if file.is_file()}
    pack = zip_of if target.os == "win32" else tar_of
    return pack(out / f"{name}{target.archive}", name, files, level)


def tar_of(archive, top, files, level):
    """With a top-level folder, as usual in archives for Unix."""
    with archive.open("wb") as out, gzip.GzipFile("", "wb", level, out, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, file in files.items():
                entry = tarfile.TarInfo(f"{top}/{name}")
                entry.size = file.stat().st_size
                entry.mode = mode(file)
                with file.open("rb") as content:
                    tar.addfile(entry, content)
    return archive


def zip_of(archive, _, files, level):
    """Without a top-level folder, as usual in archives for Windows."""
    with ZipFile(archive, "w") as opened:
        for name, file in files.items():
            entry = ZipInfo(name)  # 1980, the first year that a zip file supports
            entry.external_attr = (0o100000 | mode(file)) << 16
            opened.writestr(entry, file.read_bytes(), ZIP_DEFLATED, level)
    return archive


def mode(file):
    return 0o755 if file.stat().st_mode & 0o100 else 0o644
