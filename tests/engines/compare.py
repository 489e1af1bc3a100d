"""Compares the output of promptls with that of the real engines.

All engines of a dialect get the same cases. An engine that differs is removed, with the smallest
case that shows the difference, and the others continue.
"""

import contextlib
import importlib
import itertools
import warnings
from dataclasses import dataclass
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings

import programs

# Hypothesis warns when it would print all parts of a value.
warnings.filterwarnings("ignore", "Generating overly large repr")

# Hypothesis keeps everything that it has tried, so it is restarted regularly.
BATCH = 200


@dataclass
class Agreement:
    """The results for a release."""

    name: str
    cases: int = 0
    # The numbers of cases in which something is resolved, in which the engine fails, and in which
    # its behaviour is unpredictable. In the others, the prompt is sent unchanged.
    filled_in: int = 0
    failed: int = 0
    unpredictable: int = 0
    # The difference, if there is one.
    difference: str | None = None

    def count(self, template, ours):
        self.cases += 1
        self.filled_in += ours.get("text", template) != template
        self.failed += "error" in ours
        self.unpredictable += "unpredictable" in ours


class Differs(Exception):
    """A case with different results, by engine."""

    def __init__(self, differences):
        super().__init__()
        self.differences = differences


def is_same(ours, theirs):
    """Whether an engine's result equals that of promptls. For an error, compares the comparable
    parts."""
    if "unpredictable" in ours:
        return True
    if ours.get("error", {}).get("message", "").startswith("the width or the precision in"):
        # A limit that engines do not have.
        return "error" in theirs or len(theirs["text"]) > 100_000
    if "error" in theirs:
        return "error" in ours and theirs["error"].items() <= ours["error"].items()
    return ours == theirs


def compare(releases, count, number, profile=None):
    """Compares releases of one dialect with at least this many cases, generated from a seed.

    `profile` replaces the engine profile of the releases.
    """
    cases = importlib.import_module(f"cases.{releases[0].cases}").cases()
    agreements = {release.name: Agreement(release.name) for release in releases}
    with contextlib.ExitStack() as running:
        ours = running.enter_context(programs.promptls())
        engines = {
            release.name: (
                running.enter_context(programs.engine(release)),
                agreements[release.name],
            )
            for release in releases
        }
        for batch in itertools.count():
            engines = {
                name: (engine, agreement)
                for name, (engine, agreement) in engines.items()
                if agreement.cases < count and agreement.difference is None
            }
            if not engines:
                return list(agreements.values())
            differences = compare_batch(ours, engines, cases, f"{number} {batch}", profile)
            for name, difference in differences.items():
                agreements[name].difference = difference


def compare_batch(ours, engines, cases, number, profile):
    """The differences of engines, by name; equal results are counted."""
    is_shrinking = False

    @seed(Random(number).getrandbits(64))
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def run(these):
        nonlocal is_shrinking
        ours.ask(**vars(these), agent=programs.AGENT, engines=[profile or name for name in engines])
        for engine, _ in engines.values():
            engine.ask(**vars(these))
        differences = {}
        for (name, (engine, agreement)), answers in zip(engines.items(), ours.answer(), strict=True):
            for template, our, their in zip(these.templates, answers, engine.answer(), strict=True):
                if not is_same(our, their):
                    differences[name] = describe(these, template, our, their)
                elif not is_shrinking:
                    agreement.count(template, our)
        if differences:
            is_shrinking = True
            raise Differs(differences)

    try:
        run()
    except Differs as found:
        return found.differences
    return {}


def describe(these, template, ours, theirs):
    lines = [f"  prompt   {template!r}", f"  inputs   {these.inputs}"]
    if these.declarations is not None:
        lines.append(f"  declared {these.declarations}")
    return "\n".join([*lines, f"  promptls {ours}", f"  engine   {theirs}"])
