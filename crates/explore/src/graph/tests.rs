//! Distances on small graphs, and agreement of incremental updates with a complete computation.

use tine_trace::event::Site;
use tine_trace::map::{BlockRecord, CallRecord, EdgeRecord, FUNCTION_ADDRESS_TAKEN, SiteKind};

use super::{Callees, Distances, FAR};
use crate::coverage::Coverage;
use crate::fake::Random;
use crate::job::CaseId;
use crate::map::maker::Maker;
use crate::map::{BlockId, Edge, FunctionId, ProgramMap};

/// A block: its outgoing flow, and its callees, given by name, or by type if the name is empty.
struct Draft {
    flows: Vec<(u32, Option<(u32, u32)>)>,
    calls: Vec<(&'static str, u64)>,
}

fn flow(to: u32) -> Draft {
    Draft { flows: vec![(to, None)], calls: Vec::new() }
}

fn branch(site: u32, sides: [u32; 2]) -> Draft {
    Draft { flows: vec![(sides[0], Some((site, 0))), (sides[1], Some((site, 1)))], calls: Vec::new() }
}

fn end() -> Draft {
    Draft { flows: Vec::new(), calls: Vec::new() }
}

impl Draft {
    fn calls(mut self, name: &'static str, signature: u64) -> Draft {
        self.calls.push((name, signature));
        self
    }
}

/// Functions with their flags, types, numbers of branches and blocks. Blocks and sites are numbered through the whole
/// module.
fn map(functions: Vec<(&str, u32, u64, u32, Vec<Draft>)>) -> ProgramMap {
    let mut maker = Maker::default();
    for (number, (name, flags, signature, n_sites, blocks)) in functions.into_iter().enumerate() {
        maker.function(name, "f.c", flags);
        for site in 0..n_sites {
            maker.site(SiteKind::Branch, "f.c", 10 * number as u32 + site, 2);
        }
        let record = &mut maker.module.functions[number];
        (record.first_block, record.n_blocks) = (maker.module.blocks.len() as u32, blocks.len() as u32);
        record.signature = signature;
        for block in blocks {
            let (first_edge, first_call) = (maker.module.edges.len() as u32, maker.module.calls.len() as u32);
            let (n_edges, n_calls) = (block.flows.len() as u32, block.calls.len() as u32);
            maker.module.blocks.push(BlockRecord {
                function: number as u32,
                line: 0,
                first_edge,
                n_edges,
                first_call,
                n_calls,
                ..Default::default()
            });
            for (to, decided) in block.flows {
                let (site, side_index) = decided.unwrap_or((u32::MAX, 0));
                maker.module.edges.push(EdgeRecord { to, site, side_index });
            }
            for (name, signature) in block.calls {
                let callee = maker.text(name);
                maker.module.calls.push(CallRecord { callee, signature, site: u32::MAX, _pad: 0 });
            }
        }
    }
    maker.map()
}

/// `f` calls `g` after its branch. `g` has a branch of its own.
fn two_functions() -> ProgramMap {
    let f = vec![branch(0, [1, 2]), end(), flow(1).calls("g", 0)];
    let g = vec![flow(4), branch(1, [5, 6]), end(), end()];
    map(vec![("f", 0, 0, 1, f), ("g", 0, 0, 1, g)])
}

fn edge(map: &ProgramMap, site: u32, side_index: u32) -> Edge {
    Edge(map.sites()[site as usize].first_edge.0 + side_index)
}

fn distances(map: &ProgramMap, distances: &Distances) -> Vec<u32> {
    (0..map.blocks().len() as u32).map(|block| distances.of_block(BlockId(block))).collect()
}

#[test]
fn distances_count_decisions() {
    let map = two_functions();
    let mut coverage = Coverage::new(&map);
    let mut graph = Distances::new(&map, &coverage);
    assert_eq!(distances(&map, &graph), [1, FAR, 1, 1, 1, FAR, FAR]);
    assert_eq!((graph.of_side(Site(0), 0), graph.of_side(Site(0), 1)), (0, 0), "not covered themselves");

    graph.cover(&coverage.add(&map, &[edge(&map, 0, 0), edge(&map, 0, 1)], CaseId(1)));
    assert_eq!(distances(&map, &graph), [2, FAR, 1, 1, 1, FAR, FAR]);
    assert_eq!((graph.of_side(Site(0), 0), graph.of_side(Site(0), 1)), (FAR, 1), "one decision in g");

    graph.cover(&coverage.add(&map, &[edge(&map, 1, 0)], CaseId(2)));
    assert_eq!(distances(&map, &graph), [2, FAR, 1, 1, 1, FAR, FAR]);
    graph.cover(&coverage.add(&map, &[edge(&map, 1, 1)], CaseId(3)));
    assert_eq!(distances(&map, &graph), [FAR; 7]);
}

#[test]
fn indirect_calls_may_be_any_function_of_their_type_whose_address_is_taken() {
    let caller = || vec![end().calls("", 7)];
    let functions = vec![
        ("f", 0, 1, 0, caller()),
        ("taken", FUNCTION_ADDRESS_TAKEN, 7, 0, vec![end()]),
        ("not_taken", 0, 7, 0, vec![end()]),
        ("other_type", FUNCTION_ADDRESS_TAKEN, 8, 0, vec![end()]),
        ("also_taken", FUNCTION_ADDRESS_TAKEN, 7, 0, vec![end()]),
    ];
    let map = map(functions);
    let call = &map.calls(&map.blocks()[0])[0];
    assert_eq!(Callees::new(&map).of(call, &map, FunctionId(0)), [FunctionId(1), FunctionId(4)]);
}

/// Includes loops without decisions and recursive functions.
#[test]
fn keeping_up_is_as_good_as_computing_again() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let n_blocks = 2 + random.below(12) as u32;
        let (mut n_sites, mut blocks) = (0, Vec::new());
        for _ in 0..n_blocks {
            let mut to = || random.below(u64::from(n_blocks)) as u32;
            let (first, second) = (to(), to());
            let mut block = match random.below(4) {
                0 => end(),
                1 => flow(first),
                _ => {
                    n_sites += 1;
                    branch(n_sites - 1, [first, second])
                }
            };
            if random.below(5) == 0 {
                block = block.calls("f", 0);
            }
            blocks.push(block);
        }
        let map = map(vec![("f", 0, 0, n_sites, blocks)]);
        let mut coverage = Coverage::new(&map);
        let mut graph = Distances::new(&map, &coverage);
        let mut edges: Vec<_> = (0..map.n_edges() as u32).map(Edge).collect();
        while !edges.is_empty() {
            let some = 1 + random.below(3.min(edges.len() as u64)) as usize;
            let now: Vec<_> = (0..some).map(|_| edges.swap_remove(random.below(edges.len() as u64) as usize)).collect();
            graph.cover(&coverage.add(&map, &now, CaseId(1)));
            let again = Distances::new(&map, &coverage);
            assert_eq!(distances(&map, &graph), distances(&map, &again), "seed {seed}");
        }
        assert!(distances(&map, &graph).iter().all(|distance| *distance == FAR), "seed {seed}");
    }
}
