//! Streams of queries, as `tine --solver-record` writes them, asked again: the chain of tiers, plain incremental Bitwuzla,
//! plain Z3, and the chain with the answers of a run before. `benches/streams.sh` records and asks.
//!
//! Every solver gets each stream from its beginning in a pool of its own, and two seconds for a query. Times are the thread's
//! own (what else runs on the machine does not count), of all queries together: the fastest of three rounds, or of one that
//! takes longer than ten seconds. Bitwuzla has half a minute in all, and Z3 a quarter, in one round: they are compared on the
//! queries that they came to.
//!
//! `--smt FILES` asks the chain alone, and shows the queries that reached SMT: number, answer, time and what was asked.

use std::path::Path;
use std::time::{Duration, Instant};

use tine_expr::text::{Names, print};
use tine_expr::{Answer, Solver, TermPool};
use tine_solver::{Answers, Backend, Chain, Options, Stats, chain, plain, stream};

const TIMEOUT_MS: u64 = 2_000;
const PATIENCE_WITH_BITWUZLA: Duration = Duration::from_secs(30);
const PATIENCE_WITH_Z3: Duration = Duration::from_secs(15);
/// Rounds that take longer are not repeated.
const LONG: Duration = Duration::from_secs(10);
/// Smaller streams are shown, but do not count for the mean.
const MIN_QUERIES: usize = 20;

struct Row {
    name: String,
    queries: usize,
    before_smt: f64,
    chain: Duration,
    /// Bitwuzla's time, and that of the chain and of the replay on the same queries; and Z3's.
    bitwuzla: [Duration; 3],
    z3: Option<[Duration; 3]>,
    replay: Duration,
    stats: Stats,
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if std::env::args().any(|word| word == "--smt") {
        files.iter().for_each(|file| reached_smt(Path::new(file)));
        return;
    }
    let rows: Vec<Row> = files.iter().filter_map(|file| measure(Path::new(file))).collect();
    if rows.is_empty() {
        return;
    }
    println!(
        "{:<14} {:>7} {:>8} {:>9} {:>11} {:>9} {:>8} {:>8} {:>9} {:>8} {:>8}",
        "stream",
        "queries",
        "no SMT",
        "chain ms",
        "Bitwuzla ms",
        "Z3 ms",
        "B/chain",
        "Z/chain",
        "replay ms",
        "B/again",
        "Z/again"
    );
    for row in &rows {
        let [bitwuzla, z3, again, z3_again] = row.ratios();
        println!(
            "{:<14} {:>7} {:>7.1}% {:>9.2} {:>11.2} {:>9} {:>8.1} {:>8} {:>9.2} {:>8.1} {:>8}",
            row.name,
            row.queries,
            row.before_smt,
            ms(row.chain),
            ms(row.bitwuzla[0]),
            row.z3.map_or("-".into(), |[z3, ..]| format!("{:.1}", ms(z3))),
            bitwuzla.unwrap_or(0.0),
            shown(z3),
            ms(row.replay),
            again.unwrap_or(0.0),
            shown(z3_again)
        );
    }
    let means: Vec<String> = (0..4)
        .map(|k| {
            let many = rows.iter().filter(|row| row.queries >= MIN_QUERIES);
            let ratios: Vec<f64> = many.filter_map(|row| row.ratios()[k]).collect();
            let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64;
            format!("{:.1}", mean.exp())
        })
        .collect();
    println!(
        "geometric mean: Bitwuzla / chain {}, Z3 / chain {}; with the answers of a run before {}, {}",
        means[0], means[1], means[2], means[3]
    );
    println!("\nshare of the queries, and time, of each tier of the chain");
    for row in &rows {
        let tiers = row.stats.tiers.iter().filter(|tier| tier.answered > 0 || tier.time > Duration::from_micros(500));
        let tiers = tiers.map(|tier| {
            let share = 100.0 * tier.answered as f64 / row.queries.max(1) as f64;
            format!("{} {share:.1}% {:.1} ms", tier.name, ms(tier.time))
        });
        println!("{:<14} {}", row.name, tiers.collect::<Vec<_>>().join(", "));
    }
}

impl Row {
    /// Bitwuzla and Z3 against the chain, then against the chain with answers from before.
    fn ratios(&self) -> [Option<f64>; 4] {
        let ratio = |other: Duration, own: Duration| other.as_secs_f64() / own.as_secs_f64().max(1e-9);
        [
            Some(ratio(self.bitwuzla[0], self.bitwuzla[1])),
            self.z3.map(|[z3, chain, _]| ratio(z3, chain)),
            Some(ratio(self.bitwuzla[0], self.bitwuzla[2])),
            self.z3.map(|[z3, _, replay]| ratio(z3, replay)),
        ]
    }
}

fn shown(ratio: Option<f64>) -> String {
    ratio.map_or("-".into(), |ratio| format!("{ratio:.1}"))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// What the tiers before SMT did not answer.
fn reached_smt(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let options = Options { timeout_ms: TIMEOUT_MS, ..Options::default() };
    let mut chain = chain(&options).expect("Bitwuzla is built in");
    let mut pool = TermPool::new();
    let queries = stream::read(&mut pool, &text).unwrap_or_else(|why| panic!("{why}"));
    let answered = |chain: &Chain| chain.stats().tiers.last().map_or(0, |tier| tier.answered);
    for (number, recorded) in queries.iter().enumerate() {
        let Some(query) = recorded.query() else { continue };
        let (before, start) = (answered(&chain), Instant::now());
        let answer = chain.check(&mut pool, &query);
        let time = start.elapsed();
        if answered(&chain) > before {
            let verdict = match answer {
                Answer::Sat(_) => "sat",
                Answer::Unsat => "unsat",
                Answer::Unknown(_) => "unknown",
            };
            let name = file.display();
            println!("{name} {} {verdict} {:.3} ms, {} constraints", number + 1, ms(time), query.constraints.len());
            for &term in query.constraints.iter().chain([&query.goal]) {
                println!("    {}", print(&pool, term, &Names::new()));
            }
        }
    }
}

fn measure(file: &Path) -> Option<Row> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    let name = file.file_stem()?.to_string_lossy().into_owned();
    let options = Options { timeout_ms: TIMEOUT_MS, ..Options::default() };
    let fastest = |make: &dyn Fn() -> Chain, patience: Duration| {
        let mut fastest = ask(&mut make(), &text, patience);
        for _ in 1..3 {
            if fastest.time() < LONG {
                let again = ask(&mut make(), &text, patience);
                fastest = if again.time() < fastest.time() { again } else { fastest };
            }
        }
        fastest
    };
    let by_chain = fastest(&|| chain(&options).expect("Bitwuzla is built in"), Duration::MAX);
    let by_bitwuzla = fastest(&|| plain(&options).expect("Bitwuzla is built in"), PATIENCE_WITH_BITWUZLA);
    agree(&name, &by_chain, &by_bitwuzla);
    let by_z3 = plain(&Options { backend: Backend::Z3, ..options.clone() }).ok();
    let by_z3 = by_z3.map(|mut z3| ask(&mut z3, &text, PATIENCE_WITH_Z3));
    by_z3.iter().for_each(|by_z3| agree(&name, &by_chain, by_z3));

    let path = std::env::temp_dir().join(format!("tine-streams-{}", std::process::id()));
    let open = || Answers::open(&path).expect("a file of answers");
    let answers = open();
    let mut first = chain(&Options { answers: Some(answers.clone()), ..options.clone() }).expect("as above");
    ask(&mut first, &text, Duration::MAX);
    answers.save().expect("a file that can be written");
    let replays = (0..3).map(|_| {
        let start = computed();
        let answers = open();
        let opening = computed() - start;
        let mut again = chain(&Options { answers: Some(answers), ..options.clone() }).expect("as above");
        let mut replayed = ask(&mut again, &text, Duration::MAX);
        agree(&name, &by_chain, &replayed);
        if let Some(first) = replayed.times.first_mut() {
            *first += opening;
        }
        replayed
    });
    let replayed = replays.min_by_key(Asked::time).expect("three rounds");
    let _ = std::fs::remove_file(&path);
    let beside = |other: &Asked| {
        let n = other.times.len();
        [other.time(), by_chain.times[..n].iter().sum(), replayed.times[..n].iter().sum()]
    };
    let (bitwuzla, z3) = (beside(&by_bitwuzla), by_z3.as_ref().map(beside));
    let (chain_time, replay) = (by_chain.time(), replayed.time());
    let came_to = |other: &Asked| other.times.len();
    let (to_bitwuzla, to_z3) = (came_to(&by_bitwuzla), by_z3.as_ref().map_or(0, came_to));
    let Asked { verdicts, stats, .. } = by_chain;

    let smt = stats.tiers.last().map_or(0, |tier| tier.answered);
    let queries = verdicts.len();
    let digest = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let unknown = verdicts.iter().filter(|verdict| verdict.is_none()).count();
    eprintln!("{name}: {queries} queries ({to_bitwuzla} Bitwuzla, {to_z3} Z3), {unknown} unknown, hash {digest:016x}");
    let before_smt = 100.0 * (1.0 - smt as f64 / queries.max(1) as f64);
    Some(Row { name, queries, before_smt, chain: chain_time, bitwuzla, z3, replay, stats })
}

/// How queries were answered (`None` is unknown), and in what time each.
struct Asked {
    verdicts: Vec<Option<bool>>,
    times: Vec<Duration>,
    stats: Stats,
}

impl Asked {
    fn time(&self) -> Duration {
        self.times.iter().sum()
    }
}

/// Asks the queries of a stream, until that has taken so long.
fn ask(solver: &mut Chain, text: &str, patience: Duration) -> Asked {
    let mut pool = TermPool::new();
    let queries = stream::read(&mut pool, text).unwrap_or_else(|why| panic!("{why}"));
    let (mut verdicts, mut times, begin) = (Vec::new(), Vec::new(), computed());
    for query in queries.iter().filter_map(stream::Recorded::query) {
        if computed() - begin > patience {
            break;
        }
        let start = computed();
        let answer = solver.check(&mut pool, &query);
        times.push(computed() - start);
        verdicts.push(match answer {
            Answer::Sat(_) => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        });
    }
    Asked { verdicts, times, stats: solver.stats() }
}

fn agree(name: &str, a: &Asked, b: &Asked) {
    for (number, pair) in a.verdicts.iter().zip(&b.verdicts).enumerate() {
        if let (Some(a), Some(b)) = pair {
            assert_eq!(a, b, "{name}: query {}", number + 1);
        }
    }
}

/// How long this thread has computed.
fn computed() -> Duration {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const OF_THREAD: i32 = 3;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: a clock that there is on Linux, and a place for what it says.
    unsafe { clock_gettime(OF_THREAD, &raw mut time) };
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}
