"""The pytest plugin, in small projects."""

import pytest

TEST = """
from promptls.testing import promptls_cases

@promptls_cases("prompts/")
def test_prompts(prompt, case, promptls_text):
    promptls_text(prompt.render(case))
"""


@pytest.fixture
def project(pytester):
    """A prompt with two cases, and a test of all of them."""
    pytester.makepyfile(test_prompts=TEST)
    prompts = pytester.mkdir("prompts")
    (prompts / "support.adk.prompt").write_text("Dear {customer},\nyour plan is {plan?}.\n")
    (prompts / "support.adk.inputs.json").write_text('{"customer": "Ada", "plan": "basic"}')
    (prompts / "support.adk.angry.inputs.json").write_text('{"customer": "Grace", "plan": "pro"}')
    # The plugin is loaded as for every user of the package: by its entry point.
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")
    return pytester


def run(project, *arguments):
    return project.runpytest_subprocess(*arguments)


def test_each_prompt_is_tried_in_each_of_its_cases(project):
    run(project, "--promptls-update").assert_outcomes(passed=2)
    named = run(project, "-v").stdout.str()
    assert "test_prompts[support.adk.prompt-default] PASSED" in named
    assert "test_prompts[support.adk.prompt-angry] PASSED" in named
    stored = project.path / "__promptls__/test_prompts"
    assert sorted(file.name for file in stored.iterdir()) == [
        "test_prompts[support.adk.prompt-angry].txt",
        "test_prompts[support.adk.prompt-default].txt",
    ]
    text = (stored / "test_prompts[support.adk.prompt-angry].txt").read_text()
    assert text == "Dear Grace,\nyour plan is pro.\n"


def test_a_text_that_is_stored_nowhere_is_a_failure_that_says_what_to_do(project):
    result = run(project)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*__promptls__* does not exist; pytest --promptls-update writes it"])


def test_the_words_that_differ_are_shown(project):
    run(project, "--promptls-update")
    (project.path / "prompts/support.adk.prompt").write_text("Dear {customer},\nyour tariff is {plan?}.\n")
    result = run(project)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*your [[]-plan-]{+tariff+} is basic."])
    assert "Dear Ada" not in result.stdout.str()


def test_a_problem_fails_the_test_of_its_prompt_and_case_with_its_place(project):
    run(project, "--promptls-update")
    (project.path / "prompts/support.adk.angry.inputs.json").write_text('{"custmer": "Grace"}')
    result = run(project)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["prompts/support.adk.prompt:1:7: error[[]undefined-placeholder] `customer` has no value*"]
    )
    # Also if the case cannot be read at all.
    (project.path / "prompts/support.adk.angry.inputs.json").write_text('{"customer": ')
    result = run(project)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["prompts/support.adk.angry.inputs.json:1:*: error[[]invalid-inputs] *"])


ALL = ("--promptls-update", "--promptls-delete-unused")
TWO_FILES = {
    "test_a": """
import pytest

def test_one(promptls_text):
    promptls_text("one")

class TestTwo:
    def test_two(self, promptls_text):
        promptls_text("two", "first")
        promptls_text("two")

    @pytest.mark.parametrize("x", [1, 2])
    def test_three(self, x, promptls_text):
        promptls_text(str(x))
""",
    "test_b": """
def test_four(promptls_text):
    promptls_text("four")
""",
}
OF_TWO_FILES = [
    "test_a/TestTwo.test_three[1].txt",
    "test_a/TestTwo.test_three[2].txt",
    "test_a/TestTwo.test_two.first.txt",
    "test_a/TestTwo.test_two.txt",
    "test_a/test_one.txt",
    "test_b/test_four.txt",
]


@pytest.fixture
def stored(pytester):
    """A project with two test files, whose texts are all stored."""
    # `--lf` requires the cache.
    pytester.makepyfile(**TWO_FILES)
    run(pytester, "--promptls-update").assert_outcomes(passed=5)
    assert texts_in(pytester) == OF_TWO_FILES
    return pytester


def texts_in(project):
    folder = project.path / "__promptls__"
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())


def test_an_unused_text_is_reported_and_deleted_only_by_its_own_option(project):
    run(project, "--promptls-update")
    (project.path / "prompts/support.adk.angry.inputs.json").unlink()
    unused = "__promptls__/test_prompts/test_prompts?support.adk.prompt-angry?.txt"
    for arguments in [(), ("--promptls-update",)]:
        result = run(project, *arguments)
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines([f"promptls: {unused} is unused; pytest --promptls-delete-unused deletes it"])
    result = run(project, "--promptls-delete-unused")
    result.stdout.fnmatch_lines([f"promptls: deleted {unused}, which was unused"])
    assert len(texts_in(project)) == 1
    assert "promptls:" not in run(project).stdout.str()


@pytest.mark.parametrize(
    "arguments",
    [
        ["-k", "one"],
        ["-k", "not one"],
        ["-m", "slow"],
        ["test_a.py::test_one"],
        ["test_a.py::TestTwo"],
        ["test_a.py::TestTwo::test_three[1]", "test_b.py"],
        ["--deselect", "test_a.py::TestTwo::test_two"],
        ["test_b.py"],
        ["--ignore", "test_a.py"],
        ["--collect-only"],
        ["--collect-only", "-q"],
        ["--setup-only"],
        ["--setup-plan"],
        ["-n", "2"],
        ["-n", "2", "--dist", "loadfile", "-k", "one"],
        ["-p", "no:python"],
    ],
    ids=" ".join,
)
def test_texts_of_tests_that_did_not_run_are_kept_and_not_reported(stored, arguments):
    printed = run(stored, *ALL, *arguments).stdout.str()
    assert texts_in(stored) == OF_TWO_FILES
    assert "is unused" not in printed and "deleted" not in printed
    if "--collect-only" in arguments:
        assert "promptls:" not in printed
        assert "promptls:" not in run(stored, *arguments).stdout.str()


def test_a_run_of_what_failed_before_deletes_nothing(stored):
    # Other tests of this kind are below; here, pytest skips tests silently.
    test_a = stored.path / "test_a.py"
    test_a.write_text(TWO_FILES["test_a"].replace('"one"', '"changed"'))
    run(stored).assert_outcomes(passed=4, failed=1)
    for arguments in [("--lf",), ("--lf", "--last-failed-no-failures", "none"), ("--ff", "-x"), ("--sw",)]:
        test_a.write_text(TWO_FILES["test_a"])
        run(stored, *ALL, *arguments)
        assert texts_in(stored) == OF_TWO_FILES, arguments
        test_a.write_text(TWO_FILES["test_a"].replace('"one"', '"changed"'))
        run(stored)


@pytest.mark.parametrize(
    "body",
    [
        "pytest.skip()",
        "assert False",
        "pytest.xfail()",
        "pytest.importorskip('no_such_module')",
        "raise KeyboardInterrupt",
        "pytest.exit('enough')",
        "import os; os._exit(3)",
        "request.getfixturevalue('no_such_fixture')",
    ],
)
def test_a_test_that_does_not_pass_keeps_the_texts_of_its_file(stored, body):
    changed = TWO_FILES["test_a"].replace('(promptls_text):\n    promptls_text("one")', f"(promptls_text, request):\n    {body}")
    (stored.path / "test_a.py").write_text(changed)
    run(stored, *ALL)
    assert texts_in(stored) == OF_TWO_FILES


@pytest.mark.parametrize(
    "changed",
    [
        TWO_FILES["test_a"].replace("    promptls_text", "    ]"),
        "import no_such_module\n" + TWO_FILES["test_a"],
        "import pytest\npytest.skip(allow_module_level=True)\n" + TWO_FILES["test_a"],
        TWO_FILES["test_a"].replace("def test_one", "@pytest.mark.skip\ndef test_one"),
        TWO_FILES["test_a"].replace("class TestTwo", "@pytest.mark.skipif(True, reason='')\nclass TestTwo"),
        TWO_FILES["test_a"].replace("[1, 2]", "[]"),
    ],
    ids=["syntax", "import", "skipped module", "skipped test", "skipped class", "no parameters"],
)
def test_a_file_that_is_not_collected_whole_keeps_its_texts(stored, changed):
    (stored.path / "test_a.py").write_text(changed)
    run(stored, *ALL)
    assert texts_in(stored) == OF_TWO_FILES


def test_tests_that_a_plugin_leaves_out_silently_keep_their_texts(stored):
    stored.makeconftest("def pytest_collection_modifyitems(items):\n    del items[0]\n")
    run(stored, *ALL).assert_outcomes(passed=4)
    assert texts_in(stored) == OF_TWO_FILES


def test_a_complete_run_deletes_what_its_own_files_no_longer_use(stored):
    without_one = TWO_FILES["test_a"].replace("def test_one", "def test_other")
    (stored.path / "test_a.py").write_text(without_one)
    (stored.path / "test_b.py").write_text("def test_nothing(): pass\n")
    # A failure in one file does not affect the other.
    (stored.path / "test_c.py").write_text("def test_fails(): assert False\n")
    result = run(stored, *ALL)
    result.assert_outcomes(passed=5, failed=1)
    assert texts_in(stored) == sorted([*OF_TWO_FILES[:4], "test_a/test_other.txt"])
    assert not (stored.path / "__promptls__/test_b").exists()


def test_workers_of_xdist_store_through_the_process_that_started_them(pytester):
    pytester.makepyfile(**TWO_FILES)
    result = run(pytester, "-n", "2", "--promptls-update")
    result.assert_outcomes(passed=5)
    assert texts_in(pytester) == OF_TWO_FILES
    (pytester.path / "test_a.py").write_text(TWO_FILES["test_a"].replace('"one"', '"other"'))
    run(pytester, "-n", "2").assert_outcomes(passed=4, failed=1)
    run(pytester, "-n", "2", "--promptls-update").assert_outcomes(passed=5)
    assert (pytester.path / "__promptls__/test_a/test_one.txt").read_text() == "other"
    run(pytester, *ALL, "-n", "2").stdout.fnmatch_lines(
        ["promptls: --promptls-delete-unused has no effect in several processes; run it without -n"]
    )


def test_nothing_is_written_through_a_link_out_of_the_project(pytester):
    pytester.makepyfile(test_a=TWO_FILES["test_b"])
    outside = pytester.path.parent / f"{pytester.path.name}-outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept")
    for link in ["__promptls__", "__promptls__/test_a"]:
        (pytester.path / link).parent.mkdir(exist_ok=True)
        (pytester.path / link).symlink_to(outside)
        for workers in [(), ("-n", "1")]:
            result = run(pytester, *ALL, *workers)
            result.assert_outcomes(failed=1)
            result.stdout.fnmatch_lines(["*__promptls__/test_a/test_four.txt is outside of the project, *"])
        (pytester.path / "test_a.py").write_text("def test_four(): pass\n")
        run(pytester, *ALL)
        pytester.makepyfile(test_a=TWO_FILES["test_b"])
        assert [file.name for file in outside.iterdir()] == ["kept.txt"]
        (pytester.path / link).unlink()
    # A text that is itself a link is replaced by a file.
    folder = pytester.path / "__promptls__/test_a"
    folder.mkdir()
    (folder / "test_four.txt").symlink_to(outside / "kept.txt")
    run(pytester, *ALL).assert_outcomes(passed=1)
    assert (outside / "kept.txt").read_text() == "kept"
    assert not (folder / "test_four.txt").is_symlink() and (folder / "test_four.txt").read_text() == "four"


def test_a_text_that_cannot_be_written_fails_the_run_and_leaves_the_one_before(stored):
    folder = stored.path / "__promptls__/test_b"
    # A non-empty folder cannot be replaced by renaming.
    (folder / "test_four.txt").unlink()
    (folder / "test_four.txt" / "inside").mkdir(parents=True)
    result = run(stored, "--promptls-update")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["promptls: cannot write __promptls__/test_b/test_four.txt: *"])
    assert [file.name for file in folder.iterdir()] == ["test_four.txt"]


def test_two_texts_of_a_test_need_two_names(pytester):
    pytester.makepyfile("def test_a(promptls_text):\n    promptls_text('a')\n    promptls_text('b')\n")
    result = run(pytester, "--promptls-update")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*the test has two different texts for *; give each a name"])


def test_texts_of_other_tests_are_stored_under_their_names(pytester):
    pytester.makepyfile(
        """
        class TestAll:
            def test_two(self, promptls_text):
                promptls_text("one", "first/of two")
                promptls_text("two\\r\\n")
        """
    )
    run(pytester, "--promptls-update").assert_outcomes(passed=1)
    run(pytester).assert_outcomes(passed=1)
    (folder,) = (pytester.path / "__promptls__").iterdir()
    assert sorted(file.name for file in folder.iterdir()) == [
        "TestAll.test_two.first%2Fof two.txt",
        "TestAll.test_two.txt",
    ]
    assert (folder / "TestAll.test_two.txt").read_bytes() == b"two\r\n"


def test_a_path_without_prompts_is_an_error(pytester):
    pytester.makepyfile(TEST)
    result = run(pytester)
    assert result.ret != 0
    assert "there is nothing at " in result.stdout.str()
    pytester.mkdir("prompts")
    assert "promptls_cases: there are no prompts at prompts/" in run(pytester).stdout.str()
