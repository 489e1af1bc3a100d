//! The text of the page.

/// The page as it is served: script and style beside it.
pub fn document(name: &str) -> String {
    let head = r#"<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>"#;
    around(name, head, "")
}

fn around(name: &str, head: &str, body: &str) -> String {
    let title = escaped(name);
    format!(
        r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · promptls</title>
<link rel="icon" href="data:,">
{head}
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript, which is switched off.</noscript>
{body}</body>
</html>
"#
    )
}

/// A text as text, in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
