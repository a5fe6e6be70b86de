//! `--watch` in a terminal of tmux, and `tine lsp` in Neovim.

use std::process::Command;

use crate::support::{Bench, MANY_PATHS, TWO_ERRORS, wait_for};

fn has(program: &str) -> bool {
    let found = Command::new(program).arg(if program == "tmux" { "-V" } else { "--version" }).output().is_ok();
    if !found {
        eprintln!("{program} is not installed: this test is left out (`scripts/setup.sh test` installs it)");
    }
    found
}

/// A tmux server of its own.
struct Tmux {
    socket: String,
}

impl Tmux {
    fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux").args(["-L", &self.socket]).args(arguments).output().expect("tmux runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn the_screen_follows_the_terminal_and_leaves_it_clean() {
    if !has("tmux") {
        return;
    }
    let bench = Bench::new(&[("unit.c", MANY_PATHS)]);
    let tmux = Tmux { socket: format!("tine-{}", std::process::id()) };
    let command = format!(
        "cd {} && {} test unit.c --fn f --jobs 1 --max-time 100s --watch; sleep 100",
        bench.path(".").display(),
        env!("CARGO_BIN_EXE_tine")
    );
    tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", "40", "-y", "10", &command]);
    wait_for("the screen", || tmux.screen().contains("sides") && tmux.screen().contains("0 errors"));
    assert!(tmux.screen().lines().all(|line| line.chars().count() <= 40));
    tmux.run(&["resize-window", "-x", "100", "-y", "30"]);
    wait_for("the larger screen", || {
        tmux.screen().contains("branch sides covered") && tmux.screen().contains("given up")
    });
    tmux.run(&["send-keys", "C-c"]);
    wait_for("the summary on the usual screen", || tmux.screen().contains("verdict: incomplete"));
    assert!(!tmux.screen().contains("runs/s"), "{}", tmux.screen());
}

#[test]
fn editors_get_diagnostics() {
    if !has("nvim") {
        return;
    }
    let bench = Bench::new(&[("unit.c", TWO_ERRORS)]);
    assert_eq!(bench.tine("test unit.c --fn f --jobs 1 --quiet --out session").code, Some(1));
    let script = format!(
        "vim.cmd('edit unit.c')
        local client = vim.lsp.start_client({{ name = 'tine', cmd = {{ '{}', 'lsp', 'session' }}, root_dir = vim.fn.getcwd() }})
        vim.lsp.buf_attach_client(0, client)
        vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 100)
        for _, d in ipairs(vim.diagnostic.get(0)) do
            io.stdout:write(d.lnum + 1 .. ' ' .. d.severity .. ' ' .. d.message:gsub('\\n', ' ') .. '\\n')
        end
        vim.cmd('qa!')",
        env!("CARGO_BIN_EXE_tine")
    );
    bench.write("try.lua", &script);
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-n", "-c", "luafile try.lua"])
        .current_dir(bench.path("."))
        .env("HOME", bench.home())
        .output()
        .expect("nvim runs");
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("4 1 abort"), "{said}");
}
