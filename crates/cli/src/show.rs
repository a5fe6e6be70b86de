//! `tine show`: the input of a case, as text or as a picture.

use crate::explore::print_text;
use crate::failure::{EXIT_FINE, Failure};
use crate::options::ShowOptions;
use crate::replay::open;

pub(crate) fn show(options: &ShowOptions) -> Result<u8, Failure> {
    let (_, case) = open(&options.session, options.case)?;
    let text = if options.svg {
        case.input.map.to_svg()
    } else if options.dot {
        case.input.map.to_dot()
    } else if options.json {
        serde_json::to_string(&case.input).map_err(|why| Failure::bug(why.to_string()))?
    } else {
        case.input.lines().join("\n")
    };
    print_text(&(text.trim_end().to_owned() + "\n"))?;
    Ok(EXIT_FINE)
}
