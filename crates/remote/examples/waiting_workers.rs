//! `waiting_workers URL N MILLISECONDS`: N workers that wait this time for each of their results, as if their runs were
//! that long. `benches/hub.py` measures with them what one selector can feed, on a machine with few processors.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tine_engine::config::values::{Count, Size};
use tine_engine::remote::Bounds;
use tine_remote::Login;
use tine_remote::worker::{Draft, Settings, work};

static WAIT: AtomicU64 = AtomicU64::new(0);
static STOP: AtomicBool = AtomicBool::new(false);

/// Approximate maximum time of a lease in milliseconds.
const LEASE_MS: u64 = 250;

/// Blocks the thread of the worker, so that it has one order at a time.
fn wait(draft: &mut Draft) {
    let wait_ms = WAIT.load(Ordering::Relaxed).max(1);
    let mut n_results = 1;
    if let Ok(answers) = &mut draft.answers {
        answers.truncate((LEASE_MS / wait_ms).max(1) as usize);
        n_results = answers.len() as u64;
    }
    std::thread::sleep(Duration::from_millis(wait_ms * n_results));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, url, n, wait_ms] = &arguments[..] else { panic!("URL N MILLISECONDS") };
    WAIT.store(wait_ms.parse().expect("a number"), Ordering::Relaxed);
    let n: u32 = n.parse().expect("a number");
    let threads: Vec<_> = (0..n)
        .map(|number| {
            let settings = Settings {
                login: Login { url: url.clone(), ..Login::default() },
                name: format!("waiting/{number}"),
                bounds: Bounds { jobs: Count(1), memory: Size(1 << 30), allow: false },
                allowed: None,
                falsify: Some(wait),
            };
            std::thread::spawn(move || work(settings, &STOP, &mut |_| {}).expect("a hub"))
        })
        .collect();
    for thread in threads {
        let _ = thread.join();
    }
}
