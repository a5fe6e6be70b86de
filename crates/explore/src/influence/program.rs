//! The data flow of a whole program: the data flow of its modules, with symbols resolved as the linker resolves them.

use std::collections::HashMap;

use tine_trace::map::dataflow::{Dataflow, Function, Operand};

use crate::map::{FunctionId, MapError, ProgramMap};

/// Meaning of a symbol of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Index into [`Program::functions`].
    Function(usize),
    /// Index into [`Program::variables`].
    Variable(usize),
    /// An undefined function: index into [`Program::externals`].
    External(usize),
    /// An undefined variable.
    Outside,
}

#[derive(Debug)]
pub(super) struct Code {
    pub(super) name: String,
    pub(super) module: usize,
    pub(super) flow: Function,
    /// The function in the program map.
    pub(super) mapped: Option<FunctionId>,
    /// Number of its first value, a parameter.
    pub(super) first: u32,
}

#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) module: usize,
    pub(super) is_local: bool,
    pub(super) addresses: Vec<(u64, Operand)>,
}

#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) functions: Vec<Code>,
    pub(super) variables: Vec<Variable>,
    pub(super) externals: Vec<String>,
    /// Meanings of symbols, by module and symbol.
    meanings: Vec<Vec<Meaning>>,
    /// Values of all functions.
    pub(super) n_values: u32,
}

impl Program {
    pub(super) fn new(map: &ProgramMap) -> Result<Program, MapError> {
        let mut program = Program::default();
        let mut flows = Vec::new();
        for module in map.modules() {
            let flow =
                if module.dataflow.is_empty() { Dataflow::default() } else { Dataflow::decode(&module.dataflow)? };
            flows.push(flow);
        }
        let mut public = HashMap::new();
        for (module, flow) in flows.iter_mut().enumerate() {
            let meanings = program.define(module, flow, map, &mut public)?;
            program.meanings.push(meanings);
        }
        // Undefined symbols are resolved in other modules. A symbol with several definitions means the first one, as
        // for the linker.
        for (module, flow) in flows.iter().enumerate() {
            for (number, symbol) in flow.symbols.iter().enumerate() {
                let known = public.get(symbol.name.as_str()).copied().filter(|_| !symbol.is_local);
                if let Some(known) = known {
                    program.meanings[module][number] = known;
                } else if !symbol.is_defined && symbol.is_function {
                    program.externals.push(symbol.name.clone());
                    program.meanings[module][number] = Meaning::External(program.externals.len() - 1);
                }
            }
        }
        for (module, flow) in flows.iter().enumerate() {
            for (number, symbol) in flow.symbols.iter().enumerate() {
                if let Some(alias) = symbol.alias
                    && let Some(meaning) = program.meanings[module].get(alias as usize).copied()
                {
                    program.meanings[module][number] = meaning;
                    if !symbol.is_local && !public.contains_key(&symbol.name) {
                        program.rename(&flows, &symbol.name, meaning);
                    }
                }
            }
        }
        program.forget_unused(map);
        Ok(program)
    }

    /// Removes the code of library functions that the program does not use, such as those that make the environment
    /// before the program runs.
    fn forget_unused(&mut self, map: &ProgramMap) {
        let is_library = |code: &Code| code.mapped.is_some_and(|mapped| map.function(mapped).is_library());
        let mut is_used: Vec<bool> =
            self.functions.iter().map(|code| !is_library(code) || code.name == "main").collect();
        let mut waiting: Vec<usize> = (0..is_used.len()).filter(|index| is_used[*index]).collect();
        let mut uses = |program: &Program, module: usize, operand: &Operand, waiting: &mut Vec<usize>| {
            if let Operand::Symbol(symbol, _) = operand
                && let Meaning::Function(index) = program.meaning(module, *symbol)
                && !std::mem::replace(&mut is_used[index], true)
            {
                waiting.push(index);
            }
        };
        for variable in &self.variables {
            variable.addresses.iter().for_each(|(_, address)| uses(self, variable.module, address, &mut waiting));
        }
        while let Some(index) = waiting.pop() {
            let code = &self.functions[index];
            let operations = code.flow.blocks.iter().flat_map(|block| &block.operations);
            let operands = operations.flat_map(|operation| &operation.operands);
            operands.for_each(|operand| uses(self, code.module, operand, &mut waiting));
        }
        for (code, _) in self.functions.iter_mut().zip(is_used).filter(|(_, is_used)| !is_used) {
            code.flow.blocks.clear();
        }
    }

    /// Resolves undefined uses of an alias's name in other modules.
    fn rename(&mut self, flows: &[Dataflow], name: &str, meaning: Meaning) {
        for (module, flow) in flows.iter().enumerate() {
            for (number, symbol) in flow.symbols.iter().enumerate() {
                if symbol.name == name && !symbol.is_defined {
                    self.meanings[module][number] = meaning;
                }
            }
        }
    }

    fn define(
        &mut self,
        module: usize,
        flow: &mut Dataflow,
        map: &ProgramMap,
        public: &mut HashMap<String, Meaning>,
    ) -> Result<Vec<Meaning>, MapError> {
        let mut meanings = vec![Meaning::Outside; flow.symbols.len()];
        let mut mapped = map.modules()[module].functions.clone();
        for function in std::mem::take(&mut flow.functions) {
            let index = self.functions.len();
            let symbol = flow.symbols.get(function.symbol as usize);
            let symbol = symbol.ok_or(MapError::Index { what: "symbol", index: function.symbol })?;
            meanings[function.symbol as usize] = Meaning::Function(index);
            if !symbol.is_local {
                public.entry(symbol.name.clone()).or_insert(Meaning::Function(index));
            }
            let first = self.n_values;
            let n_operations: usize = function.blocks.iter().map(|block| block.operations.len()).sum();
            self.n_values += function.n_parameters + n_operations as u32;
            self.functions.push(Code {
                name: symbol.name.clone(),
                module,
                mapped: if function.is_mapped { mapped.next().map(FunctionId) } else { None },
                first,
                flow: function,
            });
        }
        for (number, symbol) in flow.symbols.iter().enumerate() {
            if symbol.is_function || !symbol.is_defined || symbol.alias.is_some() {
                continue;
            }
            let meaning = Meaning::Variable(self.variables.len());
            meanings[number] = meaning;
            if !symbol.is_local {
                public.entry(symbol.name.clone()).or_insert(meaning);
            }
            self.variables.push(Variable {
                name: symbol.name.clone(),
                module,
                is_local: symbol.is_local,
                addresses: symbol.addresses.clone(),
            });
        }
        Ok(meanings)
    }

    pub(super) fn meaning(&self, module: usize, symbol: u32) -> Meaning {
        self.meanings[module].get(symbol as usize).copied().unwrap_or(Meaning::Outside)
    }
}
