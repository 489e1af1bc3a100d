//! The memory of the server while a prompt is open.

use crate::letter::Letter;
use crate::programs::Programs;
use crate::report::{Table, size};
use crate::server::{Memory, Server};

pub fn run(programs: &Programs) -> Vec<Table> {
    let mut table = Table::new("memory", &["document", "resident", "at most before"]);
    for kilobytes in [10, 1_000, 10_000, 100_000] {
        let letter = Letter::new(kilobytes);
        let mut server = Server::promptls(programs);
        letter.open_in(&mut server);
        let Memory { resident, peak } = server.memory();
        table.row(size(kilobytes), [resident, peak]);
    }
    vec![table]
}
