//! A module: reading, verifying, optimising, emitting.

use std::cell::Cell;
use std::path::Path;

use llvm_sys::analysis::*;
use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::error::*;
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use llvm_sys::target_machine::*;
use llvm_sys::transforms::pass_builder::*;
use llvm_sys::{LLVMLinkage, LLVMThreadLocalMode};

use super::{Builder, Scope, Type, Value, c_text, owned_message};

/// A module and its context.
#[derive(Debug)]
pub(crate) struct Module {
    context: LLVMContextRef,
    raw: LLVMModuleRef,
    layout: LLVMTargetDataRef,
    /// Builder of debug information; null until it is needed.
    debug: Cell<LLVMDIBuilderRef>,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: this type owns both; the module is disposed before its context.
        unsafe {
            LLVMDisposeModule(self.raw);
            LLVMContextDispose(self.context);
        }
    }
}

// SAFETY of all blocks here: the module and its context are alive as long as `self`, and every handle passed to LLVM
// was made in that context.
#[expect(clippy::undocumented_unsafe_blocks, reason = "one argument for all of them stands above")]
impl Module {
    pub(crate) fn read(path: &Path) -> Result<Module, String> {
        let name = c_text(&path.to_string_lossy());
        unsafe {
            let mut buffer = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMCreateMemoryBufferWithContentsOfFile(name.as_ptr(), &mut buffer, &mut message) != 0 {
                return Err(owned_message(message));
            }
            let context = LLVMContextCreate();
            let mut raw = std::ptr::null_mut();
            let failed = LLVMParseIRInContext2(context, buffer, &mut raw, &mut message) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            if failed {
                LLVMContextDispose(context);
                return Err(owned_message(message));
            }
            Ok(Module { context, raw, layout: LLVMGetModuleDataLayout(raw), debug: Cell::new(std::ptr::null_mut()) })
        }
    }

    pub(crate) fn builder(&self) -> Builder {
        Builder::new(self.context)
    }

    pub(crate) fn triple(&self) -> String {
        unsafe { std::ffi::CStr::from_ptr(LLVMGetTarget(self.raw)).to_string_lossy().into_owned() }
    }

    pub(crate) fn source_file(&self) -> String {
        let mut len = 0;
        let text = unsafe { LLVMGetSourceFileName(self.raw, &mut len) };
        super::borrowed_text(text, len)
    }

    pub(crate) fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let failed = unsafe { LLVMVerifyModule(self.raw, action, &mut message) != 0 };
        let text = owned_message(message);
        if failed { Err(text) } else { Ok(()) }
    }

    pub(crate) fn print(&self) -> String {
        owned_message(unsafe { LLVMPrintModuleToString(self.raw) })
    }

    pub(crate) fn functions(&self) -> Vec<Value> {
        let mut functions = Vec::new();
        let mut function = unsafe { LLVMGetFirstFunction(self.raw) };
        while !function.is_null() {
            functions.push(Value(function));
            function = unsafe { LLVMGetNextFunction(function) };
        }
        functions
    }

    /// Variables that the module declares or defines, including constants.
    pub(crate) fn globals(&self) -> Vec<Value> {
        let mut globals = Vec::new();
        let mut global = unsafe { LLVMGetFirstGlobal(self.raw) };
        while !global.is_null() {
            globals.push(Value(global));
            global = unsafe { LLVMGetNextGlobal(global) };
        }
        globals
    }

    /// Aliases of functions and variables.
    pub(crate) fn aliases(&self) -> Vec<Value> {
        let mut aliases = Vec::new();
        let mut alias = unsafe { LLVMGetFirstGlobalAlias(self.raw) };
        while !alias.is_null() {
            aliases.push(Value(alias));
            alias = unsafe { LLVMGetNextGlobalAlias(alias) };
        }
        aliases
    }

    pub(crate) fn add_function(&self, name: &str, ty: Type) -> Value {
        let name = c_text(name);
        Value(unsafe { LLVMAddFunction(self.raw, name.as_ptr(), ty.0) })
    }

    /// The intrinsic that ends the program with an illegal instruction.
    pub(crate) fn trap(&self) -> Value {
        let known = self.functions().into_iter().find(|function| function.name() == "llvm.trap");
        known.unwrap_or_else(|| self.add_function("llvm.trap", self.builder().void.function(&[])))
    }

    pub(crate) fn add_alias(&self, name: &str, function: Value) -> Value {
        let (name, ty) = (c_text(name), function.function_type());
        Value(unsafe { LLVMAddAlias2(self.raw, ty.0, 0, function.0, name.as_ptr()) })
    }

    pub(crate) fn add_global(&self, name: &str, ty: Type) -> Value {
        let name = c_text(name);
        Value(unsafe { LLVMAddGlobal(self.raw, ty.0, name.as_ptr()) })
    }

    pub(crate) fn add_thread_local(&self, name: &str, ty: Type) -> Value {
        let global = self.add_global(name, ty);
        unsafe { LLVMSetThreadLocalMode(global.0, LLVMThreadLocalMode::LLVMInitialExecTLSModel) };
        global
    }

    pub(crate) fn constant_bytes(&self, bytes: &[u8]) -> Value {
        Value(unsafe { LLVMConstStringInContext2(self.context, bytes.as_ptr().cast(), bytes.len(), 1) })
    }

    /// Adds a private constant with these bytes. Returns its address.
    pub(crate) fn add_text(&self, bytes: &[u8]) -> Value {
        let text = self.constant_bytes(bytes);
        let global = self.add_global("tine.text", text.ty());
        global.set_initializer(text);
        global.set_constant();
        global.set_linkage(LLVMLinkage::LLVMPrivateLinkage);
        global
    }

    pub(crate) fn constant_struct(&self, values: &[Value]) -> Value {
        let mut values: Vec<_> = values.iter().map(|v| v.0).collect();
        Value(unsafe { LLVMConstStructInContext(self.context, values.as_mut_ptr(), values.len() as u32, 0) })
    }

    /// Makes `function` the first of the constructors.
    ///
    /// LLVM's C API cannot select `.init_array`, and lld ignores the `.ctors` that it writes by default. So all
    /// constructors and destructors are put into their sections here.
    pub(crate) fn add_constructor(&self, function: Value) {
        let mut entries = vec![self.entry_in(".init_array.00000", function)];
        for (list, section) in [(c"llvm.global_ctors", ".init_array"), (c"llvm.global_dtors", ".fini_array")] {
            for (priority, function) in self.take_structors(list) {
                let section = if priority == 65535 { section.to_owned() } else { format!("{section}.{priority:05}") };
                entries.push(self.entry_in(&section, function));
            }
        }
        self.keep(&entries);
    }

    /// A pointer to `function` in a section of such pointers.
    fn entry_in(&self, section: &str, function: Value) -> Value {
        let entry = self.add_global("tine.entry", self.builder().ptr);
        entry.set_initializer(function);
        entry.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        let section = c_text(section);
        unsafe { LLVMSetSection(entry.0, section.as_ptr()) };
        entry
    }

    /// Removes a list of constructors or destructors. Returns their priorities and functions.
    fn take_structors(&self, list: &std::ffi::CStr) -> Vec<(u64, Value)> {
        unsafe {
            let global = LLVMGetNamedGlobal(self.raw, list.as_ptr());
            if global.is_null() {
                return Vec::new();
            }
            let array = LLVMGetInitializer(global);
            let count = LLVMGetNumOperands(array).max(0) as u32;
            let entries = (0..count).map(|i| LLVMGetOperand(array, i));
            let pairs = entries.map(|entry| {
                let priority = LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0));
                (priority, Value(LLVMGetOperand(entry, 1)))
            });
            let pairs = pairs.collect();
            LLVMDeleteGlobal(global);
            pairs
        }
    }

    /// Keeps globals without references in the module.
    fn keep(&self, globals: &[Value]) {
        let name = c"llvm.compiler.used";
        unsafe {
            let mut used: Vec<LLVMValueRef> = globals.iter().map(|global| global.0).collect();
            let old = LLVMGetNamedGlobal(self.raw, name.as_ptr());
            if !old.is_null() {
                let list = LLVMGetInitializer(old);
                let count = LLVMGetNumOperands(list).max(0) as u32;
                used.extend((0..count).map(|i| LLVMGetOperand(list, i)));
                LLVMDeleteGlobal(old);
            }
            let array = LLVMConstArray2(self.builder().ptr.0, used.as_mut_ptr(), used.len() as u64);
            let global = LLVMAddGlobal(self.raw, LLVMTypeOf(array), name.as_ptr());
            LLVMSetInitializer(global, array);
            LLVMSetLinkage(global, LLVMLinkage::LLVMAppendingLinkage);
            LLVMSetSection(global, c"llvm.metadata".as_ptr());
        }
    }

    pub(crate) fn attribute_kind(name: &str) -> u32 {
        unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
    }

    pub(crate) fn add_function_attribute(&self, function: Value, name: &str) {
        unsafe {
            let attribute = LLVMCreateEnumAttribute(self.context, Module::attribute_kind(name), 0);
            LLVMAddAttributeAtIndex(function.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    pub(crate) fn add_text_attribute(&self, function: Value, name: &str) {
        unsafe {
            let attribute =
                LLVMCreateStringAttribute(self.context, name.as_ptr().cast(), name.len() as u32, c"".as_ptr(), 0);
            LLVMAddAttributeAtIndex(function.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// A separate scope in the debug information for `copy`, a copy of `function`: same name, same lines.
    pub(crate) fn copy_scope(&self, function: Value, copy: Value) -> Option<Scope> {
        unsafe {
            let old = LLVMGetSubprogram(function.0);
            if old.is_null() {
                return None;
            }
            let file = LLVMDIScopeGetFile(old);
            let builder = self.debug_builder(file);
            let ty = LLVMDIBuilderCreateSubroutineType(builder, file, std::ptr::null_mut(), 0, LLVMDIFlagZero);
            let (name, line) = (function.name(), LLVMDISubprogramGetLine(old));
            let text = name.as_ptr().cast();
            let scope = LLVMDIBuilderCreateFunction(
                builder,
                file,
                text,
                name.len(),
                text,
                0,
                file,
                line,
                ty,
                1,
                1,
                line,
                LLVMDIFlagZero,
                0,
            );
            LLVMSetSubprogram(copy.0, scope);
            Some(Scope(scope))
        }
    }

    /// Gives a copy the source position of its original, in `scope`.
    pub(crate) fn copy_location(&self, copy: Value, original: Value, scope: Scope) {
        unsafe {
            let location = original.debug_location();
            if location.is_null() {
                return;
            }
            let file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
            let mut scope = scope.0;
            if file != LLVMDIScopeGetFile(scope) {
                // Some lines of the function come from a file that it includes.
                scope = LLVMDIBuilderCreateLexicalBlockFile(self.debug_builder(file), scope, file, 0);
            }
            let (line, column) = (LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location));
            let location = LLVMDIBuilderCreateDebugLocation(self.context, line, column, scope, std::ptr::null_mut());
            LLVMInstructionSetDebugLoc(copy.0, location);
        }
    }

    /// The builder for a separate compile unit, for which only lines are written.
    unsafe fn debug_builder(&self, file: LLVMMetadataRef) -> LLVMDIBuilderRef {
        let mut builder = self.debug.get();
        if builder.is_null() {
            let (producer, nothing) = (b"tine", c"".as_ptr());
            unsafe {
                builder = LLVMCreateDIBuilder(self.raw);
                LLVMDIBuilderCreateCompileUnit(
                    builder,
                    LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageC99,
                    file,
                    producer.as_ptr().cast(),
                    producer.len(),
                    0,
                    nothing,
                    0,
                    0,
                    nothing,
                    0,
                    LLVMDWARFEmissionKind::LLVMDWARFEmissionKindLineTablesOnly,
                    0,
                    0,
                    0,
                    nothing,
                    0,
                    nothing,
                    0,
                );
            }
            self.debug.set(builder);
        }
        builder
    }

    /// Completes the additions of [`Module::copy_scope`].
    pub(crate) fn finish_debug(&self) {
        let builder = self.debug.replace(std::ptr::null_mut());
        if !builder.is_null() {
            unsafe {
                LLVMDIBuilderFinalize(builder);
                LLVMDisposeDIBuilder(builder);
            }
        }
    }

    pub(crate) fn has_flag(&self, key: &str) -> bool {
        unsafe { !LLVMGetModuleFlag(self.raw, key.as_ptr().cast(), key.len()).is_null() }
    }

    pub(crate) fn store_size(&self, ty: Type) -> u64 {
        ty.store_size(self.layout)
    }

    pub(crate) fn alloc_size(&self, ty: Type) -> u64 {
        ty.alloc_size(self.layout)
    }

    pub(crate) fn element_offset(&self, ty: Type, index: u32) -> u64 {
        ty.element_offset(self.layout, index)
    }

    pub(crate) fn run_passes(&self, passes: &str, target: Option<&Target>) -> Result<(), String> {
        let text = c_text(passes);
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            // Instrumented loops do not vectorise, so trying would only cost build time.
            LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
            LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
            let machine = target.map_or(std::ptr::null_mut(), |target| target.0);
            let error = LLVMRunPasses(self.raw, text.as_ptr(), machine, options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }

    pub(crate) fn write_bitcode(&self, path: &Path) -> Result<(), String> {
        let name = c_text(&path.to_string_lossy());
        if unsafe { LLVMWriteBitcodeToFile(self.raw, name.as_ptr()) } == 0 {
            Ok(())
        } else {
            Err(format!("cannot write {}", path.display()))
        }
    }

    pub(crate) fn emit(&self, target: &Target, path: &Path, assembly: bool) -> Result<(), String> {
        let name = c_text(&path.to_string_lossy());
        let kind = if assembly { LLVMCodeGenFileType::LLVMAssemblyFile } else { LLVMCodeGenFileType::LLVMObjectFile };
        let mut message = std::ptr::null_mut();
        let failed = unsafe { LLVMTargetMachineEmitToFile(target.0, self.raw, name.as_ptr(), kind, &mut message) != 0 };
        if failed { Err(owned_message(message)) } else { Ok(()) }
    }
}

/// The machine for which code is generated.
#[derive(Debug)]
pub(crate) struct Target(LLVMTargetMachineRef);

impl Drop for Target {
    fn drop(&mut self) {
        // SAFETY: created in `for_module`, disposed once.
        unsafe { LLVMDisposeTargetMachine(self.0) }
    }
}

impl Target {
    pub(crate) fn for_module(module: &Module, fast_codegen: bool) -> Result<Target, String> {
        // SAFETY: the target is initialised before it is looked up; all strings are alive during the calls.
        unsafe {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
            LLVMInitializeX86AsmParser();
            let triple = c_text(&module.triple());
            let mut target = std::ptr::null_mut();
            let mut message = std::ptr::null_mut();
            if LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut message) != 0 {
                return Err(owned_message(message));
            }
            let level = if fast_codegen {
                LLVMCodeGenOptLevel::LLVMCodeGenLevelNone
            } else {
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault
            };
            let reloc =
                if module.has_flag("PIC Level") { LLVMRelocMode::LLVMRelocPIC } else { LLVMRelocMode::LLVMRelocStatic };
            let machine = LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                c"x86-64".as_ptr(),
                c"".as_ptr(),
                level,
                reloc,
                LLVMCodeModel::LLVMCodeModelDefault,
            );
            Ok(Target(machine))
        }
    }
}
