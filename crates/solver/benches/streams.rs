//! Streams of queries, as written by `tine --solver-record`, solved again by four solvers: the chain of tiers, plain
//! incremental Bitwuzla, plain Z3, and the chain with the answers of an earlier run. `benches/streams.sh` records and
//! solves them. The output consists of the tables in `docs/benchmarks.md`.
//!
//! Every solver gets each stream from its beginning, in a pool of its own. A query may take two seconds. For Z3, which
//! takes a hundred times as long for most queries, the limit is `Z3_MS` milliseconds (100). A query that reaches its
//! limit counts with the time that it took until then, so ratios are lower bounds. The number of such queries is
//! printed. Times are CPU times of the thread and of Z3's process, so other load on the machine does not count. They
//! are totals of all queries: of the fastest of three rounds, or of one round that takes longer than ten seconds. Z3
//! has one round. A solver stops after `PATIENCE` seconds (40) for a stream, and is then compared on the queries that
//! it reached.
//!
//! `--smt FILES` runs only the chain, and shows the queries that reached SMT with number, answer, time and terms.

use std::path::Path;
use std::time::{Duration, Instant};

use tine_expr::text::{Names, print};
use tine_expr::{Answer, Solver, TermPool};
use tine_solver::{Answers, Backend, Chain, Options, Stats, TierStats, chain, plain, stream};

const TIMEOUT_MS: u64 = 2_000;
const Z3_MS: u64 = 100;
const PATIENCE_S: u64 = 40;
/// A round that takes longer is not repeated.
const LONG: Duration = Duration::from_secs(10);
/// Smaller streams are shown, but do not count towards the mean.
const MIN_QUERIES: usize = 20;

struct Row {
    name: String,
    /// Hash of the stream's text.
    hash: u64,
    queries: usize,
    unknown: usize,
    before_smt: f64,
    chain: Duration,
    bitwuzla: Other,
    z3: Option<Other>,
    replay: Duration,
    stats: Stats,
}

/// A solver that the chain is compared with.
struct Other {
    /// Number of queries that it reached, and in `unknown` how many of them it did not answer.
    asked: usize,
    unknown: usize,
    time: Duration,
    /// Time of the chain and of the replay for the same queries.
    chain: Duration,
    replay: Duration,
}

impl Other {
    fn new(asked: &Asked, chain: &Asked, replay: &Asked) -> Self {
        let n = asked.times.len();
        Other {
            asked: n,
            unknown: asked.unknown(),
            time: asked.time(),
            chain: chain.times[..n].iter().sum(),
            replay: replay.times[..n].iter().sum(),
        }
    }

    /// Its time divided by the time of the chain, and by that of the replay.
    fn ratios(&self) -> [f64; 2] {
        [self.chain, self.replay].map(|own| self.time.as_secs_f64() / own.as_secs_f64().max(1e-9))
    }
}

fn main() {
    let files: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if std::env::args().any(|word| word == "--smt") {
        files.iter().for_each(|file| reached_smt(Path::new(file)));
        return;
    }
    let begin = Instant::now();
    let rows: Vec<Row> = files.iter().filter_map(|file| measure(Path::new(file))).collect();
    if rows.is_empty() {
        return;
    }
    println!(
        "| stream | hash | queries | before SMT | chain, ms | Bitwuzla, ms | Z3, ms | Bitwuzla / chain | Z3 / chain | replay, ms | \
         Bitwuzla / replay | Z3 / replay |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    rows.iter().for_each(print_row);
    println!();
    print_means(&rows);
    println!("Measured in {:.1} minutes.", begin.elapsed().as_secs_f64() / 60.0);
    println!("\nShare of the queries, and time in ms, of each tier of the chain:\n\n| stream | |\n|---|---|");
    for row in &rows {
        let tiers = row.stats.tiers.iter().filter(|tier| tier.answered > 0 || tier.time > Duration::from_micros(500));
        let mut tiers: Vec<&TierStats> = tiers.collect();
        tiers.sort_by_key(|tier| std::cmp::Reverse(tier.answered));
        let tiers = tiers.into_iter().map(|tier| {
            let share = 100.0 * tier.answered as f64 / row.queries.max(1) as f64;
            format!("{} {share:.1} % ({:.1})", tier.name, ms(tier.time))
        });
        println!("| {} | {} |", row.name, tiers.collect::<Vec<_>>().join(", "));
    }
}

fn print_row(row: &Row) {
    // Numbers of unanswered queries and of queries that were not reached, in parentheses.
    let cell = |other: &Other| {
        let mut remarks = Vec::new();
        if other.asked < row.queries {
            remarks.push(format!("{} queries", other.asked));
        }
        if other.unknown > 0 {
            remarks.push(format!("{} at the limit", other.unknown));
        }
        let remarks = if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join(", ")) };
        format!("{}{remarks}", number(ms(other.time)))
    };
    let z3 = row.z3.as_ref();
    let z3_ratios = z3.map(Other::ratios);
    let [chain, replay] = row.bitwuzla.ratios();
    let unknown = if row.unknown > 0 { format!(" ({} at the limit)", row.unknown) } else { String::new() };
    println!(
        "| {} | `{:016x}` | {} | {:.1} % | {}{unknown} | {} | {} | {} | {} | {} | {} | {} |",
        row.name,
        row.hash,
        row.queries,
        row.before_smt,
        number(ms(row.chain)),
        cell(&row.bitwuzla),
        z3.map_or("-".to_owned(), cell),
        number(chain),
        z3_ratios.map_or("-".to_owned(), |[chain, _]| number(chain)),
        number(ms(row.replay)),
        number(replay),
        z3_ratios.map_or("-".to_owned(), |[_, replay]| number(replay)),
    );
}

/// Prints the geometric means of all streams that are large enough, with the goals.
fn print_means(rows: &[Row]) {
    let many: Vec<&Row> = rows.iter().filter(|row| row.queries >= MIN_QUERIES).collect();
    let mean = |ratios: Vec<f64>| {
        let n = ratios.len().max(1) as f64;
        number((ratios.into_iter().map(f64::ln).sum::<f64>() / n).exp())
    };
    let bitwuzla = |k: usize| mean(many.iter().map(|row| row.bitwuzla.ratios()[k]).collect());
    let z3 = |k: usize| mean(many.iter().filter_map(|row| Some(row.z3.as_ref()?.ratios()[k])).collect());
    println!(
        "Geometric means of {} streams: Bitwuzla / chain {} (goal 2), Z3 / chain {} (goal 10);",
        many.len(),
        bitwuzla(0),
        z3(0)
    );
    println!("with the answers of a run before {} and {} (goals 5 and 20).", bitwuzla(1), z3(1));
    let least = many.iter().map(|row| row.before_smt).fold(f64::MAX, f64::min);
    let slowest = many.iter().map(|row| row.bitwuzla.ratios()[0]).fold(f64::MAX, f64::min);
    println!(
        "The least share answered before SMT is {least:.1} % (goal 80 %); the smallest Bitwuzla / chain is {} (goal 0.9).",
        number(slowest)
    );
}

/// The number with three digits, or all digits of its integer part.
fn number(x: f64) -> String {
    match x {
        x if x < 10.0 => format!("{x:.2}"),
        x if x < 100.0 => format!("{x:.1}"),
        x => {
            let digits = format!("{x:.0}");
            let grouped: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
            grouped.iter().map(|part| String::from_utf8_lossy(part)).collect::<Vec<_>>().join(",")
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Prints the queries that the tiers before SMT did not answer.
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
    let setting = |name, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let patience = Duration::from_secs(setting("PATIENCE", PATIENCE_S));
    let by_chain = fastest(&|| chain(&options).expect("Bitwuzla is built in"), Duration::MAX);
    eprint!("{name}: {} queries, chain {:.0} ms", by_chain.times.len(), ms(by_chain.time()));
    let by_bitwuzla = fastest(&|| plain(&options).expect("Bitwuzla is built in"), patience);
    eprint!(", Bitwuzla {:.0} ms", ms(by_bitwuzla.time()));
    agree(&name, &by_chain, &by_bitwuzla);
    let z3 = Options { backend: Backend::Z3, timeout_ms: setting("Z3_MS", Z3_MS), ..options.clone() };
    let by_z3 = plain(&z3).ok().map(|mut z3| ask(&mut z3, &text, patience));
    eprintln!(", Z3 {:.0} ms", by_z3.as_ref().map_or(0.0, |z3| ms(z3.time())));
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
    let bitwuzla = Other::new(&by_bitwuzla, &by_chain, &replayed);
    let z3 = by_z3.as_ref().map(|z3| Other::new(z3, &by_chain, &replayed));
    let (chain, replay, unknown) = (by_chain.time(), replayed.time(), by_chain.unknown());
    let Asked { verdicts, stats, .. } = by_chain;
    let smt = stats.tiers.last().map_or(0, |tier| tier.answered);
    let queries = verdicts.len();
    let hash = tine_trace::hash::of(text.as_bytes());
    let before_smt = 100.0 * (1.0 - smt as f64 / queries.max(1) as f64);
    Some(Row { name, hash, queries, unknown, before_smt, chain, bitwuzla, z3, replay, stats })
}

/// Answers to queries (`None` is unknown), with their times.
struct Asked {
    verdicts: Vec<Option<bool>>,
    times: Vec<Duration>,
    stats: Stats,
}

impl Asked {
    fn time(&self) -> Duration {
        self.times.iter().sum()
    }

    fn unknown(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.is_none()).count()
    }
}

/// Runs the queries of a stream until this takes longer than `patience`.
fn ask(solver: &mut Chain, text: &str, patience: Duration) -> Asked {
    let mut pool = TermPool::new();
    let queries = stream::read(&mut pool, text).unwrap_or_else(|why| panic!("{why}"));
    let computed = |solver: &Chain| {
        // Z3 computes in a separate process.
        let elsewhere: Duration = solver.stats().tiers.iter().map(|tier| tier.elsewhere).sum();
        computed() + elsewhere
    };
    let (mut verdicts, mut times, begin) = (Vec::new(), Vec::new(), computed(solver));
    for query in queries.iter().filter_map(stream::Recorded::query) {
        if computed(solver) - begin > patience {
            break;
        }
        let start = computed(solver);
        let answer = solver.check(&mut pool, &query);
        times.push(computed(solver) - start);
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

/// CPU time of this thread.
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
    // SAFETY: the clock exists on Linux, and the pointer is valid for writing the result.
    unsafe { clock_gettime(OF_THREAD, &raw mut time) };
    Duration::new(time.seconds as u64, time.nanoseconds as u32)
}
