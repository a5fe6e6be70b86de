//! What a program reads and tine may choose: arguments, standard input, files, variables, the time.
//!
//! Options become the text that `models/interfaces/start.c` reads, a line for each.

use clap::Args;

use crate::failing::FailingOptions;

/// Characters or bytes that one of them can have.
const MAX_LEN: u32 = 65536;
/// Arguments at most.
const MAX_ARGUMENTS: u32 = 16;
/// Files at most, standard input among them: what the file layer (`models/posix/files.h`) has room for.
const MAX_FILES: usize = 16;

#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Environment of the program")]
pub(crate) struct SurroundingOptions {
    /// Add up to N symbolic arguments of up to LEN characters each.
    #[arg(long, value_name = "N,LEN", value_parser = parse_arguments)]
    pub(crate) sym_argv: Option<(u32, u32)>,
    /// Make standard input symbolic, with up to LEN bytes.
    #[arg(long, value_name = "LEN", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_LEN)))]
    pub(crate) sym_stdin: Option<u32>,
    /// Make the file that the program opens as NAME symbolic, with up to LEN bytes.
    #[arg(long, value_name = "NAME,LEN", value_parser = Named::parse)]
    pub(crate) sym_file: Vec<Named>,
    /// Make the environment variable NAME symbolic: unset, or up to LEN characters.
    #[arg(long, value_name = "NAME,LEN", value_parser = Named::parse_variable)]
    pub(crate) sym_env: Vec<Named>,
    /// Make the results of `time`, `clock_gettime` and similar functions symbolic.
    #[arg(long)]
    pub(crate) sym_time: bool,
    /// Make the results of `rand`, `random` and similar functions symbolic.
    #[arg(long)]
    pub(crate) sym_random: bool,
    #[command(flatten)]
    pub(crate) failing: FailingOptions,
}

/// `NAME,LEN`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    name: String,
    len: u32,
}

impl Named {
    fn parse(text: &str) -> Result<Named, String> {
        let (name, len) = text.rsplit_once(',').ok_or("expected a name and a maximum length: NAME,LEN")?;
        if name.is_empty() || name.contains('\n') {
            return Err(format!("invalid name {name:?}"));
        }
        // As the program is likely to name it.
        let name = name.strip_prefix("./").unwrap_or(name);
        Ok(Named { name: name.to_owned(), len: parse_len(len)? })
    }

    fn parse_variable(text: &str) -> Result<Named, String> {
        let variable = Named::parse(text)?;
        if variable.name.contains('=') {
            return Err(format!("invalid variable name `{}`", variable.name));
        }
        Ok(variable)
    }
}

fn parse_len(text: &str) -> Result<u32, String> {
    match text.trim().parse() {
        Ok(len) if (1..=MAX_LEN).contains(&len) => Ok(len),
        _ => Err(format!("invalid length `{text}` (expected a number from 1 to {MAX_LEN})")),
    }
}

fn parse_arguments(text: &str) -> Result<(u32, u32), String> {
    let (count, len) = text.split_once(',').ok_or("expected a number of arguments and a maximum length: N,LEN")?;
    match count.trim().parse() {
        Ok(count) if (1..=MAX_ARGUMENTS).contains(&count) => Ok((count, parse_len(len)?)),
        _ => Err(format!("invalid number of arguments `{count}` (expected a number from 1 to {MAX_ARGUMENTS})")),
    }
}

impl SurroundingOptions {
    /// The most bytes of what others call the input, which is a file.
    pub(crate) fn capacity(&self) -> Option<u32> {
        self.sym_stdin.or(self.sym_file.first().map(|file| file.len))
    }

    /// What the program is told; nothing if nothing is an input. Files come first and arguments last.
    pub(crate) fn text(&self) -> Result<Option<String>, String> {
        if self.sym_file.len() + usize::from(self.sym_stdin.is_some()) > MAX_FILES {
            return Err(format!("at most {MAX_FILES} files can be inputs, standard input among them"));
        }
        let stdin = self.sym_stdin.map(|len| format!("stdin {len}\n"));
        let files = self.sym_file.iter().map(|file| format!("file {} {}\n", file.len, file.name));
        let variables = self.sym_env.iter().map(|variable| format!("env {} {}\n", variable.len, variable.name));
        let time = self.sym_time.then(|| "time\n".to_owned());
        let random = self.sym_random.then(|| "random\n".to_owned());
        let arguments = self.sym_argv.map(|(count, len)| format!("argv {count} {len}\n"));
        let fail = self.failing.line();
        let lines =
            stdin.into_iter().chain(files).chain(variables).chain(time).chain(random).chain(fail).chain(arguments);
        let text: String = lines.collect();
        Ok((!text.is_empty()).then_some(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_lengths() {
        assert_eq!(Named::parse("./a,b,3"), Ok(Named { name: "a,b".into(), len: 3 }));
        for wrong in ["a", ",3", "a,", "a,0", "a,x", "a,65537", "a\nstdin 3,4"] {
            assert!(Named::parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(Named::parse_variable("A=B,3").is_err());
        assert_eq!(parse_arguments("2,8"), Ok((2, 8)));
        for wrong in ["2", "0,8", "17,8", "2,0", "a,b"] {
            assert!(parse_arguments(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn files_come_first() {
        let options = SurroundingOptions {
            sym_argv: Some((2, 8)),
            sym_stdin: Some(16),
            sym_file: vec![Named { name: "a file".into(), len: 3 }],
            sym_env: vec![Named { name: "HOME".into(), len: 4 }],
            sym_time: true,
            sym_random: false,
            failing: FailingOptions::default(),
        };
        let text = "stdin 16\nfile 3 a file\nenv 4 HOME\ntime\nargv 2 8\n";
        assert_eq!(options.text(), Ok(Some(text.to_owned())));
        assert_eq!(SurroundingOptions::default().text(), Ok(None));
    }
}
