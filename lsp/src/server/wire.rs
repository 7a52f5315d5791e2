//! The bytes between client and server: only whole messages that can be read get further, and a bad one ends nothing.
//!
//! Standard input is read on a thread of its own. What is no message is answered with an error; the next message is read as if nothing had
//! been. Output passes here too, message by message, so that such an answer never stands in the middle of another.

use std::io::{self, BufRead, Read};
use std::path::PathBuf;
use std::time::Duration;

use banneret_projects::files;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender};
use tower_lsp::jsonrpc::{Request, Response};

/// The largest message, in bytes: four times the largest text.
pub const LARGEST: usize = 4 * files::LARGEST_TEXT as usize;
/// The longest line of a head, and how many there may be.
const LONGEST_LINE: u64 = 4096;
const MOST_LINES: usize = 32;

/// How often is looked whether the client still runs.
const EVERY: Duration = Duration::from_secs(3);

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client said `shutdown` and `exit`, or closed the input between two messages.
    InOrder,
    /// The client went away, said `exit` without `shutdown`, or sent what cannot be waited for.
    OutOfOrder,
}

/// Why the server stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is nothing more to answer.
    Served,
    /// The client does not run any more.
    Gone,
    /// What was stopped because it took too much goes on.
    Spent,
}

/// One message, or why there is none.
#[derive(Debug, PartialEq, Eq)]
enum Frame {
    Message(Vec<u8>),
    /// It was skipped: the words are for the client.
    Bad(&'static str),
    /// Longer than is read; nothing behind it can be found.
    TooLong,
    End,
    /// The input ended within a message.
    Cut,
}

/// Reads one message. Lines that belong to no head are skipped until one does.
fn frame(input: &mut impl BufRead) -> io::Result<Frame> {
    let mut length: Option<u64> = None;
    let mut is_bad = false;
    for n in 0.. {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(if n == 0 { Frame::End } else { Frame::Cut });
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\r', '\n']);
        if text.is_empty() && (n > 0 || is_bad) {
            break;
        }
        match text.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => match value.trim().parse() {
                Ok(number) => length = Some(number),
                Err(_) => is_bad = true,
            },
            Some((name, _)) if name.eq_ignore_ascii_case("Content-Type") => {}
            _ => is_bad = true,
        }
        if n >= MOST_LINES {
            return Ok(Frame::Bad("This is no head of a message: it has too many lines."));
        }
    }
    let Some(length) = length else { return Ok(Frame::Bad("This message does not say how long it is (`Content-Length`).")) };
    let Some(length) = usize::try_from(length).ok().filter(|length| *length <= LARGEST) else { return Ok(Frame::TooLong) };
    let mut body = Vec::new();
    input.by_ref().take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Ok(Frame::Cut);
    }
    Ok(if is_bad { Frame::Bad("The head of this message cannot be read.") } else { Frame::Message(body) })
}

/// The answer to what is no message: with its id, if it has one.
fn refused(code: i64, words: &str, body: &[u8]) -> Vec<u8> {
    let id = serde_json::from_slice::<Value>(body).ok().and_then(|message| message.get("id").cloned());
    let id = id.filter(|id| id.is_i64() || id.is_string()).unwrap_or(Value::Null);
    framed(json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": words } }).to_string().as_bytes())
}

fn framed(body: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat()
}

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// What came in, judged.
enum Heard {
    /// It is handed on. A request or a notice has a method; an answer of the client has none.
    Message { body: Vec<u8>, request: Option<Request> },
    /// It is answered at once and goes no further.
    Refused(Vec<u8>),
    /// Nothing more is read; perhaps that is told.
    Last(Option<Vec<u8>>, Ended),
}

fn hear(input: &mut impl BufRead) -> Heard {
    let body = match frame(input) {
        Ok(Frame::Message(body)) => body,
        Ok(Frame::Bad(words)) => return Heard::Refused(refused(PARSE_ERROR, words, b"")),
        Ok(Frame::TooLong) => {
            let words = format!("A message of more than {} MB is not read, and nothing behind it can be found.", LARGEST >> 20);
            return Heard::Last(Some(refused(PARSE_ERROR, &words, b"")), Ended::OutOfOrder);
        }
        Ok(Frame::End) => return Heard::Last(None, Ended::InOrder),
        Ok(Frame::Cut) | Err(_) => return Heard::Last(None, Ended::OutOfOrder),
    };
    match serde_json::from_slice::<Request>(&body) {
        Ok(request) => Heard::Message { body, request: Some(request) },
        Err(_) if serde_json::from_slice::<Response>(&body).is_ok() => Heard::Message { body, request: None },
        Err(error) => {
            let code = if error.is_data() { INVALID_REQUEST } else { PARSE_ERROR };
            Heard::Refused(refused(code, "This is no message of the protocol.", &body))
        }
    }
}

/// How many messages would be handed on and how many answered at once, and how it ends: all that is done before anything is understood.
pub fn sift(mut input: impl BufRead) -> (usize, usize, Ended) {
    let (mut handed_on, mut refused) = (0, 0);
    loop {
        match hear(&mut input) {
            Heard::Message { .. } => handed_on += 1,
            Heard::Refused(_) => refused += 1,
            Heard::Last(_, ended) => return (handed_on, refused, ended),
        }
    }
}

/// Hands messages on until there are no more; says how that came.
pub fn take_in(
    mut input: impl BufRead,
    mut to: DuplexStream,
    back: &Sender<Vec<u8>>,
    handle: &tokio::runtime::Handle,
    gone: &UnboundedSender<Stop>,
) -> Ended {
    let mut is_shut = false;
    loop {
        let (body, request) = match hear(&mut input) {
            Heard::Message { body, request } => (body, request),
            Heard::Refused(answer) => {
                let _ = back.blocking_send(answer);
                continue;
            }
            Heard::Last(answer, ended) => {
                if let Some(answer) = answer {
                    let _ = back.blocking_send(answer);
                }
                return ended;
            }
        };
        let method = request.as_ref().map_or("", |request| request.method()).to_owned();
        if method == "initialize"
            && let Some(client) = request.as_ref().and_then(Request::params).and_then(|params| params.get("processId")?.as_u64())
        {
            watch(client, gone.clone());
        }
        is_shut |= method == "shutdown";
        if handle.block_on(to.write_all(&framed(&body))).is_err() {
            return Ended::OutOfOrder;
        }
        if method == "exit" {
            return if is_shut { Ended::InOrder } else { Ended::OutOfOrder };
        }
    }
}

/// Tells when the client is gone, where processes can be seen.
fn watch(client: u64, gone: UnboundedSender<Stop>) {
    let processes = PathBuf::from("/proc");
    if !files::is_folder(&processes.join("self")) {
        return;
    }
    let _ = std::thread::Builder::new().name("client".to_owned()).spawn(move || {
        while files::is_folder(&processes.join(client.to_string())) {
            std::thread::sleep(EVERY);
        }
        let _ = gone.send(Stop::Gone);
    });
}

/// Cuts what the server writes into messages.
pub async fn hand_on(mut from: DuplexStream, messages: Sender<Vec<u8>>) {
    let mut waiting: Vec<u8> = Vec::new();
    let mut more = vec![0; 1 << 16];
    loop {
        let read = from.read(&mut more).await.unwrap_or(0);
        waiting.extend_from_slice(more.get(..read).unwrap_or_default());
        while let Some(end) = whole(&waiting) {
            let rest = waiting.split_off(end);
            if messages.send(std::mem::replace(&mut waiting, rest)).await.is_err() {
                return;
            }
        }
        if read == 0 {
            return;
        }
    }
}

/// Writes messages, each whole, until nobody has any more.
pub async fn give_out(mut messages: Receiver<Vec<u8>>, mut out: impl AsyncWrite + Unpin) {
    while let Some(message) = messages.recv().await {
        if out.write_all(&message).await.is_err() || out.flush().await.is_err() {
            return;
        }
    }
}

/// How long the first message is, if all of it is there.
fn whole(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let lines = std::str::from_utf8(bytes.get(..head)?).ok()?;
    let length: usize = lines.lines().find_map(|line| line.strip_prefix("Content-Length:"))?.trim().parse().ok()?;
    (head + length <= bytes.len()).then_some(head + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(bytes: &[u8]) -> Vec<Frame> {
        let mut input = io::Cursor::new(bytes);
        let mut out = Vec::new();
        loop {
            let next = frame(&mut input).unwrap();
            let is_last = matches!(next, Frame::End | Frame::Cut | Frame::TooLong);
            out.push(next);
            if is_last {
                return out;
            }
        }
    }

    #[test]
    fn a_bad_head_is_skipped_and_the_next_message_read() {
        let found =
            frames(b"nonsense\r\n\r\nContent-Length: 2\r\n\r\n{}Content-Length: x\r\n\r\nContent-Length: 2\r\nContent-Type: x\r\n\r\n[]");
        assert!(
            matches!(found.as_slice(), [Frame::Bad(_), Frame::Message(a), Frame::Bad(_), Frame::Message(b), Frame::End] if a == b"{}" && b == b"[]")
        );
    }

    #[test]
    fn nothing_is_waited_for_that_cannot_come() {
        assert_eq!(frames(b"Content-Length: 99999999999999999\r\n\r\n"), [Frame::TooLong]);
        assert!(matches!(frames(b"Content-Length: -5\r\n\r\n").as_slice(), [Frame::Bad(_), Frame::End]));
        assert_eq!(frames(b"Content-Length: 10\r\n\r\n{}"), [Frame::Cut]);
        assert!(matches!(frames(&vec![b'x'; 1 << 20]).first(), Some(Frame::Bad(_))));
    }
}
