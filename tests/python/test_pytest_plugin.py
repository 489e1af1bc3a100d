"""The plugin of pytest, in small projects."""

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
    # Ours is loaded as that of anybody who has the package: by its entry point.
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
    result.stdout.fnmatch_lines(["*there is no stored text yet at *; pytest --promptls-update writes it"])


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
    # Also where the case cannot be read at all.
    (project.path / "prompts/support.adk.angry.inputs.json").write_text('{"customer": ')
    result = run(project)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["prompts/support.adk.angry.inputs.json:1:*: error[[]invalid-inputs] *"])


def test_a_stored_text_that_nobody_asks_for_is_told_and_forgotten(project):
    run(project, "--promptls-update")
    (project.path / "prompts/support.adk.angry.inputs.json").unlink()
    gone = "__promptls__/test_prompts/test_prompts?support.adk.prompt-angry?.txt"
    result = run(project)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines([f"promptls: nobody asked for {gone}; pytest --promptls-update deletes it"])
    # Who runs a part of the tests is not told of the others.
    assert "nobody asked" not in run(project, "-k", "nothing").stdout.str()
    run(project, "--promptls-update").stdout.fnmatch_lines([f"promptls: {gone} is gone, nobody asked for it"])
    assert "nobody asked" not in run(project).stdout.str()


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
