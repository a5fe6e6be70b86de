//! The code of a Rust file: its lines without comments, doc comments and items under `#[cfg(test)]`.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item};

/// Returns as many lines as the file has. All text that is not code becomes blank.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let mut code = Code::of(text);
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
    code.keep(tokens);
    let mut tests = Tests::default();
    tests.visit_file(&syn::parse_file(text).unwrap_or_else(|error| panic!("{error}: {text}")));
    for line in tests.lines.into_iter().flatten() {
        code.kept[line - 1].fill(' ');
    }
    code.kept.into_iter().map(|line| line.into_iter().collect()).collect()
}

/// Characters by line and column.
struct Code {
    source: Vec<Vec<char>>,
    kept: Vec<Vec<char>>,
}

impl Code {
    fn of(text: &str) -> Code {
        let source: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let kept = source.iter().map(|line| vec![' '; line.len()]).collect();
        Code { source, kept }
    }

    fn keep(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            // The parser treats `///` and `//!` as attributes: `#[doc = "…"]`, or `#` `!` `[doc = "…"]`.
            let starts_attribute = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '#');
            let mark =
                tokens.next_if(|next| starts_attribute && matches!(next, TokenTree::Punct(p) if p.as_char() == '!'));
            if starts_attribute && tokens.next_if(is_doc).is_some() {
                continue;
            }
            for token in [Some(token), mark].into_iter().flatten() {
                match token {
                    TokenTree::Group(group) => self.keep_group(&group),
                    other => self.copy(other.span()),
                }
            }
        }
    }

    fn keep_group(&mut self, group: &Group) {
        if group.delimiter() != Delimiter::None {
            self.copy(group.span_open());
            self.copy(group.span_close());
        }
        self.keep(group.stream());
    }

    fn copy(&mut self, span: Span) {
        let (start, end) = (span.start(), span.end());
        for line in start.line..=end.line {
            let source = &self.source[line - 1];
            let from = if line == start.line { start.column } else { 0 };
            let to = if line == end.line { end.column } else { source.len() };
            self.kept[line - 1][from..to].copy_from_slice(&source[from..to]);
        }
    }
}

fn is_doc(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(name)) if name == "doc")
}

/// The lines of items that exist only in tests.
#[derive(Default)]
struct Tests {
    lines: Vec<RangeInclusive<usize>>,
}

impl Tests {
    /// True if the item is code.
    fn is_code(&mut self, attributes: &[Attribute], span: Span) -> bool {
        let is_test = is_for_tests(attributes);
        if is_test {
            self.lines.push(span.start().line..=span.end().line);
        }
        !is_test
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Tests {
    fn visit_item(&mut self, item: &'ast Item) {
        if self.is_code(attributes(item), item.span()) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if self.is_code(&function.attrs, function.span()) {
            visit::visit_impl_item_fn(self, function);
        }
    }
}

#[test]
fn comments_and_tests_are_not_code() {
    let text = "//! Doc.\nuse a; // b\n/// Doc.\n#[cfg(test)]\nmod tests {\n    use c;\n}\nfn d() { \"e // f\"; }\n";
    assert_eq!(
        lines(text).iter().map(|line| line.trim()).collect::<Vec<_>>(),
        ["", "use a;", "", "", "", "", "", "fn d() { \"e // f\"; }"]
    );
}

/// Public items and functions without a doc comment, with their lines.
pub(crate) fn undocumented(text: &str) -> Vec<String> {
    let mut items = Undocumented::default();
    items.visit_file(&syn::parse_file(text).unwrap_or_else(|error| panic!("{error}: {text}")));
    items.found
}

#[derive(Default)]
struct Undocumented {
    found: Vec<String>,
}

impl Undocumented {
    fn look(&mut self, visibility: &syn::Visibility, attributes: &[Attribute], name: &syn::Ident) {
        let has_doc = attributes.iter().any(|attribute| attribute.path().is_ident("doc"));
        if matches!(visibility, syn::Visibility::Public(_)) && !has_doc {
            self.found.push(format!("{}: {name}", name.span().start().line));
        }
    }
}

impl<'a> Visit<'a> for Undocumented {
    fn visit_item(&mut self, item: &'a Item) {
        if is_for_tests(attributes(item)) {
            return;
        }
        match item {
            Item::Const(item) => self.look(&item.vis, &item.attrs, &item.ident),
            Item::Enum(item) => self.look(&item.vis, &item.attrs, &item.ident),
            Item::Fn(item) => self.look(&item.vis, &item.attrs, &item.sig.ident),
            Item::Static(item) => self.look(&item.vis, &item.attrs, &item.ident),
            Item::Struct(item) => self.look(&item.vis, &item.attrs, &item.ident),
            Item::Trait(item) => self.look(&item.vis, &item.attrs, &item.ident),
            Item::Type(item) => self.look(&item.vis, &item.attrs, &item.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'a ImplItem) {
        match item {
            ImplItem::Const(item) => self.look(&item.vis, &item.attrs, &item.ident),
            ImplItem::Fn(item) if !is_for_tests(&item.attrs) => self.look(&item.vis, &item.attrs, &item.sig.ident),
            _ => {}
        }
    }
}
