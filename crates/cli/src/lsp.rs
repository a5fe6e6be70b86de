//! `tine lsp`: a language server that shows the results of sessions in an editor. Errors are diagnostics of severity
//! error, and branch sides that no run took are hints. It publishes them when the client starts, opens or saves a file,
//! and when a session has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use lsp_server::{Connection, Message, Notification, Response};
use serde_json::{Value, json};
use tine_engine::folder;
use tine_report::diagnostics;

use crate::failure::{EXIT_FINE, Failure};
use crate::options::LspOptions;
use crate::report::read_all;

/// Interval at which the sessions are checked.
const PAUSE: Duration = Duration::from_millis(500);

pub(crate) fn lsp(options: &LspOptions) -> Result<u8, Failure> {
    let failed = |why: String| Failure::usage(format!("the editor left: {why}"), "see the log of the editor");
    let (connection, threads) = Connection::stdio();
    let capabilities = json!({ "textDocumentSync": { "openClose": true, "save": true, "change": 0 } });
    connection.initialize(capabilities).map_err(|why| failed(why.to_string()))?;
    let mut server = Server { sessions: options.sessions.clone(), published: BTreeSet::new(), seen: None };
    server.publish(&connection, true);
    loop {
        match connection.receiver.recv_timeout(PAUSE) {
            Ok(Message::Request(request)) => {
                if connection.handle_shutdown(&request).map_err(|why| failed(why.to_string()))? {
                    break;
                }
                let unknown = format!("tine does not answer {}", request.method);
                let response = Response::new_err(request.id, lsp_server::ErrorCode::MethodNotFound as i32, unknown);
                let _ = connection.sender.send(response.into());
            }
            Ok(Message::Notification(note)) if note.method == "exit" => break,
            Ok(Message::Notification(note)) => {
                let is_file = ["textDocument/didOpen", "textDocument/didSave"].contains(&note.method.as_str());
                server.publish(&connection, is_file);
            }
            Ok(Message::Response(_)) => {}
            Err(error) if error.is_timeout() => server.publish(&connection, false),
            Err(_) => break,
        }
    }
    drop(connection);
    threads.join().map_err(|why| failed(why.to_string()))?;
    Ok(EXIT_FINE)
}

struct Server {
    sessions: Vec<PathBuf>,
    /// Files that have diagnostics in the editor.
    published: BTreeSet<String>,
    /// Modification times of the sessions.
    seen: Option<Vec<SystemTime>>,
}

impl Server {
    /// Sends all diagnostics, if a session has changed or the editor needs them.
    fn publish(&mut self, connection: &Connection, is_forced: bool) {
        let written = self.sessions.iter().flat_map(|dir| changed(dir)).collect();
        if !is_forced && self.seen.as_ref() == Some(&written) {
            return;
        }
        self.seen = Some(written);
        let mut files = BTreeMap::<String, Vec<Value>>::new();
        // A session that does not exist yet may appear later.
        for data in self.sessions.iter().filter_map(|dir| read_all(std::slice::from_ref(dir)).ok()).flatten() {
            diagnostics::add(&mut files, &data);
        }
        let gone: Vec<String> = self.published.iter().filter(|file| !files.contains_key(*file)).cloned().collect();
        files.extend(gone.into_iter().map(|file| (file, Vec::new())));
        for (file, diagnostics) in &files {
            let uri = tine_report::file_uri(file);
            let params = json!({ "uri": uri, "diagnostics": diagnostics });
            let note = Notification { method: "textDocument/publishDiagnostics".to_owned(), params };
            let _ = connection.sender.send(note.into());
        }
        self.published = files.into_iter().filter(|(_, list)| !list.is_empty()).map(|(file, _)| file).collect();
    }
}

/// Times at which the databases below a directory were written.
fn changed(dir: &Path) -> Vec<SystemTime> {
    let databases =
        folder::sessions(dir).into_iter().flat_map(|dir| [dir.join("session.db"), dir.join("session.db-wal")]);
    databases.filter_map(|file| file.metadata().ok()?.modified().ok()).collect()
}
