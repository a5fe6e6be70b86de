//! The HTML report of sessions for browsers. It is generated for every request, so it shows a running exploration. Only
//! GET is answered, and only on this machine unless the user names another address. In that case a token is required.
//! Each client has a thread, so that a slow one does not delay the others.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::{Data, html};

/// Time limit of a client's request, and of each write of the response.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum size of a request in bytes.
const MAX_REQUEST: usize = 16 << 10;
/// Maximum number of clients that are answered at the same time. Others are turned away.
const MAX_CLIENTS: usize = 32;

/// A response: status line, type and body.
type Response = (&'static str, &'static str, String);

/// Reads the sessions. `None` if that is not possible at the moment.
pub type Read<'a> = dyn Fn() -> Option<Vec<Data>> + Sync + 'a;

/// A socket that accepts connections.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    token: Option<String>,
}

impl Server {
    /// Starts to listen at an address.
    pub fn bind(address: SocketAddr) -> std::io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr().unwrap_or(address);
        let token = if address.ip().is_loopback() { None } else { Some(token()?) };
        Ok(Server { listener, address, token })
    }

    /// The address for the browser.
    pub fn url(&self) -> String {
        let query = self.token.as_ref().map(|token| format!("?token={token}")).unwrap_or_default();
        format!("http://{}/{query}", self.address)
    }

    /// Answers requests until `stop` is set. `version` is that of tine.
    pub fn run(&self, stop: &AtomicBool, read: &Read<'_>, version: &str) {
        let n_clients = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            while !stop.load(Ordering::Relaxed) {
                match self.listener.accept() {
                    Ok(_) if n_clients.load(Ordering::Relaxed) >= MAX_CLIENTS => {}
                    Ok((stream, _)) => {
                        n_clients.fetch_add(1, Ordering::Relaxed);
                        let clients = &n_clients;
                        scope.spawn(move || {
                            // Errors of a single client are ignored.
                            let _ = self.answer(stream, read, version);
                            clients.fetch_sub(1, Ordering::Relaxed);
                        });
                    }
                    Err(_) => std::thread::sleep(Duration::from_millis(50)),
                }
            }
        });
    }

    fn answer(&self, mut stream: TcpStream, read: &Read<'_>, version: &str) -> std::io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let request = request(&mut stream)?;
        let (status, kind, body) = response(&request, self.address, self.token.as_deref(), read, version);
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        )
    }
}

/// Lines of a request's head. The client has [`PATIENCE`] for all of them.
fn request(stream: &mut TcpStream) -> std::io::Result<Vec<String>> {
    let until = Instant::now() + PATIENCE;
    let (mut head, mut part) = (Vec::new(), [0; 1024]);
    while head.len() < MAX_REQUEST && !head.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part)? {
            0 => break,
            n => head.extend_from_slice(&part[..n]),
        }
    }
    let lines = String::from_utf8_lossy(&head).lines().map(str::to_owned).collect::<Vec<_>>();
    Ok(lines.into_iter().take_while(|line| !line.is_empty()).collect())
}

/// 128 random bits.
fn token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn response(request: &[String], own: SocketAddr, token: Option<&str>, read: &Read<'_>, version: &str) -> Response {
    let plain = |status: &'static str| (status, "text/plain", format!("{status}\n"));
    let mut words = request.first().map_or("", String::as_str).split(' ');
    let (Some("GET"), Some(target)) = (words.next(), words.next()) else { return plain("405 Method Not Allowed") };
    // Check the host name, so that a page of another origin cannot access this one by DNS rebinding.
    let host =
        request.iter().find_map(|line| line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("host")));
    let host = host.map_or("", |(_, host)| host.trim());
    let is_own = [own.to_string(), format!("localhost:{}", own.port())].iter().any(|name| name == host);
    if token.is_none() && !is_own {
        return plain("403 Forbidden");
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    if token.is_some_and(|token| !query.split('&').any(|part| part.strip_prefix("token=") == Some(token))) {
        return plain("403 Forbidden");
    }
    let Some(read) = read() else { return plain("503 Service Unavailable") };
    let name = if path == "/" { "index.html" } else { path.trim_start_matches('/') };
    match html::pages(&read, version, true).into_iter().find(|(known, _)| known.to_str() == Some(name)) {
        Some((_, text)) => ("200 OK", "text/html", with_token(text, token)),
        None => plain("404 Not Found"),
    }
}

/// Adds the token to links to other pages of the report.
fn with_token(page: String, token: Option<&str>) -> String {
    match token {
        None => page,
        Some(token) => page
            .replace(".html\"", &format!(".html?token={token}\""))
            .replace(".html#", &format!(".html?token={token}#")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(lines: &[&str], token: Option<&str>) -> &'static str {
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        response(&lines, "127.0.0.1:8000".parse().expect("an address"), token, &|| Some(Vec::new()), "1").0
    }

    #[test]
    fn only_this_machine_or_the_token_gets_in() {
        assert_eq!(status(&["GET / HTTP/1.1", "Host: 127.0.0.1:8000"], None), "200 OK");
        assert_eq!(status(&["GET / HTTP/1.1", "host: localhost:8000"], None), "200 OK");
        assert_eq!(status(&["GET / HTTP/1.1", "Host: evil.example"], None), "403 Forbidden");
        assert_eq!(status(&["GET / HTTP/1.1"], None), "403 Forbidden");
        assert_eq!(status(&["GET /?token=ab HTTP/1.1", "Host: x"], Some("abc")), "403 Forbidden");
        assert_eq!(status(&["GET /?token=abc HTTP/1.1", "Host: x"], Some("abc")), "200 OK");
        assert_eq!(status(&["POST / HTTP/1.1", "Host: 127.0.0.1:8000"], None), "405 Method Not Allowed");
        assert_eq!(status(&["GET /../etc/passwd HTTP/1.1", "Host: 127.0.0.1:8000"], None), "404 Not Found");
        assert_eq!(status(&[], None), "405 Method Not Allowed");
    }
}
