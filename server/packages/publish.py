"""Rehearses or publishes a release, channel by channel; started by `publish`."""

import argparse
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from channels import CHANNELS
from channels.channel import ChannelError, NotReady
from release import ROOT, Release


def main():
    args = arguments()
    release = Release(args.made.resolve(), args.download)
    known = {channel.name: channel(release) for channel in CHANNELS}
    os.chdir(ROOT)
    rows, failed = [], False
    for name in args.publish or args.channels or known:
        print(f"== {name}: {known[name].about}", flush=True)
        try:
            rows.append((name, publish(known[name]) if args.publish else rehearse(known[name], args.fast)))
        except NotReady as error:
            # A dry run continues without the channel; for a requested upload, this is an error.
            failed |= bool(args.publish)
            rows.append((name, f"not tried: {error}"))
        except ChannelError as error:
            failed = True
            rows.append((name, f"FAILED: {error}"))
        if failed and args.publish:
            break
    print()
    for name, outcome in rows:
        print(f"{name:16}  {outcome}")
    sys.exit(failed)


def arguments():
    names = [channel.name for channel in CHANNELS]
    about = "Rehearses every channel of a release; only --publish uploads."
    channels = "".join(f"\n  {channel.name:16}  {channel.about}" for channel in CHANNELS)
    parser = argparse.ArgumentParser(
        prog="publish",
        description=about,
        epilog=f"channels, in order:{channels}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("channels", metavar="CHANNEL", nargs="*", help="rehearse only these")
    parser.add_argument("--publish", metavar="CHANNEL", nargs="+", choices=names, help="publish to these")
    parser.add_argument("--made", metavar="FOLDER", type=Path, required=True, help="packages that `make` made")
    parser.add_argument("--fast", action="store_true", help="compile nothing, and allow uncommitted changes")
    parser.add_argument("--download", metavar="URL", default="", help="where archives are, else at the release")
    args = parser.parse_args()
    unknown = set(args.channels) - set(names)
    if unknown:
        parser.error(f"unknown channel {', '.join(sorted(unknown))}")
    return args


def rehearse(channel, fast):
    """Does everything but the upload, with the files on this machine."""
    items, new = new_items(channel)
    missing = [name for item in new for name in item.missing()]
    ready = [item for item in new if not item.missing()]
    if ready:
        channel.rehearse(ready, fast)
    outcome = f"rehearsed {len(ready)}, {len(items) - len(new)} already published"
    return f"{outcome}; missing here: {' '.join(missing)}" if missing else outcome


def publish(channel):
    """Uploads the items that are missing in the registry, so that a failed run can be repeated."""
    items, new = new_items(channel)
    missing = [name for item in new for name in item.missing()]
    if missing:
        raise NotReady(f"missing here: {' '.join(missing)}")
    if new:
        channel.publish(new)
    return f"published {len(new)}, {len(items) - len(new)} already published"


def new_items(channel):
    """All items of a channel, and those that are missing in its registry."""
    channel.require_client()
    items = channel.items()
    # A registry takes up to a second to respond, so all items are queried at once.
    with ThreadPoolExecutor() as pool:
        published = list(pool.map(channel.is_published, items))
    return items, [item for item, is_published in zip(items, published) if not is_published]


if __name__ == "__main__":
    main()
