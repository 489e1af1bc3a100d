//! What words consist of.

/// A table of the bytes that words consist of, with some signs among them: most of all code is words.
pub(super) const fn word_bytes(signs: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte >= 0x80;
        byte += 1;
    }
    let mut sign = 0;
    while sign < signs.len() {
        table[signs[sign] as usize] = true;
        sign += 1;
    }
    table
}
