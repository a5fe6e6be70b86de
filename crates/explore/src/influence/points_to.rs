//! Objects that addresses may point to: a subset-based, field-sensitive analysis (Andersen's).
//!
//! ```text
//!   p = &x          x ∈ P(p)                    q = p          P(p) ⊆ P(q)
//!   q = &p->f       P(p) + offset ⊆ P(q)        q = *p         P(o) ⊆ P(q) for each o that an address in P(p) overlaps
//!   f(p), *g        parameters and results, for each function in P(g), as soon as it is added to the set
//! ```
//! Only new elements of a set are passed on (difference propagation), in the order of the copies. Sets that include each
//! other are merged (`cycles`). Memory consists of *cells*, the places that are written. A load reads all cells that
//! it overlaps.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use tine_trace::map::dataflow::{Kind, Operand, Operation};

use super::InfluenceError;
use super::cycles::components;
use super::external::{Effect, effect};
use super::memory::{Location, Locations};
use super::program::{Meaning, Program};

/// A set of addresses: those of a value, a cell or a result.
pub(super) type Node = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Object {
    Variable,
    /// A local variable of a function, or a heap object.
    Local,
    Function(usize),
    External(usize),
    /// Memory that inputs point to, accessed as one structure type. 0 stands for all other accesses.
    Input(u32),
    /// Memory of code outside of the program.
    Outside,
}

/// A place in memory that is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) at: Location,
    pub(super) size: u64,
    pub(super) node: Node,
}

/// Maximum number of cells in an object before the object is treated as a single cell.
const MANY_CELLS: usize = 96;

#[derive(Debug, Default)]
struct Memory {
    cells: Vec<Cell>,
    loads: Vec<(Location, u64, Node)>,
    /// The same loads.
    loaded: HashSet<(Location, u64, Node)>,
}

#[derive(Debug, Default)]
struct Set {
    has: Locations,
    new: Vec<Location>,
    copies: Vec<Node>,
    steps: Vec<(Node, i64, u64, u32)>,
    loads: Vec<(Node, u64)>,
    stores: Vec<(Node, u64)>,
    calls: Vec<usize>,
}

/// A call through an address, or of a known function.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: usize,
    pub(super) arguments: Vec<Source>,
    pub(super) result: Node,
    /// Possible callees with code.
    pub(super) callees: Vec<usize>,
    /// Effects of possible callees without code.
    pub(super) effects: HashSet<Effect>,
}

/// Source of a passed value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Nothing,
    Node(Node),
    At(Location),
}

/// Result of the analysis. Nodes below the number of values are the program's values.
#[derive(Debug)]
pub(super) struct PointsTo {
    pub(super) objects: Vec<Object>,
    memory: Vec<Memory>,
    sets: Vec<Set>,
    parents: Vec<Node>,
    pub(super) calls: Vec<Call>,
    /// Index of the call, by the value of the call.
    pub(super) call_of: HashMap<Node, usize>,
    pub(super) results: Vec<Node>,
    /// Objects of the variable arguments, by function.
    variadic: Vec<u32>,
    functions: Vec<u32>,
    externals: Vec<u32>,
    variables: Vec<u32>,
    inputs: HashMap<u32, u32>,
    /// Node for the addresses that inputs are written to, and their objects.
    roots: Node,
    root_objects: Vec<u32>,
    /// Object for the variables of the C library.
    library: u32,
    /// Nodes for the addresses that inputs may be, and for those that outside code has.
    pub(super) input: Node,
    pub(super) outside: Node,
    /// Node for the values that jumps pass.
    pub(super) jump: Node,
    escaped: HashSet<u32>,
    /// Nodes with the whole contents of an input object, for accesses as another type.
    pub(super) exchanges: Vec<(u32, Node)>,
    /// Functions that outside code may call.
    pub(super) called_from_outside: Vec<usize>,
    /// Copies, as they were added.
    copied: HashSet<(Node, Node)>,
    /// Position of each node in the order of the copies when cycles were merged last.
    ranks: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, Node)>>,
    queued: Vec<bool>,
    /// Number of nodes that were taken from the queue.
    pub(super) steps: u64,
}

impl PointsTo {
    /// Analyses the program. Gives up when `stop` returns true.
    pub(super) fn new(program: &Program, stop: &dyn Fn() -> bool) -> Result<PointsTo, InfluenceError> {
        let mut all = PointsTo {
            objects: Vec::new(),
            memory: Vec::new(),
            sets: Vec::new(),
            parents: Vec::new(),
            calls: Vec::new(),
            call_of: HashMap::new(),
            results: Vec::new(),
            variadic: Vec::new(),
            functions: Vec::new(),
            externals: Vec::new(),
            variables: Vec::new(),
            inputs: HashMap::new(),
            roots: 0,
            root_objects: Vec::new(),
            library: 0,
            input: 0,
            outside: 0,
            jump: 0,
            escaped: HashSet::new(),
            exchanges: Vec::new(),
            called_from_outside: Vec::new(),
            copied: HashSet::new(),
            ranks: Vec::new(),
            queue: BinaryHeap::new(),
            queued: Vec::new(),
            steps: 0,
        };
        for _ in 0..program.n_values {
            all.node();
        }
        (all.input, all.outside, all.jump) = (all.node(), all.node(), all.node());
        all.roots = all.node();
        all.results = program.functions.iter().map(|_| all.node()).collect();
        all.functions = (0..program.functions.len()).map(|index| all.object(Object::Function(index))).collect();
        all.variadic = program.functions.iter().map(|_| all.object(Object::Local)).collect();
        all.externals = (0..program.externals.len()).map(|index| all.object(Object::External(index))).collect();
        all.variables = program.variables.iter().map(|_| all.object(Object::Variable)).collect();
        all.library = all.object(Object::Variable);
        let outside = all.object(Object::Outside);
        all.add(all.outside, Location::anywhere(outside));
        all.escape(outside);
        let input = all.input_object(0);
        all.add(all.input, Location::anywhere(input));
        for (variable, object) in program.variables.iter().zip(all.variables.clone()) {
            for (offset, address) in &variable.addresses {
                let source = all.source(program, variable.module, 0, *address);
                let cell = all.cell(Location { object, offset: *offset as i64, stride: 0 }, 8);
                all.flow(source, cell);
            }
        }
        for function in 0..program.functions.len() {
            all.function(program, function);
        }
        all.expose(program);
        all.solve(program, stop)?;
        Ok(all)
    }

    /// If the program calls unknown code, that code may use all global variables of the program.
    fn expose(&mut self, program: &Program) {
        let is_unknown = |name: &String| effect(name) == Effect::Unknown && !name.starts_with("__tine_");
        if !program.externals.iter().any(is_unknown) {
            return;
        }
        for (index, variable) in program.variables.iter().enumerate() {
            if !variable.is_local && !variable.name.starts_with("llvm.") {
                self.add(self.outside, Location::anywhere(self.variables[index]));
            }
        }
    }

    fn node(&mut self) -> Node {
        self.sets.push(Set::default());
        self.queued.push(false);
        self.ranks.push(u32::MAX);
        self.parents.push(self.parents.len() as Node);
        self.parents.len() as Node - 1
    }

    fn object(&mut self, object: Object) -> u32 {
        self.objects.push(object);
        self.memory.push(Memory::default());
        self.objects.len() as u32 - 1
    }

    /// The object for input memory that is accessed as this structure type. It holds inputs from the start.
    fn input_object(&mut self, structure: u32) -> u32 {
        if let Some(known) = self.inputs.get(&structure) {
            return *known;
        }
        let object = self.object(Object::Input(structure));
        let others: Vec<u32> = self.inputs.values().chain(&self.root_objects).copied().collect();
        self.inputs.insert(structure, object);
        self.memory[object as usize].cells.push(Cell { at: Location::anywhere(object), size: 0, node: self.input });
        // One object may be accessed as several types: values written as one type are read as every other.
        for other in others {
            self.exchange(object, other);
            self.exchange(other, object);
        }
        object
    }

    /// An input pointer may point to an object that inputs are written to. Such an object shares its contents with all
    /// input memory, so that members of structures stay apart.
    fn root(&mut self, object: u32) {
        if !matches!(self.objects[object as usize], Object::Variable | Object::Local)
            || self.root_objects.contains(&object)
        {
            return;
        }
        self.root_objects.push(object);
        let inputs: Vec<u32> = self.inputs.values().copied().collect();
        for input in inputs {
            self.exchange(object, input);
            self.exchange(input, object);
        }
    }

    /// The whole contents of one object may be read anywhere in another.
    fn exchange(&mut self, from: u32, to: u32) {
        let between = self.node();
        self.exchanges.push((from, between));
        self.load(Location::anywhere(from), 0, between);
        let at = Location::anywhere(to);
        self.memory[to as usize].cells.push(Cell { at, size: 0, node: between });
        let loads: Vec<Node> = self.memory[to as usize].loads.iter().map(|(.., node)| *node).collect();
        loads.into_iter().for_each(|load| self.copy(between, load));
    }

    pub(super) fn find(&self, mut node: Node) -> Node {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    /// The addresses that a node may be.
    pub(super) fn of(&self, node: Node) -> impl Iterator<Item = Location> + '_ {
        self.sets[self.find(node) as usize].has.iter()
    }

    pub(super) fn locations(&self, source: Source) -> Vec<Location> {
        match source {
            Source::Nothing => Vec::new(),
            Source::At(location) => vec![location],
            Source::Node(node) => self.of(node).collect(),
        }
    }

    /// The cells that an access overlaps.
    pub(super) fn cells(&self, at: Location, size: u64) -> impl Iterator<Item = Cell> + '_ {
        let cells = self.memory[at.object as usize].cells.iter().copied();
        cells.filter(move |cell| cell.at.overlaps(cell.size, at, size))
    }

    /// The cells that a write changes: the one made for it, because loads read all cells that they overlap.
    pub(super) fn written(&self, at: Location, size: u64) -> Vec<Node> {
        let cells = &self.memory[at.object as usize].cells;
        let is = |wanted: Location, size: u64| move |cell: &&Cell| cell.at == wanted && cell.size == size;
        let own = cells.iter().find(is(at, size)).or_else(|| cells.iter().find(is(Location::anywhere(at.object), 0)));
        match own {
            Some(own) => vec![own.node],
            None => self.cells(at, size).map(|cell| cell.node).collect(),
        }
    }

    /// The variable arguments of a function.
    pub(super) fn variadic(&self, function: usize) -> Location {
        Location::anywhere(self.variadic[function])
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.parents.len()
    }

    /// Objects that code outside of the program may access.
    pub(super) fn escaped(&self) -> impl Iterator<Item = u32> + '_ {
        self.escaped.iter().copied()
    }

    pub(super) fn source(&self, program: &Program, module: usize, first: u32, operand: Operand) -> Source {
        match operand {
            Operand::Constant => Source::Nothing,
            Operand::Local(local) => Source::Node(first + local),
            Operand::Symbol(symbol, offset) => {
                let object = match program.meaning(module, symbol) {
                    Meaning::Function(index) => self.functions[index],
                    Meaning::Variable(index) => self.variables[index],
                    Meaning::External(index) => self.externals[index],
                    Meaning::Outside => return Source::Node(self.outside),
                };
                Source::At(
                    offset
                        .map_or_else(|| Location::anywhere(object), |offset| Location::start(object).moved(offset, 0)),
                )
            }
        }
    }

    fn add(&mut self, node: Node, location: Location) {
        let node = self.find(node);
        let set = &mut self.sets[node as usize];
        if let Some(new) = set.has.add(location) {
            set.new.push(new);
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: Node) {
        if !std::mem::replace(&mut self.queued[node as usize], true) {
            self.queue.push(Reverse((self.ranks[node as usize], node)));
        }
    }

    fn flow(&mut self, from: Source, to: Node) {
        match from {
            Source::Nothing => {}
            Source::Node(from) => self.copy(from, to),
            Source::At(location) => self.add(to, location),
        }
    }

    fn copy(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.copied.insert((from, to)) {
            return;
        }
        self.sets[from as usize].copies.push(to);
        let known: Vec<Location> = self.sets[from as usize].has.iter().collect();
        known.into_iter().for_each(|location| self.add(to, location));
    }

    fn step(&mut self, from: Source, to: Node, offset: i64, stride: u64, structure: u32) {
        match from {
            Source::Nothing => {}
            Source::At(location) => {
                let location = self.stepped(location, offset, stride, structure);
                self.add(to, location);
            }
            Source::Node(from) => {
                let from = self.find(from);
                self.sets[from as usize].steps.push((to, offset, stride, structure));
                let known: Vec<Location> = self.sets[from as usize].has.iter().collect();
                for location in known {
                    let location = self.stepped(location, offset, stride, structure);
                    self.add(to, location);
                }
            }
        }
    }

    fn stepped(&mut self, location: Location, offset: i64, stride: u64, structure: u32) -> Location {
        match self.objects[location.object as usize] {
            // The element of an input object is unknown, but the member is known.
            Object::Input(0) if structure != 0 => Location::start(self.input_object(structure)).moved(offset, stride),
            Object::Input(_) | Object::Function(_) | Object::External(_) if structure == 0 && stride == 1 => {
                location.moved(0, 1)
            }
            _ => location.moved(offset, stride),
        }
    }

    /// Passes the values that an access at these addresses reads to `to`.
    fn load_from(&mut self, address: Source, size: u64, to: Node) {
        match address {
            Source::Nothing => {}
            Source::At(location) => self.load(location, size, to),
            Source::Node(node) => {
                let node = self.find(node);
                self.sets[node as usize].loads.push((to, size));
                let known: Vec<Location> = self.sets[node as usize].has.iter().collect();
                known.into_iter().for_each(|location| self.load(location, size, to));
            }
        }
    }

    fn load(&mut self, at: Location, size: u64, to: Node) {
        let memory = &mut self.memory[at.object as usize];
        if !memory.loaded.insert((at, size, to)) {
            return;
        }
        memory.loads.push((at, size, to));
        let cells: Vec<Node> = self.cells(at, size).map(|cell| cell.node).collect();
        cells.into_iter().for_each(|cell| self.copy(cell, to));
    }

    fn store_to(&mut self, address: Source, size: u64, value: Source) {
        let value = match value {
            Source::Nothing => {
                // The cell is needed in any case, because the written value may depend on something.
                self.node()
            }
            Source::Node(node) => node,
            Source::At(location) => {
                let node = self.node();
                self.add(node, location);
                node
            }
        };
        match address {
            Source::Nothing => {}
            Source::At(location) => self.store(location, size, value),
            Source::Node(node) => {
                let node = self.find(node);
                self.sets[node as usize].stores.push((value, size));
                let known: Vec<Location> = self.sets[node as usize].has.iter().collect();
                known.into_iter().for_each(|location| self.store(location, size, value));
            }
        }
    }

    fn store(&mut self, at: Location, size: u64, value: Node) {
        let cell = self.cell(at, size);
        self.copy(value, cell);
    }

    /// Returns the cell of a write.
    fn cell(&mut self, at: Location, size: u64) -> Node {
        let memory = &self.memory[at.object as usize];
        let (at, size) = if memory.cells.len() >= MANY_CELLS { (Location::anywhere(at.object), 0) } else { (at, size) };
        if let Some(known) = memory.cells.iter().find(|cell| cell.at == at && cell.size == size) {
            return known.node;
        }
        let node = self.node();
        let memory = &mut self.memory[at.object as usize];
        memory.cells.push(Cell { at, size, node });
        let loads = memory.loads.iter().filter(|(loaded, bytes, _)| loaded.overlaps(*bytes, at, size));
        let loads: Vec<Node> = loads.map(|(.., load)| *load).collect();
        loads.into_iter().for_each(|load| self.copy(node, load));
        node
    }

    /// Makes an object readable and writable for outside code.
    fn escape(&mut self, object: u32) {
        if !self.escaped.insert(object) {
            return;
        }
        let (outside, at) = (self.outside, Location::anywhere(object));
        self.memory[object as usize].cells.push(Cell { at, size: 0, node: outside });
        let loads: Vec<Node> = self.memory[object as usize].loads.iter().map(|(.., node)| *node).collect();
        loads.into_iter().for_each(|load| self.copy(outside, load));
        self.load(at, 0, outside);
    }

    /// Adds the constraints of a function.
    fn function(&mut self, program: &Program, index: usize) {
        let code = &program.functions[index];
        let values = code.first + code.flow.n_parameters..;
        let operations = code.flow.blocks.iter().flat_map(|block| &block.operations);
        for (value, operation) in values.zip(operations) {
            self.operation(program, index, operation, value);
        }
    }

    fn operation(&mut self, program: &Program, function: usize, operation: &Operation, value: Node) {
        let code = &program.functions[function];
        let sources: Vec<Source> =
            operation.operands.iter().map(|operand| self.source(program, code.module, code.first, *operand)).collect();
        let first = sources.first().copied().unwrap_or(Source::Nothing);
        let second = sources.get(1).copied().unwrap_or(Source::Nothing);
        match &operation.kind {
            Kind::Join | Kind::Phi { .. } => sources.iter().for_each(|source| self.flow(*source, value)),
            Kind::Compute => sources.iter().for_each(|source| self.step(*source, value, 0, 1, 0)),
            Kind::Compare | Kind::Branch => {}
            Kind::Step { offset, stride, structure } => self.step(first, value, *offset, *stride, *structure),
            Kind::Load { size } => self.load_from(first, *size, value),
            Kind::Store { size } => {
                self.flow(second, value);
                self.store_to(first, *size, Source::Node(value));
            }
            Kind::Copy { size } => {
                self.load_from(second, *size, value);
                self.store_to(first, *size, Source::Node(value));
            }
            Kind::Variable { .. } => {
                let object = self.object(Object::Local);
                self.add(value, Location::start(object));
            }
            Kind::Arguments => {
                let area = Location::anywhere(self.variadic[function]);
                self.add(value, area);
                self.store_to(first, 0, Source::Node(value));
            }
            Kind::Return => self.flow(first, self.results[function]),
            Kind::Call => self.call(program, function, &sources, value),
        }
    }

    fn call(&mut self, program: &Program, function: usize, sources: &[Source], value: Node) {
        let number = self.calls.len();
        let arguments = sources.get(1..).unwrap_or_default().to_vec();
        self.calls.push(Call { function, arguments, result: value, callees: Vec::new(), effects: HashSet::new() });
        self.call_of.insert(value, number);
        match sources.first().copied().unwrap_or(Source::Nothing) {
            Source::Nothing => self.affect(number, Effect::Unknown),
            Source::At(location) => self.meet(program, number, location.object),
            Source::Node(node) => {
                let node = self.find(node);
                self.sets[node as usize].calls.push(number);
                let known: Vec<Location> = self.sets[node as usize].has.iter().collect();
                known.into_iter().for_each(|location| self.meet(program, number, location.object));
            }
        }
    }

    /// Handles a call that may call this object.
    fn meet(&mut self, program: &Program, call: usize, object: u32) {
        match self.objects[object as usize] {
            // Each call of an allocator returns memory of its own.
            Object::Function(index) => match effect(&program.functions[index].name) {
                effect @ (Effect::Allocates | Effect::Reallocates)
                    if program.functions[index].name.starts_with(tine_trace::map::MODEL) =>
                {
                    self.affect(call, effect);
                }
                _ => self.bind(program, call, index),
            },
            Object::External(index) => self.affect(call, effect(&program.externals[index])),
            Object::Outside => self.affect(call, Effect::Unknown),
            // A called input is one of the functions that inputs may be. These functions are members of the set
            // themselves.
            Object::Variable | Object::Local | Object::Input(_) => {}
        }
    }

    fn bind(&mut self, program: &Program, call: usize, callee: usize) {
        if self.calls[call].callees.contains(&callee) {
            return;
        }
        self.calls[call].callees.push(callee);
        let code = &program.functions[callee];
        let (arguments, result) = (self.calls[call].arguments.clone(), self.calls[call].result);
        for (number, argument) in arguments.into_iter().enumerate() {
            if (number as u32) < code.flow.n_parameters {
                self.flow(argument, code.first + number as u32);
            } else {
                let cell = self.cell(Location::anywhere(self.variadic[callee]), 0);
                self.flow(argument, cell);
            }
        }
        self.copy(self.results[callee], result);
    }

    fn affect(&mut self, call: usize, effect: Effect) {
        if !self.calls[call].effects.insert(effect) {
            return;
        }
        let (arguments, result) = (self.calls[call].arguments.clone(), self.calls[call].result);
        let first = arguments.first().copied().unwrap_or(Source::Nothing);
        match effect {
            Effect::Computes | Effect::Reads => {}
            Effect::Allocates => {
                let object = self.object(Object::Local);
                self.add(result, Location::start(object));
            }
            Effect::Reallocates => {
                let object = self.object(Object::Local);
                self.add(result, Location::start(object));
                self.flow(first, result);
                let contents = self.node();
                self.load_from(first, 0, contents);
                self.store_to(Source::At(Location::start(object)), 0, Source::Node(contents));
            }
            Effect::WritesInput => {
                self.flow(first, self.roots);
                self.store_to(first, 0, Source::Node(self.input));
            }
            Effect::NamesFunctions => self.load_from(first, 0, self.input),
            Effect::Returns => self.copy(self.jump, result),
            Effect::Jumps => arguments.into_iter().for_each(|argument| self.flow(argument, self.jump)),
            Effect::Accesses => arguments.into_iter().for_each(|argument| self.store_to(argument, 0, Source::Nothing)),
            Effect::ReturnsVariable => self.add(result, Location::anywhere(self.library)),
            Effect::Unknown => {
                arguments.into_iter().for_each(|argument| self.flow(argument, self.outside));
                self.copy(self.outside, result);
            }
        }
    }

    fn solve(&mut self, program: &Program, stop: &dyn Fn() -> bool) -> Result<(), InfluenceError> {
        // Copies after which cycles are merged again.
        let mut enough = 0;
        while let Some(Reverse((_, node))) = self.queue.pop() {
            if self.copied.len() >= enough {
                self.merge_cycles();
                enough = self.copied.len() + self.copied.len() / 4 + 1000;
            }
            self.steps += 1;
            if self.steps.is_multiple_of(1024) && stop() {
                return Err(InfluenceError::Stopped);
            }
            self.queued[node as usize] = false;
            if self.find(node) != node {
                continue;
            }
            let new = std::mem::take(&mut self.sets[node as usize].new);
            if new.is_empty() {
                continue;
            }
            if node == self.find(self.outside) {
                self.leave(program, &new);
            }
            if node == self.find(self.roots) {
                new.iter().for_each(|location| self.root(location.object));
            }
            for (to, offset, stride, structure) in self.sets[node as usize].steps.clone() {
                for location in &new {
                    let location = self.stepped(*location, offset, stride, structure);
                    self.add(to, location);
                }
            }
            for (to, size) in self.sets[node as usize].loads.clone() {
                new.iter().for_each(|location| self.load(*location, size, to));
            }
            for (value, size) in self.sets[node as usize].stores.clone() {
                new.iter().for_each(|location| self.store(*location, size, value));
            }
            for call in self.sets[node as usize].calls.clone() {
                new.iter().for_each(|location| self.meet(program, call, location.object));
            }
            self.pass_on(node, &new);
        }
        Ok(())
    }

    /// Passes new locations along copies.
    fn pass_on(&mut self, node: Node, new: &[Location]) {
        for to in self.sets[node as usize].copies.clone() {
            let to = self.find(to);
            if to == node {
                continue;
            }
            new.iter().for_each(|location| self.add(to, *location));
        }
    }

    /// Merges the nodes of each cycle of copies, and orders the others.
    fn merge_cycles(&mut self) {
        let copies: Vec<Vec<Node>> =
            self.sets.iter().map(|set| set.copies.iter().map(|to| self.find(*to)).collect()).collect();
        for (rank, component) in (0..).zip(components(&copies).into_iter().rev()) {
            for node in &component {
                self.ranks[*node as usize] = rank;
            }
            if component.len() > 1 {
                self.unite(&component);
            }
        }
        for node in 0..self.parents.len() as Node {
            self.parents[node as usize] = self.find(node);
        }
        let waiting: Vec<Node> = std::mem::take(&mut self.queue).into_iter().map(|Reverse((_, node))| node).collect();
        self.queue.extend(waiting.into_iter().map(|node| Reverse((self.ranks[node as usize], node))));
    }

    /// Makes the nodes of a cycle one node. It passes on all its locations again, because each node has receivers that miss
    /// the locations of the others.
    fn unite(&mut self, cycle: &[Node]) {
        let kept = cycle[0];
        let mut all = std::mem::take(&mut self.sets[kept as usize]);
        for gone in &cycle[1..] {
            self.parents[*gone as usize] = kept;
            let set = std::mem::take(&mut self.sets[*gone as usize]);
            set.has.iter().for_each(|location| _ = all.has.add(location));
            all.copies.extend(set.copies);
            all.steps.extend(set.steps);
            all.loads.extend(set.loads);
            all.stores.extend(set.stores);
            all.calls.extend(set.calls);
        }
        all.copies.sort_unstable();
        all.copies.dedup();
        all.new = all.has.iter().collect();
        let is_new = !all.new.is_empty();
        self.sets[kept as usize] = all;
        if is_new {
            self.enqueue(kept);
        }
    }

    /// Passes these addresses to outside code.
    fn leave(&mut self, program: &Program, new: &[Location]) {
        for location in new {
            match self.objects[location.object as usize] {
                Object::Function(index) if !self.called_from_outside.contains(&index) => {
                    self.called_from_outside.push(index);
                    let code = &program.functions[index];
                    for parameter in code.first..code.first + code.flow.n_parameters {
                        self.copy(self.outside, parameter);
                    }
                    self.copy(self.results[index], self.outside);
                }
                Object::Function(_) | Object::External(_) => {}
                Object::Variable | Object::Local | Object::Input(_) | Object::Outside => self.escape(location.object),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tine_trace::map::dataflow::{Block, Function};

    use super::super::program::Code;
    use super::*;

    /// Each value joins the one before it with the address of a variable, and the first one is the last: all contain
    /// all addresses. The work is proportional to the number of values only if the cycle is merged.
    #[test]
    fn cycles_are_solved_at_once() {
        const N: u32 = 1100;
        let operation = |kind, operands: &[u32]| Operation {
            kind,
            line: 1,
            operands: operands.iter().map(|value| Operand::Local(*value)).collect(),
        };
        let variables = (0..N).map(|_| operation(Kind::Variable { size: 8 }, &[]));
        let joins = (0..N).map(|k| operation(Kind::Join, &[k, N + (k + N - 1) % N]));
        let block = Block { operations: variables.chain(joins).collect(), ..Block::default() };
        let flow = Function { blocks: vec![block], ..Function::default() };
        let code = Code { name: "f".to_owned(), module: 0, flow, mapped: None, first: 0 };
        let mut program = Program::default();
        program.functions.push(code);
        program.n_values = 2 * N;
        let points = PointsTo::new(&program, &|| false).expect("it is not stopped");
        assert_eq!(points.of(N).count(), N as usize);
        assert!(points.steps < 10 * u64::from(N), "{} steps", points.steps);
        assert_eq!(PointsTo::new(&program, &|| true).err(), Some(InfluenceError::Stopped));
    }
}
