"""Compares promptls with the engines that registries have."""

import argparse
import itertools
import random
import sys
from concurrent.futures import ProcessPoolExecutor

import agreement
import packages
from compare import compare


def arguments():
    parser = argparse.ArgumentParser(prog="tests/run engines", description=__doc__)
    add = parser.add_argument
    add(
        "--cases",
        type=int,
        default=20_000,
        metavar="N",
        help="at least so many for each engine (20000)",
    )
    add("--seed", type=int, metavar="N", help="what they are made from; else at random")
    add(
        "--engine",
        action="append",
        metavar="PACKAGE[==VERSION]",
        help="only this one, also in a version that is not listed: google-adk==2.14.0",
    )
    add("--as", dest="profile", metavar="ENGINE", help="take it for another one: adk-python@2.9")
    add("--write", action="store_true", help=f"write the table of agreement, {agreement.FILE.name}")
    return parser.parse_args()


def compare_all(releases, count, seed, profile):
    """Compares engines, grouped by their cases."""
    by_cases = sorted(releases, key=lambda release: release.cases)
    groups = itertools.groupby(by_cases, lambda release: release.cases)
    groups = [list(group) for _, group in groups]
    with ProcessPoolExecutor() as pool:
        calls = [pool.submit(compare, group, count, seed, profile) for group in groups]
        found = {result.name: result for call in calls for result in call.result()}
    return [found[release.name] for release in releases]


def check_that_differences_are_found(seed):
    """Checks that a wrong engine version is detected; otherwise, the comparison would detect
    nothing."""
    (release,) = packages.named("google-adk==2.13.0")
    packages.install(release)
    (result,) = compare([release], 1000, seed, "adk-python@2.9")
    if result.difference is None:
        sys.exit("ADK 2.13 was taken for ADK 2.9, and no difference was found")


def main():
    args = arguments()
    seed = random.getrandbits(32) if args.seed is None else args.seed
    releases = packages.RELEASES
    if args.engine:
        releases = [release for text in args.engine for release in packages.named(text)]
    for release in releases:
        packages.install(release)

    print(f"{args.cases} cases for each of {len(releases)} engines, seed {seed}", flush=True)
    check_that_differences_are_found(seed)
    found = compare_all(releases, args.cases, seed, args.profile)
    print(agreement.table(found))
    differing = [result for result in found if result.difference]
    for result in differing:
        print(f"\n{result.name} differs:\n{result.difference}")
    if args.write:
        agreement.write(found, args.cases, seed)
    unwritten = agreement.unwritten(packages.RELEASES)
    if unwritten:
        print(f"\n{agreement.FILE.name} does not have {', '.join(unwritten)}; update it with --write")
    return 1 if differing or unwritten else 0


if __name__ == "__main__":
    sys.exit(main())
