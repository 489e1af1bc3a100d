"""The channels of a release, in the order in which they are published."""

from .crates import Crates, DataFusion
from .extensions import Marketplace, OpenVsx
from .image import Image
from .npm import Npm, NpmNames
from .pypi import PyPI
from .release_text import ReleaseText
from .repositories import Aur, Homebrew, Nix, Scoop, Winget

# Registries come before the release, and repositories that name its archives after it.
CHANNELS = [
    ReleaseText,
    NpmNames,
    Crates,
    DataFusion,
    PyPI,
    Npm,
    Marketplace,
    OpenVsx,
    Image,
    Homebrew,
    Scoop,
    Aur,
    Nix,
    Winget,
]
