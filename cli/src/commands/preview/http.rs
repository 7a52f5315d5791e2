//! The little of HTTP that a browser on the same machine needs.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::{AskedOdds, Board, Told};

const PAGE: &str = include_str!("page.html");
/// More than any browser sends.
const MOST: u64 = 16 * 1024;
/// How long somebody who waits for news is kept waiting before being told to ask again.
const PATIENCE: Duration = Duration::from_secs(20);
/// More connections at once than any browser opens.
const AT_ONCE: usize = 64;

/// Answers on threads of its own, each connection on one.
pub fn serve(listener: TcpListener, port: u16, board: Arc<Board>, owner: Sender<Told>) {
    std::thread::spawn(move || {
        let open = Arc::new(AtomicUsize::new(0));
        for stream in listener.incoming().flatten() {
            if open.load(Ordering::Relaxed) >= AT_ONCE {
                let _ = write(stream, "503 Service Unavailable", "text/plain", b"Too many ask at once.");
                continue;
            }
            open.fetch_add(1, Ordering::Relaxed);
            let (board, owner, still_open) = (board.clone(), owner.clone(), open.clone());
            let answered = std::thread::Builder::new().spawn(move || {
                // who hangs up does no harm
                let _ = answer(stream, port, &board, &owner);
                still_open.fetch_sub(1, Ordering::Relaxed);
            });
            if answered.is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
}

struct Asked {
    path: String,
    query: String,
    host: String,
    /// The browser says that a page of somebody else asks.
    is_foreign: bool,
}

fn answer(stream: TcpStream, port: u16, board: &Board, owner: &Sender<Told>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let Some(asked) = read(&stream)? else { return write(stream, "400 Bad Request", "text/plain", b"This is no question.") };
    // a page of somebody else that calls itself by another name gets nothing
    if ![format!("127.0.0.1:{port}"), format!("localhost:{port}")].contains(&asked.host) {
        return write(stream, "403 Forbidden", "text/plain", b"Ask for 127.0.0.1.");
    }
    // it could read nothing, but have odds worked out again and again
    if asked.is_foreign && asked.path != "/" {
        return write(stream, "403 Forbidden", "text/plain", b"Ask from the page itself.");
    }
    match asked.path.as_str() {
        "/" => write(stream, "200 OK", "text/html; charset=utf-8", PAGE.as_bytes()),
        "/state" => {
            let known = value(&asked.query, "since").and_then(|n| n.parse().ok()).unwrap_or(0);
            match board.newer(known, PATIENCE) {
                Some(picture) => write(stream, "200 OK", "application/json", picture.json.to_string().as_bytes()),
                None => write(stream, "204 No Content", "application/json", b""),
            }
        }
        "/odds" => {
            let (answer, answered) = channel();
            let name = |key: &str| value(&asked.query, key).filter(|name| !name.is_empty());
            let _ = owner.send(Told::Odds(AskedOdds { of: name("of"), against: name("against"), answer }));
            match answered.recv() {
                Ok(odds) => write(stream, "200 OK", "application/json", odds.to_string().as_bytes()),
                Err(_) => write(stream, "503 Service Unavailable", "text/plain", b"It has ended."),
            }
        }
        path => match path.strip_prefix("/side/").and_then(|name| board.now().sides.get(name.strip_suffix(".svg")?).cloned()) {
            Some(svg) => write(stream, "200 OK", "image/svg+xml", svg.as_bytes()),
            None => write(stream, "404 Not Found", "text/plain", b"There is nothing here."),
        },
    }
}

fn read(stream: &TcpStream) -> std::io::Result<Option<Asked>> {
    let mut lines = BufReader::new(stream.take(MOST));
    let mut first = String::new();
    lines.read_line(&mut first)?;
    let mut words = first.split(' ');
    let (Some("GET"), Some(target)) = (words.next(), words.next()) else { return Ok(None) };
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    let (mut host, mut is_foreign) = (String::new(), false);
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 || line.trim().is_empty() {
            return Ok(Some(Asked { path, query, host, is_foreign }));
        }
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("host") => host = value.trim().to_owned(),
            Some((name, value)) if name.eq_ignore_ascii_case("sec-fetch-site") => {
                is_foreign = !["same-origin", "none"].contains(&value.trim());
            }
            _ => {}
        }
    }
}

/// A value of a query. Names of cards are letters, digits and `_`; others are sent in bytes of two digits each.
fn value(query: &str, name: &str) -> Option<String> {
    let raw = query.split('&').find_map(|pair| pair.split_once('=').filter(|(key, _)| *key == name))?.1;
    let mut bytes = Vec::new();
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
            }
            b'+' => bytes.push(b' '),
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).ok()
}

fn write(mut stream: TcpStream, status: &str, kind: &str, body: &[u8]) -> std::io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\
         X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'self' 'unsafe-inline' data:\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)?;
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn values_are_read() {
        assert_eq!(value("since=3&against=Ogre", "against").as_deref(), Some("Ogre"));
        assert_eq!(value("against=%C3%89owyn", "against").as_deref(), Some("Éowyn"));
        assert_eq!(value("against=%", "against"), None);
        assert_eq!(value("", "since"), None);
    }
}
