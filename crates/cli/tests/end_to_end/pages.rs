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
    fn start() -> Option<Browser> {
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
            "--window-size=1200,900",
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

    /// Sends a command of the Chrome DevTools Protocol.
    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.call("POST", "/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Shows pages as a device of this width does. A window cannot be as narrow as a phone.
    fn resize(&self, width: u32) {
        let metrics = json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", &metrics);
        assert_eq!(self.run("return innerWidth"), json!(width));
    }

    fn set_scheme(&self, scheme: &str) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.devtools("Emulation.setEmulatedMedia", &media);
    }

    /// Presses and releases a key.
    fn press(&self, key: char) {
        let actions = [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })];
        self.call("POST", "/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
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

/// Checks the page on a phone and on a large screen, in light and dark colours.
#[track_caller]
fn is_sound(browser: &Browser) {
    for (width, scheme) in [(360, "light"), (360, "dark"), (1200, "dark"), (1200, "light")] {
        browser.resize(width);
        browser.set_scheme(scheme);
        let wrong = browser.run(CHECKS);
        assert_eq!(wrong, json!([]), "{width} pixels, {scheme}: {wrong:#}");
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn a_page_opens_from_disk_and_asks_for_nothing() {
    let Some(browser) = Browser::start() else { return };
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
}

/// A unit with a list that has an error in its third element.
const LIST: &str = "\
struct list { int n; struct list *next; };
int f(struct list *list) {
    if (!list || list->n != 3 || !list->next || list->next == list)
        return 0;
    return 10 / (list->next->n - 7);
}
";

#[test]
fn the_tab_key_goes_through_the_page_in_order() {
    const TAB: char = '\u{e004}';
    const ENTER: char = '\u{e007}';
    let Some(browser) = Browser::start() else { return };
    let bench = page(LIST, "");
    browser.open(&bench.path("page/index.html"));
    // Focus is visible and moves down the document, and nothing that can be used is left out.
    let look = "const now = document.activeElement, last = window.last; window.last = now; \
                const box = now.getBoundingClientRect(), style = getComputedStyle(now); \
                const follows = !last || Boolean(last.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING); \
                const shown = box.width > 0 && box.height > 0 && style.outlineStyle !== 'none'; \
                (window.all ??= new Set()).add(now); return [follows, shown, now.outerHTML.slice(0, 80)]";
    let expected = browser.run(
        "window.expected = [...document.querySelectorAll('a[href], button, summary, [tabindex]')] \
         .filter((one) => one.tabIndex >= 0 && one.checkVisibility()); return expected.length",
    );
    let n = expected.as_u64().expect("a number");
    assert!(n > 10, "{n}");
    for step in 0..n {
        browser.press(TAB);
        let seen = browser.run(look);
        assert_eq!((&seen[0], &seen[1]), (&json!(true), &json!(true)), "step {step}: {seen}");
        if step == 0 {
            assert!(seen[2].as_str().is_some_and(|text| text.contains("skip")), "{seen}");
        }
    }
    let missed = browser.run("return expected.filter((one) => !all.has(one)).map((one) => one.outerHTML.slice(0, 80))");
    assert_eq!(missed, json!([]));
    // The first link skips the navigation.
    browser.run("document.querySelector('a.skip').focus()");
    browser.press(ENTER);
    assert_eq!(browser.run("return location.hash"), json!("#main"));
}

/// Pictures have contents, a description, and fit into the page.
#[test]
fn pictures_are_drawn() {
    let Some(browser) = Browser::start() else { return };
    let bench = page(LIST, "");
    browser.open(&bench.path("page/index.html"));
    for width in [360, 1200] {
        browser.resize(width);
        let wrong = browser.run(
            "const wrong = []; for (const svg of document.querySelectorAll('svg')) { \
               const box = svg.getBoundingClientRect(), inner = svg.getBBox(), view = svg.viewBox.baseVal; \
               const fits = inner.x >= view.x - 2 && inner.y >= view.y - 2 && inner.x + inner.width <= view.x + view.width + 2 \
                 && inner.y + inner.height <= view.y + view.height + 2; \
               const name = svg.closest('[aria-label]')?.getAttribute('aria-label'); \
               if (box.width < 20 || box.height < 10 || inner.width < 20 || !fits || !name) \
                 wrong.push([box.width, box.height, inner.width, inner.height, fits, name, svg.outerHTML.slice(0, 80)]); } \
             return wrong",
        );
        assert_eq!(wrong, json!([]), "{wrong:#}");
    }
    let graph = browser.run("return document.querySelector('article.error svg').textContent");
    assert!(graph.as_str().is_some_and(|text| text.contains("next") && text.contains("n = 3")), "{graph}");
    assert!(browser.run("return document.querySelectorAll('figure svg').length").as_u64() >= Some(2));
    is_sound(&browser);
}

#[test]
fn texts_of_a_unit_are_only_text() {
    let Some(browser) = Browser::start() else { return };
    let bench = page(HOSTILE, "");
    browser.open(&bench.path("page/index.html"));
    assert_eq!(browser.run("return document.title"), json!("f · tine"));
    assert_eq!(browser.run("return document.querySelectorAll('img').length"), json!(0));
    is_sound(&browser);
    // In the input of an error, and in the name of the file.
    let markup = "</script><img src=x onerror=alert(1)>";
    let unit = format!(
        "#include <stdlib.h>\nint f(const char *s) {{\n    const char *t = \"{markup}\";\n    \
        int i = 0;\n    while (t[i] && s[i] == t[i])\n        i++;\n    if (!t[i])\n        abort();\n    return i;\n}}\n"
    );
    let file = "\"><img src=x onerror=alert(1)>&amp;'.c";
    let bench = Bench::new(&[(file, &unit)]);
    let quoted = shell_words::quote(file);
    let ran = bench.tine(&format!("test {quoted} --fn f --jobs 1 --quiet --max-string 40 --out session --report page"));
    assert_eq!(ran.code, Some(1), "{ran}");
    browser.open(&bench.path("page/index.html"));
    let text = browser.run("return document.querySelector('article.error').textContent");
    assert!(text.as_str().is_some_and(|text| text.contains(markup)), "the input is shown: {text}");
    assert!(browser.run("return document.body.textContent").as_str().is_some_and(|text| text.contains(file)));
    assert_eq!(browser.run("return document.querySelectorAll('img').length"), json!(0));
    is_sound(&browser);
}

#[test]
fn pages_of_any_size_open() {
    let Some(browser) = Browser::start() else { return };
    let filler = "// A line of a long file.\n".repeat(50_000);
    let long = format!("{filler}{MANY_PATHS}");
    let many = if std::env::var_os("TINE_LONG").is_some() { "--max-runs 1000000" } else { "--max-runs 1000" };
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
fn sessions_of_few_runs_have_pages() {
    // A session that was killed before its first run.
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let program = tine_session::Program { name: "f".to_owned(), digest: String::new() };
    let made = tine_session::Recorder::create(&bench.path("empty"), &program, &serde_json::Map::new(), &[]);
    drop(made.expect("a session"));
    assert_eq!(bench.tine("report empty --html none").code, Some(0));
    if let Some(browser) = Browser::start() {
        browser.open(&bench.path("none/index.html"));
        let text = browser.run("return document.querySelector('.verdict').textContent");
        assert!(text.as_str().is_some_and(|text| text.contains("has not ended")), "{text}");
        is_sound(&browser);
    }
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let ran = bench.tine("test unit.c --fn f --jobs 1 --quiet --max-runs 1 --out session");
    assert!(ran.code <= Some(1), "{ran}");
    assert_eq!(bench.tine("report session --html page").code, Some(0));
    let text = std::fs::read_to_string(bench.path("page/index.html")).expect("a page");
    assert!(text.contains("some paths were not explored"), "{text}");
}

#[test]
fn a_running_session_is_served() {
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let mut explorer = bench
        .command("test unit.c --fn f --jobs 1 --max-time 100s --quiet --out session")
        .stdout(Stdio::null())
        .spawn()
        .expect("tine starts");
    let database = bench.path("session/session.db");
    wait_for("the session", || database.exists());
    let ran = bench.tine("report session --serve 127.0.0.1:0 --html page");
    assert!(ran.code == Some(2) && ran.stderr.contains("cannot be used with"), "{ran}");
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
    // A client that does not finish its request does not delay others.
    let mut slow = TcpStream::connect(&address).expect("it listens");
    slow.write_all(b"GET").expect("it reads");
    let begun = std::time::Instant::now();
    let first = ask(&address);
    assert!(first.starts_with("HTTP/1.1 200 OK") && first.contains("http-equiv=\"refresh\""), "{first}");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    let runs = |page: &str| {
        let before = page.split_once(" runs</small>").map_or("", |(before, _)| before);
        before.rsplit('>').next().map_or(0, |n| n.replace(',', "").parse::<u64>().unwrap_or(0))
    };
    let seen = runs(&first);
    wait_for("more runs", || runs(&ask(&address)) > seen);
    let _ = Command::new("kill").args(["-INT", &explorer.id().to_string()]).status();
    let _ = explorer.wait();
    assert!(!ask(&address).contains("http-equiv=\"refresh\""), "a finished session does not change");
    assert!(ask("other.example").starts_with("HTTP/1.1 403"));
    let _ = Command::new("kill").args(["-INT", &server.id().to_string()]).status();
    assert!(server.wait().expect("it ends").success());
}
