//! Elements of XML files. Characters that XML cannot represent become escapes.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::printable::{printable, printable_lines};

/// An XML file under construction.
pub(crate) struct Xml {
    writer: Writer<Vec<u8>>,
}

impl Xml {
    pub(crate) fn new() -> Xml {
        let mut xml = Xml { writer: Writer::new_with_indent(Vec::new(), b' ', 2) };
        xml.write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
        xml
    }

    /// Adds an element with the contents that `inside` writes.
    pub(crate) fn element(&mut self, name: &str, attributes: &[(&str, String)], inside: impl FnOnce(&mut Xml)) {
        self.write(Event::Start(start(name, attributes)));
        inside(self);
        self.write(Event::End(BytesEnd::new(name)));
    }

    pub(crate) fn empty(&mut self, name: &str, attributes: &[(&str, String)]) {
        self.write(Event::Empty(start(name, attributes)));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.write(Event::Text(BytesText::new(&printable_lines(text))));
    }

    /// The file as text.
    pub(crate) fn finish(self) -> String {
        String::from_utf8(self.writer.into_inner()).expect("it was written from strings") + "\n"
    }

    fn write(&mut self, event: Event<'_>) {
        self.writer.write_event(event).expect("a vector takes everything");
    }
}

fn start<'a>(name: &'a str, attributes: &[(&str, String)]) -> BytesStart<'a> {
    let mut start = BytesStart::new(name);
    for (key, value) in attributes {
        start.push_attribute((*key, &*printable(value)));
    }
    start
}
