//! From code addresses to places in the source, by debug information.

use std::path::Path;

use tine_explore::Place;

/// Debug information of one program.
pub struct Places {
    loader: Option<addr2line::Loader>,
}

impl std::fmt::Debug for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Places").field("loaded", &self.loader.is_some()).finish()
    }
}

impl Places {
    /// A program without debug information has no places, but it runs.
    pub fn of(program: &Path) -> Places {
        Places { loader: addr2line::Loader::new(program).ok() }
    }

    /// The innermost frame that lies in source code we can name. The first frame is where execution stood,
    /// the others are return addresses, which belong to the call before them.
    pub fn first(&self, frames: &[u64]) -> Option<Place> {
        frames.iter().enumerate().find_map(|(k, address)| self.find(if k == 0 { *address } else { address - 1 }))
    }

    fn find(&self, address: u64) -> Option<Place> {
        let loader = self.loader.as_ref()?;
        let mut frames = loader.find_frames(address).ok()?;
        // Of several functions inlined here, the innermost that says where it is.
        while let Ok(Some(frame)) = frames.next() {
            let Some(location) = frame.location else { continue };
            let (Some(file), Some(line)) = (location.file, location.line) else { continue };
            if line == 0 {
                continue;
            }
            let function = frame.function.and_then(|name| name.raw_name().ok().map(|name| name.into_owned()));
            return Some(Place {
                file: file.into(),
                line,
                column: location.column.unwrap_or(0),
                function: function.unwrap_or_default().into(),
            });
        }
        None
    }
}
