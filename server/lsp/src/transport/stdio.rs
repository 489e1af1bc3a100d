//! The streams to the editor: stdin and stdout.
//!
//! Tokio's own stdin and stdout pass every read and every write to a blocking thread, which doubles
//! the time from a keystroke to its diagnostics. Editors start a server on pipes or on sockets
//! (Node). Both report readiness, so the message task reads and writes them itself.
//!
//! Only [`stdio`] may access the streams. Once it has taken the descriptors, a stray print goes to
//! stderr instead of into a message. That also holds for prints of libraries and child processes,
//! and no child reads from stdin.
//!
//! The content of the streams is handled by tower-lsp.

#[cfg(not(unix))]
use tokio::io::{AsyncRead, AsyncWrite};

#[cfg(unix)]
pub use unix::stdio;

/// The server's stdin and stdout.
///
/// Console and pipe handles have no common way to wait here, so these are tokio's. Reading waits in
/// a thread that nothing can interrupt. Leave with `std::process::exit`, or the runtime waits for
/// one more message.
#[cfg(not(unix))]
pub fn stdio() -> (impl AsyncRead + Send + Unpin, impl AsyncWrite + Send + Unpin) {
    (tokio::io::stdin(), tokio::io::stdout())
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
    use std::os::unix::net::UnixStream as BlockingSocket;
    use std::pin::Pin;
    use std::sync::Arc;
    use std::task::{Context, Poll};

    use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat};
    use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    type Input = Box<dyn AsyncRead + Send + Unpin>;
    type Output = Box<dyn AsyncWrite + Send + Unpin>;

    /// The server's stdin and stdout. Call it once, before anything else reads or writes them.
    ///
    /// A pipe or a socket is used without blocking a thread, and its number is reused: 0 becomes
    /// empty, 1 becomes stderr. Anything else (a file, a terminal) keeps its number and uses
    /// tokio's blocking threads. A read that waits in such a thread keeps the runtime from ending.
    /// So leave with `std::process::exit` after dropping both halves.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with I/O enabled.
    pub fn stdio() -> (impl AsyncRead + Send + Unpin, impl AsyncWrite + Send + Unpin) {
        let (input, output) = non_blocking(io::stdin().as_fd(), io::stdout().as_fd());

        // Without this, only the protection against stray prints is lost. The session works, so an
        // error is ignored.
        let input = match input {
            Some(input) => {
                let _ = File::open("/dev/null").map(rustix::stdio::dup2_stdin);
                input
            }
            None => Half::of(Box::new(tokio::io::stdin()) as Input),
        };
        let output = match output {
            Some(output) => {
                let _ = rustix::stdio::dup2_stdout(io::stderr());
                output
            }
            None => Half::of(Box::new(tokio::io::stdout()) as Output),
        };
        (input, output)
    }

    /// Opens both streams without blocking; `None` for a stream that cannot report readiness.
    fn non_blocking(
        input: BorrowedFd<'_>,
        output: BorrowedFd<'_>,
    ) -> (Option<Half<Input>>, Option<Half<Output>>) {
        // Both modes are recorded before either is changed: the two may be one socket.
        let input_mode = OriginalMode::of(input).ok();
        let output_mode = OriginalMode::of(output).ok();

        // If opening fails after the mode was changed, the record is dropped with the `None`. That
        // restores the mode for tokio's blocking reads.
        let input_io = input_mode.as_ref().and_then(|_| open_input(input).ok().flatten());
        let output_io = output_mode.as_ref().and_then(|_| open_output(output).ok().flatten());

        let modes: Arc<[OriginalMode]> = [
            input_mode.filter(|_| input_io.is_some()),
            output_mode.filter(|_| output_io.is_some()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let input = input_io.map(|io| Half { io, _modes: Arc::clone(&modes) });
        let output = output_io.map(|io| Half { io, _modes: modes });
        (input, output)
    }

    fn open_input(descriptor: BorrowedFd<'_>) -> io::Result<Option<Input>> {
        Ok(match file_type(descriptor)? {
            FileType::Fifo => {
                Some(Box::new(pipe::Receiver::from_owned_fd(descriptor.try_clone_to_owned()?)?))
            }
            FileType::Socket => Some(Box::new(socket(descriptor)?)),
            _ => None,
        })
    }

    fn open_output(descriptor: BorrowedFd<'_>) -> io::Result<Option<Output>> {
        Ok(match file_type(descriptor)? {
            FileType::Fifo => {
                Some(Box::new(pipe::Sender::from_owned_fd(descriptor.try_clone_to_owned()?)?))
            }
            FileType::Socket => Some(Box::new(socket(descriptor)?)),
            _ => None,
        })
    }

    /// A socket of any family: a Unix stream only reads and writes, as a TCP one does.
    fn socket(descriptor: BorrowedFd<'_>) -> io::Result<UnixStream> {
        let socket = BlockingSocket::from(descriptor.try_clone_to_owned()?);
        socket.set_nonblocking(true)?;
        UnixStream::from_std(socket)
    }

    fn file_type(descriptor: BorrowedFd<'_>) -> io::Result<FileType> {
        Ok(FileType::from_raw_mode(fstat(descriptor)?.st_mode))
    }

    /// Restores the original mode of a descriptor when it is dropped.
    ///
    /// "Non-blocking" is a property of the open file, not of the descriptor. Others may share that
    /// file: the parent's copy, the next command of `(promptls lsp; cat) < pipe`, or stderr if it
    /// is the same socket. While the server runs, they are affected by the changed mode; the
    /// alternative is blocking threads. Pipes created by an editor are not affected: the editor's
    /// end of a pipe, or of a socket pair, has its own mode. The mode stays changed if the process
    /// is killed, and after `std::process::exit` while a half is alive.
    struct OriginalMode {
        descriptor: OwnedFd,
        flags: OFlags,
    }

    impl OriginalMode {
        fn of(descriptor: BorrowedFd<'_>) -> io::Result<Self> {
            Ok(Self {
                flags: fcntl_getfl(descriptor)?,
                descriptor: descriptor.try_clone_to_owned()?,
            })
        }
    }

    impl Drop for OriginalMode {
        fn drop(&mut self) {
            // It fails only for a descriptor that is not open, and this one is.
            let _ = fcntl_setfl(&self.descriptor, self.flags);
        }
    }

    /// One of the two streams.
    ///
    /// The modes are restored when both streams are dropped: if they are one socket, the remaining
    /// stream would block otherwise.
    struct Half<T> {
        io: T,
        _modes: Arc<[OriginalMode]>,
    }

    impl<T> Half<T> {
        fn of(io: T) -> Self {
            Self { io, _modes: Arc::new([]) }
        }
    }

    impl<T: AsyncRead + Unpin> AsyncRead for Half<T> {
        fn poll_read(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            Pin::new(&mut self.io).poll_read(context, buffer)
        }
    }

    impl<T: AsyncWrite + Unpin> AsyncWrite for Half<T> {
        fn poll_write(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            Pin::new(&mut self.io).poll_write(context, bytes)
        }

        fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
            Pin::new(&mut self.io).poll_flush(context)
        }

        fn poll_shutdown(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<io::Result<()>> {
            Pin::new(&mut self.io).poll_shutdown(context)
        }
    }

    #[cfg(test)]
    mod tests {
        use std::io::{Read, Write, pipe};

        use tokio::io::{AsyncReadExt, AsyncWriteExt};

        use super::*;

        #[tokio::test]
        async fn pipes_transfer_bytes_in_both_directions() {
            let (server_in, mut editor_out) = pipe().unwrap();
            let (mut editor_in, server_out) = pipe().unwrap();
            let (mut input, mut output) = both(&server_in, &server_out);

            editor_out.write_all(b"question").unwrap();
            assert_eq!(read(&mut input).await, "question");
            output.write_all(b"answer").await.unwrap();
            let mut answer = [0; 6];
            editor_in.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"answer");
        }

        #[tokio::test]
        async fn one_socket_can_be_input_and_output() {
            let (server, mut editor) = BlockingSocket::pair().unwrap();
            let (mut input, mut output) = both(&server, &server);

            editor.write_all(b"question").unwrap();
            assert_eq!(read(&mut input).await, "question");
            output.write_all(b"answer").await.unwrap();
            let mut answer = [0; 6];
            editor.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"answer");
        }

        #[tokio::test]
        async fn waiting_for_a_message_does_not_block_the_thread() {
            let (server, mut editor) = BlockingSocket::pair().unwrap();
            let (mut input, _output) = both(&server, &server);

            // On this one thread, the second half of the pair can only run if the first one waits
            // without blocking.
            let (text, ()) = tokio::join!(read(&mut input), async {
                tokio::task::yield_now().await;
                editor.write_all(b"late").unwrap();
            });
            assert_eq!(text, "late");
        }

        #[tokio::test]
        async fn a_full_pipe_delays_output_without_loss() {
            let (server_in, _editor_out) = pipe().unwrap();
            let (mut editor_in, server_out) = pipe().unwrap();
            let (_input, mut output) = both(&server_in, &server_out);

            let reader = std::thread::spawn(move || {
                let mut received = vec![0; 1 << 20];
                editor_in.read_exact(&mut received).unwrap();
                received
            });
            let long: Vec<u8> = (0..1 << 20).map(|i| (i % 251) as u8).collect();
            output.write_all(&long).await.unwrap();
            assert!(reader.join().unwrap() == long);
        }

        #[tokio::test]
        async fn a_closed_pipe_is_the_end_of_input() {
            let (server_in, editor_out) = pipe().unwrap();
            let (_editor_in, server_out) = pipe().unwrap();
            let (mut input, _output) = both(&server_in, &server_out);

            drop(editor_out);
            assert_eq!(read(&mut input).await, "");
        }

        #[tokio::test]
        async fn writing_to_a_closed_socket_is_an_error() {
            let (server, editor) = BlockingSocket::pair().unwrap();
            let (_input, mut output) = both(&server, &server);

            drop(editor);
            output.write_all(b"anyone?").await.unwrap_err();
        }

        #[tokio::test]
        async fn blocking_mode_is_restored_after_both_ends_are_dropped() {
            let (server, _editor) = BlockingSocket::pair().unwrap();
            let (input, output) = both(&server, &server);

            assert!(is_non_blocking(&server));
            drop(input);
            assert!(is_non_blocking(&server));
            drop(output);
            assert!(!is_non_blocking(&server));
        }

        #[tokio::test]
        async fn an_initially_non_blocking_mode_is_kept() {
            let (server, _editor) = BlockingSocket::pair().unwrap();
            server.set_nonblocking(true).unwrap();

            drop(both(&server, &server));
            assert!(is_non_blocking(&server));
        }

        #[tokio::test]
        async fn files_are_not_made_non_blocking() {
            let file = File::open("/dev/null").unwrap();
            let (server_in, _editor_out) = pipe().unwrap();

            let (input, output) = non_blocking(file.as_fd(), file.as_fd());
            assert!(input.is_none() && output.is_none());
            assert!(!is_non_blocking(&file));

            let (input, output) = non_blocking(server_in.as_fd(), file.as_fd());
            assert!(input.is_some() && output.is_none());
        }

        #[tokio::test]
        async fn the_wrong_end_of_a_pipe_is_refused_and_unchanged() {
            let (reader, writer) = pipe().unwrap();

            let (input, output) = non_blocking(writer.as_fd(), reader.as_fd());
            assert!(input.is_none() && output.is_none());
            assert!(!is_non_blocking(&reader) && !is_non_blocking(&writer));
        }

        fn both(input: &impl AsFd, output: &impl AsFd) -> (Half<Input>, Half<Output>) {
            let (input, output) = non_blocking(input.as_fd(), output.as_fd());
            (input.unwrap(), output.unwrap())
        }

        async fn read(input: &mut Half<Input>) -> String {
            let mut buffer = [0; 64];
            let length = input.read(&mut buffer).await.unwrap();
            String::from_utf8(buffer[..length].to_vec()).unwrap()
        }

        fn is_non_blocking(descriptor: &impl AsFd) -> bool {
            fcntl_getfl(descriptor).unwrap().contains(OFlags::NONBLOCK)
        }
    }
}
