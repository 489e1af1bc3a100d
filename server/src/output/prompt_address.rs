//! The address of a prompt on the command line: `FILE`, or `FILE#NAME` among several.

/// Joins the displayed path of a file and the name of a prompt in it.
pub fn prompt_address(file: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{file}#{name}"),
        None => file.to_owned(),
    }
}
