//! Messages on the wire: JSON after a header with its length.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// Writes a message with its header, in one call.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    output.write_all(message.as_bytes())?;
    output.flush()
}

/// Reads a message; `None` at the end of the stream.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let mut length = 0;
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap_or(0),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    Ok(Some(serde_json::from_slice(&body)?))
}
