//! What is said if Banneret itself is broken: never a backtrace for a designer, and always exit code 2.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Mutex;

use crate::trouble::Trouble;

/// Where it broke, as the hook saw it.
static WHERE: Mutex<String> = Mutex::new(String::new());

pub fn caught<T>(work: impl FnOnce() -> Result<T, Trouble>) -> Result<T, Trouble> {
    // Whoever mends Banneret asks for the whole story.
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        set_hook(Box::new(|info| {
            if let (Ok(mut place), Some(at)) = (WHERE.lock(), info.location()) {
                *place = format!(" ({}:{})", at.file(), at.line());
            }
        }));
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let words = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("it gave no reason");
        let place = WHERE.lock().map(|place| place.clone()).unwrap_or_default();
        Err(Trouble::new(format!("Banneret itself has failed: {words}{place}"))
            .help("This is not your mistake. Please report it, with the files it happened on."))
    })
}
