//! `promptls check --format`: the same problems for other programs.

use expect_test::{Expect, expect};
use promptls_tests::{Workspace, promptls};
use serde_json::Value;

/// A misspelt name behind an emoji, in a file with a comma, and a value that nobody reads.
const FILES: [(&str, &str); 2] = [
    ("a, b.adk.prompt", "😀 {custmer} & {user}\n"),
    ("a, b.adk.inputs.json", "{\"customer\": \"Ada\", \"user\": \"\"}\n"),
];

/// What is printed; it is the same in a file.
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

/// The same, laid out for reading.
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
        // In bytes, as that format wants it.
        ("rdjson", "\"start\":{\"line\":1,\"column\":7}"),
    ] {
        let output = promptls(&["check", "--format", format]).cwd(workspace.root()).run();
        assert!(output.stdout.contains(place), "{format}: {}", output.stdout);
        assert_eq!(output.code, Some(1), "{format}");
    }
}

#[test]
fn github_draws_annotations() {
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
            "fingerprint": "88070b694123155e840bbeb770884529",
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
            "fingerprint": "c48c5f19a05cd8da9a0b8ef76237d290",
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
        {"code":"undefined-placeholder","severity":"error","message":"`custmer` has no value; did you mean `customer`?","names":["custmer"],"file":"a, b.adk.prompt","range":{"start":{"line":0,"character":3,"byte":6},"end":{"line":0,"character":10,"byte":13}},"related":[{"file":"a, b.adk.inputs.json","range":{"start":{"line":0,"character":1,"byte":1},"end":{"line":0,"character":11,"byte":11}},"message":"case default has `customer`"}]}
        {"code":"empty-input","severity":"info","message":"`user` is empty, so nothing is sent in its place","names":["user"],"file":"a, b.adk.prompt","range":{"start":{"line":0,"character":15,"byte":18},"end":{"line":0,"character":19,"byte":22}},"related":[{"file":"a, b.adk.inputs.json","range":{"start":{"line":0,"character":28,"byte":28},"end":{"line":0,"character":30,"byte":30}},"message":"the value"}]}
    "#]],
    );
}

#[test]
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
                    "uri": "a%2C%20b.adk.prompt"
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
                    "uri": "a%2C%20b.adk.inputs.json"
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
              "promptls/v1": "88070b694123155e840bbeb770884529"
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
                    "uri": "a%2C%20b.adk.prompt"
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
                    "uri": "a%2C%20b.adk.inputs.json"
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
              "promptls/v1": "c48c5f19a05cd8da9a0b8ef76237d290"
            }
          }
        ]
    "#]]
    .assert_eq(&format!("{:#}\n", run["results"]));
}

#[test]
fn a_fingerprint_stays_while_other_lines_change() {
    let fingerprints = |text: &str| {
        let report = printed(&[("a.adk.prompt", text), ("a.adk.inputs.json", "{}")], "gitlab");
        let report: Value = serde_json::from_str(&report).expect("this is JSON");
        let issues = report.as_array().expect("it is a list").clone();
        issues.into_iter().map(|issue| issue["fingerprint"].clone()).collect::<Vec<_>>()
    };
    let before = fingerprints("{a} {a} {b}\n");
    assert_eq!(before.len(), 3);
    assert_eq!(fingerprints("Dear,\n\n{a} {a}\nand {b}\n"), before);
    assert_eq!(fingerprints("{a} {b}\n"), [before[0].clone(), before[2].clone()]);
}

#[test]
fn what_is_fine_is_a_report_as_well() {
    for (format, said) in [
        ("github", ""),
        ("jsonl", ""),
        ("gitlab", "[]\n"),
        ("sarif", "\"results\":[]"),
        ("junit", "<testcase name=\"1 prompt checked\""),
        ("checkstyle", "<checkstyle version=\"4.3\">"),
    ] {
        let report = printed(&[("a.adk.prompt", "Nothing.\n")], format);
        assert!(report.contains(said), "{format}: {report}");
        assert!(!said.is_empty() || report.is_empty(), "{format}: {report}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_said() {
    let workspace = Workspace::new(&FILES);
    let arguments = ["check", "--format", "sarif", "-o", "no/such/folder.sarif"];
    let output = promptls(&arguments).cwd(workspace.root()).run();
    assert_eq!(output.code, Some(2));
    assert!(output.stderr.contains("cannot write no/such/folder.sarif"), "{}", output.stderr);
}
