//! The page of `tine report` in headless Chromium, by WebDriver: it opens from disk, loads nothing else, and shows the
//! expected contents.

use std::io::{BufRead as _, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Bench, MANY_PATHS, TWO_ERRORS, wait_for};

/// A unit whose strings contain markup.
const HOSTILE: &str = "\
#include <assert.h>
int f(int x) {
    /* </script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\"> */
    assert(x != 17 && \"</title><script>document.title='pwned'</script>\");
    return x > 3;
}
";

/// A browser controlled by chromedriver, and its session.
struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// `None`, with a message, if Chromium is not installed.
    fn start(width: u32) -> Option<Browser> {
        let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if !is_there("chromedriver") || !is_there("chromium") {
            eprintln!("chromium or chromium-driver is not installed: the page is not tested (`scripts/setup.sh test`)");
            return None;
        }
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        wait_for("chromedriver", || TcpStream::connect(("127.0.0.1", port)).is_ok());
        let profile = tempfile::tempdir().expect("a directory");
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--user-data-dir={}", profile.path().display()),
            &format!("--window-size={width},900"),
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
            "goog:chromeOptions": { "args": arguments },
        } } });
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        let made = browser.call("POST", "/session", &wanted);
        browser.session = made["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {made}")).to_owned();
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        stream.set_read_timeout(Some(Duration::from_secs(110))).expect("a socket");
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let path = if path == "/session" { path.to_owned() } else { format!("/session/{}{path}", self.session) };
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.port,
            body.len()
        )
        .expect("chromedriver reads");
        // The connection stays open after the answer.
        let mut answer = std::io::BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).expect("chromedriver answers");
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut body = vec![0; length];
        answer.read_exact(&mut body).expect("a whole answer");
        let value: Value = serde_json::from_slice(&body).unwrap_or_else(|why| panic!("{why}"));
        value["value"].clone()
    }

    fn open(&self, page: &Path) {
        self.call("POST", "/url", &json!({ "url": format!("file://{}", page.display()) }));
    }

    /// Runs a function body in the page and returns its result.
    fn run(&self, script: &str) -> Value {
        self.call("POST", "/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Console messages, and requested addresses.
    fn complaints(&self) -> Vec<String> {
        let log =
            |kind: &str| self.call("POST", "/se/log", &json!({ "type": kind })).as_array().cloned().unwrap_or_default();
        let mut complaints: Vec<String> = log("browser").iter().map(|entry| entry["message"].to_string()).collect();
        for entry in log("performance") {
            let event: Value = serde_json::from_str(entry["message"].as_str().unwrap_or("")).unwrap_or_default();
            let url = event["message"]["params"]["request"]["url"].as_str().unwrap_or("");
            let is_request = event["message"]["method"] == "Network.requestWillBeSent";
            // The browser's own first page.
            let is_own = url.starts_with("chrome:") || url.starts_with("data:");
            if is_request && !is_own && !url.starts_with("file:") {
                complaints.push(format!("asked for {url}"));
            }
        }
        complaints
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.call("DELETE", "", &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Explores and writes the page.
fn page(unit: &str, flags: &str) -> Bench {
    let bench = Bench::new(&[("unit.c", unit)]);
    let ran = bench.tine(&format!("test unit.c --fn f --jobs 1 --quiet --out session --report page {flags}"));
    assert!(ran.code <= Some(1), "{ran}");
    bench
}

/// Finds elements with too little contrast to their background, and broken links.
const CHECKS: &str = r##"
    const light = (colour) => { const c = colour.match(/[\d.]+/g).map(Number).slice(0, 3).map((v) => v / 255)
        .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; };
    const ground = (element) => { for (; element; element = element.parentElement) { const c = getComputedStyle(element).backgroundColor;
        if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255, 255, 255)'; };
    const wrong = [];
    for (const element of document.querySelectorAll('main *, nav *')) {
        if (element.closest('svg') || ![...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
        const a = light(getComputedStyle(element).color), b = light(ground(element));
        if ((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5) wrong.push('contrast: ' + element.outerHTML.slice(0, 100));
    }
    for (const link of document.querySelectorAll('a[href^="#"]'))
        if (!document.getElementById(link.getAttribute('href').slice(1))) wrong.push('link: ' + link.outerHTML);
    const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
    for (const id of new Set(ids.filter((id, k) => ids.indexOf(id) !== k))) wrong.push('twice: ' + id);
    if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push('wider than the window');
    return wrong.slice(0, 20);
"##;

#[track_caller]
fn is_sound(browser: &Browser) {
    let wrong = browser.run(CHECKS);
    assert_eq!(wrong, json!([]), "{wrong:#}");
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_page_opens_from_disk_and_asks_for_nothing() {
    let Some(browser) = Browser::start(1200) else { return };
    let bench = page(TWO_ERRORS, "");
    browser.open(&bench.path("page/index.html"));
    is_sound(&browser);
    assert_eq!(browser.run("return document.querySelectorAll('article.error').length"), json!(2));
    let lead = browser.run("return document.querySelector('.verdict .lead').textContent");
    assert_eq!(lead, json!("2 errors found, and every path was explored."));
    // The reason for a line with branches is shown on demand.
    let opened = browser.run(
        "const d = document.querySelector('.source details'); d.querySelector('summary').click(); \
         return [d.open, d.querySelectorAll('.why li').length]",
    );
    assert_eq!(opened, json!([true, 2]));
    // Keys move in the tree and open nodes.
    let moved = browser.run(
        "const top = document.querySelector('#tree .row'); top.focus(); \
         const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true})); \
         press('End'); const last = document.activeElement !== top; press('Home'); press('ArrowRight'); \
         return [last, document.querySelectorAll('#tree .row').length > 2 || top.getAttribute('aria-expanded')]",
    );
    assert_eq!(moved[0], json!(true), "{moved}");
    let first = browser.run("return document.querySelector('a').className");
    assert_eq!(first, json!("skip"), "the first link skips the navigation");
}

#[test]
fn texts_of_a_unit_are_only_text() {
    let Some(browser) = Browser::start(400) else { return };
    let bench = page(HOSTILE, "");
    browser.open(&bench.path("page/index.html"));
    assert_eq!(browser.run("return document.title"), json!("f · tine"));
    assert_eq!(browser.run("return document.querySelectorAll('img').length"), json!(0));
    is_sound(&browser);
}

#[test]
fn pages_of_any_size_open() {
    let Some(browser) = Browser::start(1200) else { return };
    let filler = "static int unused_filler;\n".repeat(50_000);
    let long = format!("{filler}{MANY_PATHS}");
    // The last one only in long tests.
    let many = if std::env::var_os("TINE_CHECKS").is_some() { "--max-runs 1000000" } else { "--max-runs 1000" };
    for (unit, flags) in [("int f(void) { return 1; }\n", ""), (MANY_PATHS, many), (&long, "--max-runs 20")] {
        let bench = page(unit, flags);
        browser.open(&bench.path("page/index.html"));
        assert_eq!(browser.run("return document.querySelectorAll('.verdict').length"), json!(1));
        let millis = browser.run(
            "const t = performance.now(); for (const row of document.querySelectorAll('#tree .row[aria-expanded]')) row.click(); \
             document.body.offsetHeight; return performance.now() - t",
        );
        assert!(millis.as_f64().is_some_and(|millis| millis < 5000.0), "opening rows took {millis} ms");
        assert_eq!(browser.complaints(), [""; 0]);
    }
}

#[test]
fn a_session_of_one_run_has_a_page() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f --jobs 1 --quiet --max-runs 1 --out session");
    assert!(ran.code <= Some(1), "{ran}");
    assert_eq!(bench.tine("report session --html page").code, Some(0));
    let text = std::fs::read_to_string(bench.path("page/index.html")).expect("a page");
    assert!(text.contains("some paths were not explored"), "{text}");
}

#[test]
fn a_running_session_is_served() {
    let bench = page(TWO_ERRORS, "");
    let mut server =
        bench.command("report session --serve 127.0.0.1:0").stdout(Stdio::piped()).spawn().expect("tine starts");
    let mut line = String::new();
    let stdout = server.stdout.take().expect("a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut line).expect("a line");
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let ask = |host: &str| {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    };
    assert!(ask(&address).starts_with("HTTP/1.1 200 OK"), "{address}");
    assert!(ask("other.example").starts_with("HTTP/1.1 403"));
    let _ = Command::new("kill").args(["-INT", &server.id().to_string()]).status();
    assert!(server.wait().expect("it ends").success());
}
