//! `promptls check --format`: the same problems for other programs.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};
use serde_json::{Value, json};

/// A misspelt name after an emoji, in a file with a comma, and an unused value.
const FILES: [(&str, &str); 2] = [
    ("a, b.adk.prompt", "😀 {custmer} & {user}\n"),
    ("a, b.adk.inputs.json", "{\"customer\": \"Ada\", \"user\": \"\"}\n"),
];

/// The report; it is the same when written into a file.
#[track_caller]
fn printed(files: &[(&str, &str)], format: &str) -> String {
    let workspace = Workspace::new(files);
    let check = |more: &[&str]| {
        let arguments = [&["check", "--format", format], more].concat();
        promptls(&arguments).cwd(workspace.root()).run()
    };
    let output = check(&[]);
    assert_eq!(output.stderr, "");
    let in_file = check(&["--output", "report"]);
    assert_eq!((in_file.code, &*in_file.stdout), (output.code, ""));
    assert_eq!(workspace.read("report"), output.stdout);
    output.stdout
}

#[track_caller]
fn check(format: &str, expected: Expect) {
    expected.assert_eq(&printed(&FILES, format));
}

/// The same, formatted for reading.
#[track_caller]
fn check_json(format: &str, expected: Expect) {
    let report: Value = serde_json::from_str(&printed(&FILES, format)).expect("this is JSON");
    expected.assert_eq(&format!("{report:#}\n"));
}

#[test]
fn columns_are_the_same_in_every_format() {
    let workspace = Workspace::new(&FILES);
    for (format, place) in [
        ("human", "a, b.adk.prompt:1:4\n"),
        ("concise", "a, b.adk.prompt:1:4: error"),
        ("github", "line=1,col=4,endLine=1,endColumn=11"),
        ("gitlab", "\"begin\":{\"line\":1,\"column\":4}"),
        ("sarif", "\"startLine\":1,\"startColumn\":4"),
        ("junit", "a, b.adk.prompt:1:4: "),
        ("checkstyle", "line=\"1\" column=\"4\""),
        // From 0.
        ("json", "\"start\":{\"line\":0,\"character\":3,\"byte\":6}"),
        ("jsonl", "\"start\":{\"line\":0,\"character\":3,\"byte\":6}"),
        // In bytes, as that format requires.
        ("rdjson", "\"start\":{\"line\":1,\"column\":7}"),
    ] {
        let output = promptls(&["check", "--format", format]).cwd(workspace.root()).run();
        assert!(output.stdout.contains(place), "{format}: {}", output.stdout);
        assert_eq!(output.code, Some(1), "{format}");
    }
}

#[test]
fn github_output_contains_annotations() {
    check(
        "github",
        expect![[r#"
        ::error file=a%2C b.adk.prompt,line=1,col=4,endLine=1,endColumn=11,title=promptls undefined-placeholder::`custmer` has no value; did you mean `customer`?
        ::notice file=a%2C b.adk.prompt,line=1,col=16,endLine=1,endColumn=20,title=promptls empty-input::`user` is empty, so nothing is sent in its place
    "#]],
    );
}

#[test]
fn gitlab_has_a_report() {
    check_json(
        "gitlab",
        expect![[r#"
            [
              {
                "description": "`custmer` has no value; did you mean `customer`?",
                "check_name": "undefined-placeholder",
                "fingerprint": "023270c9db794bffeeb32760f90cdfbf",
                "severity": "major",
                "location": {
                  "path": "a, b.adk.prompt",
                  "positions": {
                    "begin": {
                      "line": 1,
                      "column": 4
                    },
                    "end": {
                      "line": 1,
                      "column": 11
                    }
                  }
                }
              },
              {
                "description": "`user` is empty, so nothing is sent in its place",
                "check_name": "empty-input",
                "fingerprint": "0b1f76adf80154a9af6b037541cef54f",
                "severity": "info",
                "location": {
                  "path": "a, b.adk.prompt",
                  "positions": {
                    "begin": {
                      "line": 1,
                      "column": 16
                    },
                    "end": {
                      "line": 1,
                      "column": 20
                    }
                  }
                }
              }
            ]
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn reviewdog_has_a_result() {
    check_json(
        "rdjson",
        expect![[r#"
            {
              "source": {
                "name": "promptls"
              },
              "diagnostics": [
                {
                  "message": "`custmer` has no value; did you mean `customer`?",
                  "location": {
                    "path": "a, b.adk.prompt",
                    "range": {
                      "start": {
                        "line": 1,
                        "column": 7
                      },
                      "end": {
                        "line": 1,
                        "column": 14
                      }
                    }
                  },
                  "severity": "ERROR",
                  "code": {
                    "value": "undefined-placeholder"
                  },
                  "related_locations": [
                    {
                      "message": "case default has `customer`",
                      "location": {
                        "path": "a, b.adk.inputs.json",
                        "range": {
                          "start": {
                            "line": 1,
                            "column": 2
                          },
                          "end": {
                            "line": 1,
                            "column": 12
                          }
                        }
                      }
                    }
                  ]
                },
                {
                  "message": "`user` is empty, so nothing is sent in its place",
                  "location": {
                    "path": "a, b.adk.prompt",
                    "range": {
                      "start": {
                        "line": 1,
                        "column": 19
                      },
                      "end": {
                        "line": 1,
                        "column": 23
                      }
                    }
                  },
                  "severity": "INFO",
                  "code": {
                    "value": "empty-input"
                  },
                  "related_locations": [
                    {
                      "message": "the value",
                      "location": {
                        "path": "a, b.adk.inputs.json",
                        "range": {
                          "start": {
                            "line": 1,
                            "column": 29
                          },
                          "end": {
                            "line": 1,
                            "column": 31
                          }
                        }
                      }
                    }
                  ]
                }
              ]
            }
        "#]],
    );
}

#[test]
fn checkstyle_has_a_file_each() {
    check(
        "checkstyle",
        expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <checkstyle version="4.3">
          <file name="a, b.adk.prompt">
            <error line="1" column="4" severity="error" message="`custmer` has no value; did you mean `customer`?" source="promptls.undefined-placeholder"/>
            <error line="1" column="16" severity="info" message="`user` is empty, so nothing is sent in its place" source="promptls.empty-input"/>
          </file>
        </checkstyle>
    "#]],
    );
}

#[test]
fn junit_has_a_case_for_each_problem() {
    check(
        "junit",
        expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="promptls" tests="2" failures="1" errors="0">
          <testsuite name="a, b.adk.prompt" tests="2" failures="1" errors="0">
            <testcase name="undefined-placeholder at 1:4" classname="a, b.adk.prompt">
              <failure message="`custmer` has no value; did you mean `customer`?" type="undefined-placeholder">a, b.adk.prompt:1:4: `custmer` has no value; did you mean `customer`?</failure>
            </testcase>
            <testcase name="empty-input at 1:16" classname="a, b.adk.prompt">
              <system-out>a, b.adk.prompt:1:16: `user` is empty, so nothing is sent in its place</system-out>
            </testcase>
          </testsuite>
        </testsuites>
    "#]],
    );
}

#[test]
fn jsonl_has_a_line_for_each_problem() {
    check(
        "jsonl",
        expect![[r#"
            {"version":1,"code":"undefined-placeholder","severity":"error","message":"`custmer` has no value; did you mean `customer`?","names":["custmer"],"file":"a, b.adk.prompt","range":{"start":{"line":0,"character":3,"byte":6},"end":{"line":0,"character":10,"byte":13}},"related":[{"file":"a, b.adk.inputs.json","range":{"start":{"line":0,"character":1,"byte":1},"end":{"line":0,"character":11,"byte":11}},"message":"case default has `customer`"}]}
            {"version":1,"code":"empty-input","severity":"info","message":"`user` is empty, so nothing is sent in its place","names":["user"],"file":"a, b.adk.prompt","range":{"start":{"line":0,"character":15,"byte":18},"end":{"line":0,"character":19,"byte":22}},"related":[{"file":"a, b.adk.inputs.json","range":{"start":{"line":0,"character":28,"byte":28},"end":{"line":0,"character":30,"byte":30}},"message":"the value"}]}
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn sarif_has_a_rule_for_each_code() {
    let log: Value = serde_json::from_str(&printed(&FILES, "sarif")).expect("this is JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    for result in run["results"].as_array().expect("there are results") {
        let index = result["ruleIndex"].as_u64().expect("it has a rule") as usize;
        let rule = &run["tool"]["driver"]["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["markdown"].as_str().is_some_and(|page| page.starts_with('#')));
    }
    expect![[r#"
        [
          {
            "ruleId": "undefined-placeholder",
            "ruleIndex": 1,
            "level": "error",
            "message": {
              "text": "`custmer` has no value; did you mean `customer`?"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "a%2C%20b.adk.prompt",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "region": {
                    "startLine": 1,
                    "startColumn": 4,
                    "endLine": 1,
                    "endColumn": 11
                  }
                }
              }
            ],
            "relatedLocations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "a%2C%20b.adk.inputs.json",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "region": {
                    "startLine": 1,
                    "startColumn": 2,
                    "endLine": 1,
                    "endColumn": 12
                  }
                },
                "message": {
                  "text": "case default has `customer`"
                }
              }
            ],
            "partialFingerprints": {
              "promptls/v2": "023270c9db794bffeeb32760f90cdfbf"
            }
          },
          {
            "ruleId": "empty-input",
            "ruleIndex": 0,
            "level": "note",
            "message": {
              "text": "`user` is empty, so nothing is sent in its place"
            },
            "locations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "a%2C%20b.adk.prompt",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "region": {
                    "startLine": 1,
                    "startColumn": 16,
                    "endLine": 1,
                    "endColumn": 20
                  }
                }
              }
            ],
            "relatedLocations": [
              {
                "physicalLocation": {
                  "artifactLocation": {
                    "uri": "a%2C%20b.adk.inputs.json",
                    "uriBaseId": "%SRCROOT%"
                  },
                  "region": {
                    "startLine": 1,
                    "startColumn": 29,
                    "endLine": 1,
                    "endColumn": 31
                  }
                },
                "message": {
                  "text": "the value"
                }
              }
            ],
            "partialFingerprints": {
              "promptls/v2": "0b1f76adf80154a9af6b037541cef54f"
            }
          }
        ]
    "#]]
    .assert_eq(&format!("{:#}\n", run["results"]));
}

/// The fingerprints of the errors, which are equal in the reports of GitLab and SARIF.
fn fingerprints(files: &[(&str, &str)]) -> Vec<Value> {
    let report = |format: &str| -> Value {
        serde_json::from_str(&printed(files, format)).expect("this is JSON")
    };
    let errors = |issues: &Value, key: &str, severity: &str, fingerprint: &str| -> Vec<Value> {
        let issues = issues.as_array().expect("it is a list").iter();
        let errors = issues.filter(|issue| issue[key] == severity);
        errors.map(|issue| issue.pointer(fingerprint).expect("it has one").clone()).collect()
    };
    let found = errors(&report("gitlab"), "severity", "major", "/fingerprint");
    let results = &report("sarif")["runs"][0]["results"];
    assert_eq!(errors(results, "level", "error", "/partialFingerprints/promptls~1v2"), found);
    found
}

#[test]
fn a_fingerprint_does_not_depend_on_the_message() {
    let prompt = ("a.adk.prompt", "Dear {custmer},\n");
    let before = fingerprints(&[prompt, ("a.adk.inputs.json", r#"{"customer": "Ada"}"#)]);
    assert_eq!(before.len(), 1);
    // Each of these has another message.
    for cases in [
        &[("a.adk.inputs.json", r#"{"client": "Ada"}"#)][..],
        &[("a.adk.inputs.json", r#"{"custmer": "Ada"}"#), ("a.adk.b.inputs.json", "{}")],
        &[("a.adk.inputs.json", r#"{"custmer": "Ada"}"#), ("a.adk.c.inputs.json", "{}")],
    ] {
        assert_eq!(fingerprints(&[&[prompt], cases].concat()), before, "{cases:?}");
    }
}

#[test]
fn prompts_of_a_file_have_their_own_fingerprints() {
    let prompts = |names: [&str; 2]| {
        let prompt = |name| format!("{name:?}: {{\"system_template\": \"{{{{who}}}}\"}}");
        format!("{{\"prompts\": {{{}}}}}", names.map(prompt).join(", "))
    };
    let files = |pack: &str| fingerprints(&[("a.pack.json", pack), ("a.pack.inputs.json", "{}")]);
    let [a, b] = &files(&prompts(["a", "b"]))[..] else { panic!("each prompt has a problem") };
    assert_ne!(a, b);
    assert_eq!(files(&prompts(["b", "a"])), [b.clone(), a.clone()]);
}

#[test]
fn a_fingerprint_does_not_depend_on_other_lines() {
    let fingerprints =
        |text: &str| fingerprints(&[("a.adk.prompt", text), ("a.adk.inputs.json", "{}")]);
    let before = fingerprints("{a} {a} {b}\n");
    assert_eq!(before.len(), 3);
    assert_eq!(fingerprints("Dear,\n\n{a} {a}\nand {b}\n"), before);
    assert_eq!(fingerprints("{a} {b}\n"), [before[0].clone(), before[2].clone()]);
}

/// A misspelt name below two folders of a repository, and one outside of it.
fn nested() -> Workspace {
    let workspace = Workspace::new(&[
        ("repo/eu/letters/a.adk.prompt", "{custmer}\n"),
        ("repo/eu/letters/a.adk.inputs.json", r#"{"customer": "Ada"}"#),
        ("else/b.adk.prompt", "{custmer}\n"),
        ("else/b.adk.inputs.json", r#"{"customer": "Ada"}"#),
    ]);
    workspace.write("repo/.git/HEAD", "ref: refs/heads/main\n");
    workspace
}

/// The number of lines in a report that contain a file with this name.
fn mentions(report: &str, name: &str) -> usize {
    report.matches(name).count()
}

#[test]
fn reports_for_ci_name_files_from_the_root_of_the_repository() {
    let workspace = nested();
    let check = |folder: &str, arguments: &[&str]| {
        let arguments = [&["check", "--quiet"], arguments].concat();
        promptls(&arguments).cwd(workspace.path(folder)).run().stdout
    };
    for format in ["github", "gitlab", "sarif", "junit", "rdjson", "checkstyle"] {
        let from_top = check("repo", &["--format", format]);
        assert!(mentions(&from_top, "eu/letters/a.adk.prompt") > 0, "{format}: {from_top}");
        // From any folder, and with any form of the path.
        assert_eq!(check("repo/eu/letters", &["--format", format]), from_top);
        assert_eq!(check("repo/eu", &["--format", format, "../eu/letters"]), from_top);

        let relative = check("repo/eu/letters", &["--format", format, "--relative-to", ".."]);
        assert!(mentions(&relative, "letters/a.adk.prompt") > 0, "{format}: {relative}");
        assert_eq!(mentions(&relative, "eu/letters"), 0, "{format}: {relative}");

        // Without a repository, from the current folder.
        let alone = check("else", &["--format", format]);
        assert!(mentions(&alone, "b.adk.prompt") > 0, "{format}: {alone}");
        assert_eq!(mentions(&alone, "else/b.adk.prompt"), 0, "{format}: {alone}");
    }
    // Human-readable formats and JSON contain names relative to the current folder.
    for format in ["human", "concise", "json", "jsonl"] {
        let shown = check("repo/eu", &["--format", format]);
        assert!(mentions(&shown, "letters/a.adk.prompt") > 0, "{format}: {shown}");
        assert_eq!(mentions(&shown, "eu/letters"), 0, "{format}: {shown}");
        let shown = check("repo/eu", &["--format", format, "--relative-to", ".."]);
        assert!(mentions(&shown, "eu/letters/a.adk.prompt") > 0, "{format}: {shown}");
    }
}

#[test]
fn sarif_contains_the_root_of_the_repository() {
    let workspace = nested();
    let sarif = |arguments: &[&str]| -> Value {
        let arguments = [&["check", "--format", "sarif"], arguments].concat();
        let output = promptls(&arguments).cwd(workspace.path("repo/eu")).run();
        let log: Value = serde_json::from_str(&output.stdout).expect("this is JSON");
        log["runs"][0].clone()
    };
    let place = |run: &Value, index: usize| {
        run["results"][index]["locations"][0]["physicalLocation"]["artifactLocation"].clone()
    };
    let run = sarif(&["..", "../../else"]);
    let root = format!("{}/", workspace.uri("repo"));
    assert_eq!(run["originalUriBaseIds"]["%SRCROOT%"]["uri"], root);
    let [inside, outside] = [0, 1].map(|index| place(&run, index));
    let (inside, outside) =
        if inside["uriBaseId"].is_null() { (outside, inside) } else { (inside, outside) };
    assert_eq!(inside, json!({ "uri": "eu/letters/a.adk.prompt", "uriBaseId": "%SRCROOT%" }));
    // A file outside of the root has no relative name.
    assert_eq!(outside, json!({ "uri": workspace.uri("else/b.adk.prompt") }));
}

#[test]
fn sarif_describes_the_tool_and_its_rules() {
    let log: Value = serde_json::from_str(&printed(&FILES, "sarif")).expect("this is JSON");
    let driver = &log["runs"][0]["tool"]["driver"];
    assert_eq!(driver["informationUri"], "https://github.com/promptls/promptls");
    let mut rule = driver["rules"][1].clone();
    let page = rule.as_object_mut().and_then(|rule| rule.remove("help")).expect("it has a page");
    assert!(page["markdown"].as_str().is_some_and(|page| page.starts_with('#')));
    let version = env!("CARGO_PKG_VERSION");
    let shown = format!("{rule:#}\n").replace(&format!("/v{version}/"), "/vVERSION/");
    expect![[r#"
        {
          "id": "undefined-placeholder",
          "name": "UndefinedPlaceholder",
          "shortDescription": {
            "text": "The prompt uses a name that has no value."
          },
          "fullDescription": {
            "text": "The prompt uses a name that has no value. In at least one case, the inputs do not contain it, it has no default, and the placeholder is not optional. The message lists the cases without a value."
          },
          "helpUri": "https://promptls.github.io/promptls/reference/rules/undefined-placeholder.html",
          "defaultConfiguration": {
            "level": "error"
          }
        }
    "#]].assert_eq(&shown);
}

#[test]
fn commands_of_logs_are_escaped() {
    let name = "::error file=x::[y].adk.prompt";
    let workspace = Workspace::new(&[(name, "{custmer} ##[error]z\n")]);
    workspace.write("::a.inputs.json", "{}");
    let inputs = name.replace(".prompt", ".inputs.json");
    workspace.write(&inputs, r#"{"customer": "Ada", "::error::k": 1}"#);
    let calls: [&[&str]; 9] = [
        &["check"],
        &["check", "--format", "concise"],
        &["check", "--list"],
        &["check", "--verbose", "--format", "concise"],
        &["prompts"],
        &["stats"],
        &["fmt", "--check"],
        &["preview", name],
        &["vars", name],
    ];
    for call in calls {
        let output = promptls(call).cwd(workspace.root()).run();
        for line in output.stdout.lines().chain(output.stderr.lines()) {
            let start: String = line.trim_start().chars().take(3).collect();
            assert!(!start.starts_with("::") || start == ":::", "{call:?}: {line}");
            assert!(!line.contains("##["), "{call:?}: {line}");
        }
        assert!(output.stdout.contains("error") || output.stdout.is_empty(), "{call:?}");
    }
}

#[test]
fn a_check_without_problems_has_a_report() {
    for (format, expected) in [
        ("github", ""),
        ("jsonl", ""),
        ("gitlab", "[]\n"),
        ("sarif", "\"results\":[]"),
        ("junit", "<testcase name=\"1 prompt checked\""),
        ("checkstyle", "<checkstyle version=\"4.3\">"),
    ] {
        let report = printed(&[("a.adk.prompt", "Nothing.\n")], format);
        assert!(report.contains(expected), "{format}: {report}");
        assert!(!expected.is_empty() || report.is_empty(), "{format}: {report}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let workspace = Workspace::new(&FILES);
    let arguments = ["check", "--format", "sarif", "-o", "no/such/folder.sarif"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("cannot write no/such/folder.sarif"), "{}", output.stderr);
}
