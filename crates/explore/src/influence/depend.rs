//! The dependence graph: an edge goes from a thing that changes to a thing that may change with it.
//!
//! Its nodes are the values and cells of the points-to analysis. Each function also has nodes for whether it is called
//! and whether it returns, and one for whether each of its blocks is executed.

use std::collections::{HashMap, HashSet, VecDeque};

use tine_trace::map::dataflow::{Kind, Operand, Operation};
use tine_trace::map::{DRIVER_FILE, SiteKind};

use super::control::{Decider, Flow};
use super::external::{Effect, is_failure};
use super::points_to::{PointsTo, Source};
use super::program::{Meaning, Program};
use crate::map::{BlockId, ProgramMap};

pub(super) struct Depend {
    /// Nodes that depend on a node, by node.
    pub(super) after: Vec<Vec<u32>>,
    /// Nodes that a node depends on, by node.
    pub(super) before: Vec<Vec<u32>>,
    /// First node of a function. Its nodes are its call, its end, and its blocks in order.
    pub(super) functions: Vec<u32>,
    /// Function, block and line of each value.
    pub(super) places: Vec<(u32, u32, u32)>,
    /// Nodes that bring inputs into the program.
    pub(super) inputs: HashSet<u32>,
}

impl Depend {
    pub(super) fn new(map: &ProgramMap, program: &Program, points: &PointsTo) -> Depend {
        let mut n_nodes = points.n_nodes() as u32;
        let mut functions = Vec::new();
        for code in &program.functions {
            functions.push(n_nodes);
            n_nodes += 2 + code.flow.blocks.len() as u32;
        }
        let mut graph = Depend {
            after: vec![Vec::new(); n_nodes as usize],
            before: Vec::new(),
            functions,
            places: vec![(u32::MAX, 0, 0); program.n_values as usize],
            inputs: HashSet::from([points.input, points.outside]),
        };
        let may_end = may_end(program, points);
        for function in 0..program.functions.len() {
            graph.function(map, program, points, function, &may_end);
        }
        for object in points.escaped() {
            for cell in points.cells(super::memory::Location::anywhere(object), 0) {
                graph.edge(cell.node, points.outside);
            }
        }
        // Each type of access passes on the contents written by it, but not the contents it receives.
        let received: HashSet<u32> = points.exchanges.iter().map(|(_, node)| *node).collect();
        for (object, node) in &points.exchanges {
            for cell in points.cells(super::memory::Location::anywhere(*object), 0) {
                if !received.contains(&cell.node) {
                    graph.edge(cell.node, *node);
                }
            }
        }
        for function in &points.called_from_outside {
            let code = &program.functions[*function];
            graph.edge(points.outside, graph.functions[*function]);
            (0..code.flow.n_parameters).for_each(|number| graph.edge(points.outside, code.first + number));
            graph.edge(points.results[*function], points.outside);
        }
        graph.before = vec![Vec::new(); n_nodes as usize];
        for (from, after) in graph.after.iter_mut().enumerate() {
            after.sort_unstable();
            after.dedup();
            after.iter().for_each(|to| graph.before[*to as usize].push(from as u32));
        }
        graph
    }

    fn edge(&mut self, from: u32, to: u32) {
        if from != to {
            self.after[from as usize].push(to);
        }
    }

    pub(super) fn block(&self, function: usize, block: usize) -> u32 {
        self.functions[function] + 2 + block as u32
    }

    fn function(&mut self, map: &ProgramMap, program: &Program, points: &PointsTo, index: usize, may_end: &[bool]) {
        let code = &program.functions[index];
        let (flow, entry) = (flow_of(map, program, points, index, may_end), self.functions[index]);
        let dependences = flow.dependences();
        let mut last = Vec::new();
        let mut value = code.first + code.flow.n_parameters;
        for block in &code.flow.blocks {
            value += block.operations.len() as u32;
            last.push(value.wrapping_sub(1));
        }
        let decider = |decider: Decider| match decider {
            None => entry,
            Some((block, _)) if code.flow.blocks[block].operations.is_empty() => entry + 2 + block as u32,
            Some((block, _)) => last[block],
        };
        for (block, deciders) in dependences.iter().enumerate() {
            let here = self.block(index, block);
            deciders.iter().for_each(|by| self.edge(decider(*by), here));
        }
        let n_returns = code.flow.blocks.iter().flat_map(|block| &block.operations);
        let n_returns = n_returns.filter(|operation| operation.kind == Kind::Return).count();
        let early = early_loads(map, program, points, index);
        for (load, first) in &early {
            self.edge(*first, *load);
            self.inputs.insert(*first);
        }
        let mut value = code.first + code.flow.n_parameters;
        for (number, block) in code.flow.blocks.iter().enumerate() {
            let here = self.block(index, number);
            // Ends of functions that were called earlier in the block.
            let mut ended: Vec<u32> = Vec::new();
            for operation in &block.operations {
                self.places[value as usize] = (index as u32, number as u32, operation.line);
                // The dependences of a call of defined code are inside that code.
                let is_call = operation.kind == Kind::Call;
                for operand in operation.operands.iter().filter(|_| !is_call) {
                    if let Source::Node(node) = points.source(program, code.module, code.first, *operand) {
                        self.edge(node, value);
                    }
                }
                if let Kind::Phi { blocks } = &operation.kind {
                    self.phi(blocks, &dependences, &flow, value, &decider);
                }
                if matches!(operation.kind, Kind::Store { .. } | Kind::Copy { .. } | Kind::Branch | Kind::Arguments) {
                    self.edge(here, value);
                    ended.iter().for_each(|end| self.edge(*end, value));
                }
                if operation.kind == Kind::Return {
                    self.edge(value, points.results[index]);
                    if n_returns > 1 {
                        self.edge(here, value);
                        ended.iter().for_each(|end| self.edge(*end, value));
                    }
                }
                if !early.contains_key(&value) {
                    self.memory(program, points, index, operation, value);
                }
                if operation.kind == Kind::Call {
                    self.call(program, points, operation, value, (index, number), may_end);
                    if let Some(call) = points.call_of.get(&value).map(|call| &points.calls[*call]) {
                        for end in &ended {
                            if !call.effects.is_empty() {
                                self.edge(*end, value);
                            }
                            call.callees.iter().for_each(|callee| self.edge(*end, self.functions[*callee]));
                        }
                        let may_end = call.callees.iter().filter(|callee| may_end[**callee]);
                        ended.extend(may_end.map(|callee| self.functions[*callee] + 1));
                    }
                }
                value += 1;
            }
            if ends_here(program, index, number) {
                self.edge(here, entry + 1);
            }
        }
    }

    /// Adds the dependences of a phi on the branches that decide from which block control comes.
    fn phi(
        &mut self,
        blocks: &[u32],
        dependences: &[Vec<Decider>],
        flow: &Flow,
        value: u32,
        decider: &impl Fn(Decider) -> u32,
    ) {
        let of = |block: u32| dependences.get(block as usize).map_or(&[][..], Vec::as_slice);
        let sides = |block: u32, by: usize| -> Vec<usize> {
            let sides = of(block).iter().flatten().filter(|(branch, _)| *branch == by);
            let mut sides: Vec<usize> = sides.map(|(_, side)| *side).collect();
            sides.sort_unstable();
            sides
        };
        for block in blocks {
            for (by, _) in of(*block).iter().flatten() {
                let first = sides(blocks[0], *by);
                if blocks.iter().any(|other| sides(*other, *by) != first) {
                    self.edge(decider(Some((*by, 0))), value);
                }
            }
            if flow.successors.get(*block as usize).is_some_and(|successors| successors.len() > 1) {
                self.edge(decider(Some((*block as usize, 0))), value);
            }
        }
    }

    /// Cells that a memory access reads and writes.
    fn memory(&mut self, program: &Program, points: &PointsTo, function: usize, operation: &Operation, value: u32) {
        let code = &program.functions[function];
        let address = |number: usize| {
            let operand = operation.operands.get(number).copied();
            let source = operand.map(|operand| points.source(program, code.module, code.first, operand));
            points.locations(source.unwrap_or(Source::Nothing))
        };
        match operation.kind {
            Kind::Load { size } => self.reads(points, &address(0), size, value),
            Kind::Store { size } => self.writes(points, &address(0), size, value),
            Kind::Copy { size } => {
                self.reads(points, &address(1), size, value);
                self.writes(points, &address(0), size, value);
            }
            Kind::Arguments => self.writes(points, &address(0), 0, value),
            _ => {}
        }
    }

    fn reads(&mut self, points: &PointsTo, at: &[super::memory::Location], size: u64, value: u32) {
        for location in at {
            for cell in points.cells(*location, size) {
                self.edge(cell.node, value);
            }
        }
    }

    fn writes(&mut self, points: &PointsTo, at: &[super::memory::Location], size: u64, value: u32) {
        for location in at {
            points.written(*location, size).into_iter().for_each(|cell| self.edge(value, cell));
        }
    }

    fn call(
        &mut self,
        program: &Program,
        points: &PointsTo,
        operation: &Operation,
        value: u32,
        at: (usize, usize),
        may_end: &[bool],
    ) {
        let Some(call) = points.call_of.get(&value).map(|call| &points.calls[*call]) else { return };
        if call.effects.iter().any(|effect| *effect != Effect::Computes) {
            self.inputs.insert(value);
        }
        let here = self.block(at.0, at.1);
        let code = &program.functions[at.0];
        let node = |operand| match points.source(program, code.module, code.first, operand) {
            Source::Node(node) => Some(node),
            _ => None,
        };
        let chosen = operation.operands.first().and_then(|callee| node(*callee));
        if !call.effects.is_empty() {
            self.edge(here, value);
            operation.operands.iter().filter_map(|operand| node(*operand)).for_each(|node| self.edge(node, value));
        }
        // The choice of the callee affects the result.
        chosen.into_iter().for_each(|chosen| self.edge(chosen, value));
        for callee in &call.callees {
            let code = &program.functions[*callee];
            self.edge(here, self.functions[*callee]);
            chosen.into_iter().for_each(|chosen| self.edge(chosen, self.functions[*callee]));
            for (number, argument) in call.arguments.iter().enumerate() {
                let Source::Node(node) = argument else { continue };
                if (number as u32) < code.flow.n_parameters {
                    self.edge(*node, code.first + number as u32);
                } else {
                    let area = points.variadic(*callee);
                    points.cells(area, 0).for_each(|cell| self.edge(*node, cell.node));
                }
            }
            self.edge(points.results[*callee], value);
            if may_end[*callee] {
                let end = self.functions[*callee] + 1;
                self.edge(here, self.functions[at.0] + 1);
                self.edge(end, self.functions[at.0] + 1);
            }
        }
        let pointed = |points: &PointsTo| -> Vec<_> {
            call.arguments.iter().flat_map(|argument| points.locations(*argument)).collect()
        };
        for effect in &call.effects {
            match effect {
                Effect::Computes | Effect::Allocates | Effect::NamesFunctions | Effect::ReturnsVariable => {}
                Effect::Reads => self.reads(points, &pointed(points), 0, value),
                Effect::Reallocates => {
                    self.reads(points, &pointed(points), 0, value);
                    let result: Vec<_> = points.of(value).collect();
                    self.writes(points, &result, 0, value);
                }
                Effect::WritesInput => self.writes(points, &pointed(points), 0, value),
                Effect::Returns => self.edge(points.jump, value),
                Effect::Jumps => {
                    self.edge(value, points.jump);
                    self.edge(value, self.functions[at.0] + 1);
                }
                Effect::Accesses => {
                    self.reads(points, &pointed(points), 0, value);
                    self.writes(points, &pointed(points), 0, value);
                    self.edge(value, points.outside);
                    self.edge(points.outside, value);
                }
                Effect::Unknown => {
                    self.reads(points, &pointed(points), 0, value);
                    self.edge(value, points.outside);
                    self.edge(points.outside, value);
                }
            }
        }
    }

    /// All nodes that are reachable from the seeds, each with the node before it on the way.
    pub(super) fn reached(edges: &[Vec<u32>], seeds: &[u32]) -> Vec<Option<u32>> {
        let mut came = vec![None; edges.len()];
        let mut waiting = VecDeque::new();
        for seed in seeds {
            if came[*seed as usize].is_none() {
                came[*seed as usize] = Some(*seed);
                waiting.push_back(*seed);
            }
        }
        while let Some(node) = waiting.pop_front() {
            for next in &edges[node as usize] {
                if came[*next as usize].is_none() {
                    came[*next as usize] = Some(node);
                    waiting.push_back(*next);
                }
            }
        }
        came
    }
}

/// Loads of a harness before it calls code of the unit, each with the first load of the same variable. They read inputs,
/// which no code of the unit has changed.
fn early_loads(map: &ProgramMap, program: &Program, points: &PointsTo, index: usize) -> HashMap<u32, u32> {
    let code = &program.functions[index];
    let is_harness = |mapped| map.function(mapped).file.ends_with(DRIVER_FILE);
    if code.name != "main" || !code.mapped.is_some_and(is_harness) {
        return HashMap::new();
    }
    let runs_code = |value: u32| {
        let call = points.call_of.get(&value).map(|call| &points.calls[*call]);
        call.is_some_and(|call| !call.callees.is_empty() || call.effects.contains(&Effect::Unknown))
    };
    let (mut loads, mut late) = (Vec::new(), Vec::new());
    let mut value = code.first + code.flow.n_parameters;
    for (number, block) in code.flow.blocks.iter().enumerate() {
        let mut has_called = false;
        for operation in &block.operations {
            has_called |= runs_code(value);
            if let (Kind::Load { .. }, [Operand::Symbol(symbol, _)], false) =
                (&operation.kind, &operation.operands[..], has_called)
            {
                loads.push((number, *symbol, value));
            }
            value += 1;
        }
        if has_called {
            late.extend(block.successors.iter().map(|next| *next as usize));
        }
    }
    let mut is_late = vec![false; code.flow.blocks.len()];
    while let Some(block) = late.pop() {
        if !std::mem::replace(&mut is_late[block], true) {
            late.extend(code.flow.blocks[block].successors.iter().map(|next| *next as usize));
        }
    }
    let mut first = HashMap::new();
    let early = loads.into_iter().filter(|(block, ..)| !is_late[*block]);
    early.map(|(_, symbol, load)| (load, *first.entry(symbol).or_insert(load))).collect()
}

/// True if a block ends the run, or leaves the function by a jump, without an error.
fn ends_here(program: &Program, function: usize, block: usize) -> bool {
    let block = &program.functions[function].flow.blocks[block];
    let returns = block.operations.iter().any(|operation| operation.kind == Kind::Return);
    block.successors.is_empty() && !returns && !fails(program, function, block)
}

/// True if a block reports an error.
fn fails(program: &Program, function: usize, block: &tine_trace::map::dataflow::Block) -> bool {
    let module = program.functions[function].module;
    let calls = block.operations.iter().filter(|operation| operation.kind == Kind::Call);
    let mut called = calls.filter_map(|call| call.operands.first());
    called.any(|callee| match callee {
        Operand::Symbol(symbol, _) => match program.meaning(module, *symbol) {
            Meaning::External(index) => is_failure(&program.externals[index]),
            Meaning::Function(index) => is_failure(&program.functions[index].name),
            _ => false,
        },
        _ => false,
    })
}

/// Functions that may not return although no error ends them.
fn may_end(program: &Program, points: &PointsTo) -> Vec<bool> {
    let ends = |function: usize| {
        (0..program.functions[function].flow.blocks.len()).any(|block| ends_here(program, function, block))
    };
    let mut may_end: Vec<bool> = (0..program.functions.len()).map(ends).collect();
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for call in &points.calls {
            let jumps = call.effects.contains(&Effect::Jumps);
            if !may_end[call.function] && (jumps || call.callees.iter().any(|callee| may_end[*callee])) {
                may_end[call.function] = true;
                is_changed = true;
            }
        }
    }
    may_end
}

/// The flow of a function, without sides that end with an error.
fn flow_of(map: &ProgramMap, program: &Program, points: &PointsTo, index: usize, may_end: &[bool]) -> Flow {
    let code = &program.functions[index];
    let failing = |block: usize, to: u32| {
        let (Some(mapped), Some(number)) = (code.mapped, code.flow.blocks[block].number) else { return false };
        let first = map.function(mapped).blocks.start;
        let (Some(from), to) = (map.blocks().get((first + number) as usize), code.flow.blocks[to as usize].number)
        else {
            return false;
        };
        map.flows(from).iter().any(|flow| {
            to.is_some_and(|to| flow.to == BlockId(first + to))
                && flow.decided_by.is_some_and(|(site, side)| {
                    map.site(site).is_some_and(|site| {
                        matches!(site.kind, SiteKind::Check | SiteKind::Assume) && site.failing == side
                    })
                })
        })
    };
    let mut flow = Flow::default();
    let mut value = code.first + code.flow.n_parameters;
    for (number, block) in code.flow.blocks.iter().enumerate() {
        let is_fatal = |to: &u32| {
            let block = code.flow.blocks.get(*to as usize);
            block.is_some_and(|block| block.successors.is_empty() && fails(program, index, block))
                || failing(number, *to)
        };
        let mut successors: Vec<Option<usize>> = Vec::new();
        for to in block.successors.iter().filter(|to| !is_fatal(to)) {
            if !successors.contains(&Some(*to as usize)) {
                successors.push(Some(*to as usize));
            }
        }
        let mut may_leave = successors.is_empty();
        for _ in &block.operations {
            let call = points.call_of.get(&value).map(|call| &points.calls[*call]);
            may_leave |= call.is_some_and(|call| call.callees.iter().any(|callee| may_end[*callee]));
            value += 1;
        }
        if may_leave {
            successors.push(None);
        }
        flow.successors.push(successors);
    }
    flow
}
