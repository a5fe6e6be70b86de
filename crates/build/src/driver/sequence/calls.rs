//! The grammar of `--calls`.

use super::Mistake;

/// Multiplicity of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    Any,
    Once,
}

/// The calls, and their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calls {
    /// Calls that are made once, in this order.
    first: Vec<String>,
    /// Calls that follow in any order.
    rest: Vec<(String, Times)>,
    /// Maximum length of the whole sequence.
    max: u32,
}

impl Calls {
    /// Parses the value of `--calls`, with at most `max` calls per sequence.
    pub fn parse(text: &str, max: u32) -> Result<Calls, Mistake> {
        let wrong = |what: String| Mistake::Grammar { calls: text.to_owned(), what };
        let mut calls = Calls { first: Vec::new(), rest: Vec::new(), max };
        for item in text.split(',').map(str::trim) {
            let (name, times) = match item.chars().last() {
                Some('*') => (&item[..item.len() - 1], Some(Times::Any)),
                Some('?') => (&item[..item.len() - 1], Some(Times::Once)),
                _ => (item, None),
            };
            if !is_name(name) {
                return Err(wrong(format!("`{item}` is not a function name")));
            }
            // A call that comes first may come again.
            let mut rest = calls.rest.iter().map(|(known, _)| known);
            if rest.any(|known| known == name) || times.is_none() && calls.names().any(|known| known == name) {
                return Err(wrong(format!("`{name}` is there twice")));
            }
            match (times, calls.rest.first()) {
                (Some(_), _) if calls.first.is_empty() => {
                    return Err(wrong(format!("it begins with `{item}`, and not with what makes the object")));
                }
                (None, Some((other, _))) => {
                    return Err(wrong(format!("`{name}` has to come before `{other}`, which may come any time")));
                }
                (Some(times), _) => calls.rest.push((name.to_owned(), times)),
                (None, None) => calls.first.push(name.to_owned()),
            }
        }
        if (max as usize) < calls.first.len() {
            return Err(Mistake::TooFew { max, needed: calls.first.len() });
        }
        Ok(calls)
    }

    /// Names of all calls, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let rest = self.rest.iter().map(|(name, _)| name).filter(|name| !self.first.contains(name));
        self.first.iter().chain(rest).map(String::as_str)
    }

    pub(super) fn constructor(&self) -> &str {
        &self.first[0]
    }

    pub(super) fn first(&self) -> impl Iterator<Item = &str> {
        self.first.iter().map(String::as_str)
    }

    pub(super) fn rest(&self) -> impl Iterator<Item = (&str, Times)> {
        self.rest.iter().map(|(name, times)| (name.as_str(), *times))
    }

    pub(super) fn max(&self) -> u32 {
        self.max
    }
}

fn is_name(text: &str) -> bool {
    let letter = |character: char| character.is_ascii_alphabetic() || character == '_';
    text.starts_with(letter) && text.chars().all(|character| letter(character) || character.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_come_first() {
        let calls = Calls::parse("init, reserve,add*,find?", 5).expect("it is right");
        assert_eq!(calls.first().collect::<Vec<_>>(), ["init", "reserve"]);
        assert_eq!(calls.rest().collect::<Vec<_>>(), [("add", Times::Any), ("find", Times::Once)]);
        let again = Calls::parse("init,add*,init*", 5).expect("it is right");
        assert_eq!(again.names().collect::<Vec<_>>(), ["init", "add"]);
        assert_eq!(again.rest().count(), 2);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("", "`` is not a function name"),
            ("init,,add*", "`` is not a function name"),
            ("init,add+", "`add+` is not a function name"),
            ("init,add**", "`add**` is not a function name"),
            ("init,add*,add?", "`add` is there twice"),
            ("init,init", "`init` is there twice"),
            ("add*,init", "begins with `add*`"),
            ("init,add*,fini", "`fini` has to come before `add`"),
            ("init,1st*", "`1st*` is not a function name"),
        ] {
            let mistake = Calls::parse(text, 5).expect_err(text).to_string();
            assert!(mistake.contains(part), "{text:?} gives {mistake:?}");
        }
        assert_eq!(Calls::parse("a,b,c", 2), Err(Mistake::TooFew { max: 2, needed: 3 }));
    }
}
