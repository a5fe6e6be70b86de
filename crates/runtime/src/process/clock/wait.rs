//! System calls that wait: for time to pass, for a signal, for a descriptor to be ready, for a word of memory to change.
//!
//! ```text
//!   try without waiting ─▶ an event is there: done
//!     └▶ some other thread computes: really wait, for a millisecond ─▶ try again
//!     └▶ all threads wait: jump to the earliest of this call's end, the next timer, another thread's end
//!          └▶ there is none of them: the program can never continue
//! ```

use tine_trace::event::Site;
use tine_trace::outcome::{ErrorKind, Outcome, OutcomeKind};

use super::threads::{Deadline, Others, others};
use super::{
    CLOCK_MONOTONIC, CLOCK_REALTIME, NANOSECONDS, TIMED_OUT, Time, is_virtual, is_wall_clock, jump, now, timers,
};
use crate::process::signals::{self, Context};
use crate::process::trap::{OURS, mask_is_changed, read_bytes, read_word, write_bytes};
use crate::process::{frames, state, worker};
use crate::sys::{self, Errno};

pub(super) mod call {
    pub(crate) const POLL: usize = 7;
    pub(crate) const SELECT: usize = 23;
    pub(crate) const PAUSE: usize = 34;
    pub(crate) const NANOSLEEP: usize = 35;
    pub(crate) const RT_SIGTIMEDWAIT: usize = 128;
    pub(crate) const RT_SIGSUSPEND: usize = 130;
    pub(crate) const FUTEX: usize = 202;
    pub(crate) const CLOCK_NANOSLEEP: usize = 230;
    pub(crate) const EPOLL_WAIT: usize = 232;
    pub(crate) const PSELECT6: usize = 270;
    pub(crate) const PPOLL: usize = 271;
    pub(crate) const EPOLL_PWAIT: usize = 281;
    pub(crate) const EPOLL_PWAIT2: usize = 441;
}
use call::*;

const MILLISECOND: u64 = NANOSECONDS / 1000;
/// Number of consecutive checks that find all threads waiting before the clock jumps. One thread may be about to wake
/// another.
const LOOKS: u32 = 3;
/// The same number before the program counts as blocked forever.
const LAST_LOOKS: u32 = 100;

/// Size of the kernel's signal masks.
const MASK_LEN: usize = size_of::<u64>();

/// A call that may wait.
struct Waiting<'a> {
    arguments: [usize; 6],
    /// Signals that stay blocked meanwhile.
    mask: u64,
    context: &'a Context,
}

/// End of a wait: never, or at a moment of virtual time by the monotonic clock.
type End = Option<u64>;

/// Performs the call as the kernel would, in virtual time.
pub(in crate::process) fn wait(number: usize, arguments: [usize; 6], context: &Context) -> sys::Result<usize> {
    let mut waiting = Waiting { arguments, mask: context.mask, context };
    let [first, second, third, fourth, fifth, sixth] = arguments;
    match number {
        PAUSE => waiting.sleep(None),
        RT_SIGSUSPEND => {
            waiting.set_mask(first)?;
            waiting.sleep(None)
        }
        NANOSLEEP => waiting.nanosleep(first, second, CLOCK_MONOTONIC, false),
        CLOCK_NANOSLEEP if is_wall_clock(first) => waiting.nanosleep(third, fourth, first, second & 1 != 0),
        POLL => {
            let end = (third as i32 >= 0).then(|| after(u64::from(third as u32) * MILLISECOND));
            waiting.poll(end)
        }
        PPOLL => {
            waiting.set_mask(fourth)?;
            let end = relative(third)?;
            let result = waiting.poll(end);
            write_rest(third, end, 1)?;
            result
        }
        SELECT => waiting.select(1000),
        PSELECT6 => {
            if sixth != 0 {
                waiting.set_mask(read_word(sixth as u64)? as usize)?;
            }
            waiting.select(1)
        }
        EPOLL_WAIT | EPOLL_PWAIT => {
            if number == EPOLL_PWAIT {
                waiting.set_mask(fifth)?;
            }
            let end = (fourth as i32 >= 0).then(|| after(u64::from(fourth as u32) * MILLISECOND));
            waiting.epoll(end)
        }
        EPOLL_PWAIT2 => {
            waiting.set_mask(fifth)?;
            waiting.epoll(relative(fourth)?)
        }
        RT_SIGTIMEDWAIT => waiting.signal(relative(third)?),
        FUTEX => waiting.futex(),
        // A wait by a CPU clock.
        // SAFETY: the unit's own call with the unit's own arguments.
        _ => unsafe { sys::call(number, arguments) },
    }
}

fn after(nanoseconds: u64) -> u64 {
    now(CLOCK_MONOTONIC).saturating_add(nanoseconds)
}

/// End of a wait whose length is at this address; never for a null pointer.
fn relative(at: usize) -> sys::Result<End> {
    if at == 0 {
        return Ok(None);
    }
    Ok(Some(after(Time::read(at)?.total().ok_or(Errno::EINVAL)?)))
}

/// Writes the remaining time of a wait, in units of this many nanoseconds.
fn write_rest(to: usize, end: End, unit: u64) -> sys::Result<()> {
    let (Some(end), false) = (end, to == 0) else { return Ok(()) };
    let mut rest = Time::of(end.saturating_sub(now(CLOCK_MONOTONIC)));
    rest.nanoseconds /= unit as i64;
    rest.write(to)
}

impl Waiting<'_> {
    /// Takes the mask at this address, if there is one.
    fn set_mask(&mut self, at: usize) -> sys::Result<()> {
        if at != 0 {
            self.mask = read_word(at as u64)? & !OURS;
        }
        Ok(())
    }

    /// Repeats `attempt` until it has a result, with `TIMED_OUT` at the end. An attempt receives the time for which it
    /// may really wait.
    fn until(&self, end: End, mut attempt: impl FnMut(Time) -> sys::Result<Option<usize>>) -> sys::Result<usize> {
        let deadline = Deadline::announce(end.unwrap_or(u64::MAX));
        let (mut real, mut idle) = (0, 0);
        loop {
            if let Some(result) = attempt(Time::of(real))? {
                return Ok(result);
            }
            let rest = end.map(|end| end.saturating_sub(now(CLOCK_MONOTONIC)));
            if rest == Some(0) {
                return Err(TIMED_OUT);
            }
            let others = if is_virtual() { others() } else { Others::Busy };
            idle = if others == Others::Busy { 0 } else { idle + 1 };
            let timer = timers::next();
            real = MILLISECOND.min(rest.unwrap_or(MILLISECOND));
            let is_certain = idle >= LOOKS || others == Others::None;
            match rest.into_iter().chain(timer).min() {
                Some(time) if is_certain && deadline.is_first(end.unwrap_or(u64::MAX)) => {
                    jump(time);
                    timers::advance(time);
                    // Gives a signal time to arrive.
                    real = if timer == Some(time) { MILLISECOND } else { 0 };
                }
                None if idle >= LAST_LOOKS && deadline.is_first(u64::MAX) => self.is_blocked(),
                _ => {}
            }
        }
    }

    /// Ends the run because nothing can wake the program.
    fn is_blocked(&self) {
        if state::running() && worker::is_worker() {
            let mut outcome = Outcome {
                kind: OutcomeKind::Failed as u32,
                code: ErrorKind::Blocked as u32,
                site: Site::NONE.0,
                ..Outcome::default()
            };
            frames::fill(&mut outcome, &self.context.registers());
            mask_is_changed();
            worker::stop(outcome);
        }
    }

    /// Waits for a signal or the end of the time.
    fn sleep(&self, end: End) -> sys::Result<usize> {
        self.until(end, |time| self.poll_once(0, 0, time))
    }

    fn nanosleep(&self, time: usize, rest: usize, clock: usize, is_absolute: bool) -> sys::Result<usize> {
        let time = Time::read(time)?.total().ok_or(Errno::EINVAL)?;
        let time = if is_absolute { time.saturating_sub(now(clock)) } else { time };
        let end = Some(after(time));
        match self.sleep(end) {
            Err(TIMED_OUT) => Ok(0),
            Err(Errno::EINTR) if !is_absolute => {
                write_rest(rest, end, 1)?;
                Err(Errno::EINTR)
            }
            other => other,
        }
    }

    fn poll(&self, end: End) -> sys::Result<usize> {
        let [descriptors, n, ..] = self.arguments;
        or_none(self.until(end, |time| self.poll_once(descriptors, n, time)))
    }

    fn poll_once(&self, descriptors: usize, n: usize, mut time: Time) -> sys::Result<Option<usize>> {
        let arguments = [descriptors, n, &raw mut time as usize, &raw const self.mask as usize, MASK_LEN, 0];
        // SAFETY: the unit's own descriptors; the rest lives for the call.
        unsafe { sys::call(PPOLL, arguments) }.map(|ready| Some(ready).filter(|ready| *ready != 0))
    }

    /// `select` and `pselect6`; the time of `select` has a fraction in units of `unit` nanoseconds. The kernel
    /// overwrites the sets.
    fn select(&self, unit: u64) -> sys::Result<usize> {
        const LEN: usize = 128;
        let [n, first, second, third, time, ..] = self.arguments;
        let end = if time == 0 {
            None
        } else {
            let Time { seconds, nanoseconds } = Time::read(time)?;
            let nanoseconds = nanoseconds.checked_mul(unit as i64).ok_or(Errno::EINVAL)?;
            // `select` accepts more microseconds than a second has.
            let whole = Time {
                seconds: seconds.saturating_add(nanoseconds / NANOSECONDS as i64),
                nanoseconds: nanoseconds % NANOSECONDS as i64,
            };
            let valid = if unit == 1 { Time { seconds, nanoseconds } } else { whole };
            Some(after(valid.total().ok_or(Errno::EINVAL)?))
        };
        // Number of words of the sets that the kernel reads.
        let len = (n as i32).max(0) as usize;
        let len = len.div_ceil(64) * 8;
        if n as i32 >= 0 && len > LEN {
            return Err(Errno::EINVAL);
        }
        let places = [first, second, third];
        let mut sets = [[0; LEN]; 3];
        for (set, place) in sets.iter_mut().zip(places) {
            if place != 0 {
                read_bytes(place as u64, &mut set[..len])?;
            }
        }
        let before = sets;
        let result = or_none(self.until(end, |mut time| {
            sets = before;
            let pointers = [0, 1, 2].map(|i| if places[i] == 0 { 0 } else { sets[i].as_mut_ptr() as usize });
            let mask = [&raw const self.mask as usize, MASK_LEN];
            let arguments = [n, pointers[0], pointers[1], pointers[2], &raw mut time as usize, mask.as_ptr() as usize];
            // SAFETY: all of it lives for the call.
            unsafe { sys::call(PSELECT6, arguments) }.map(|ready| Some(ready).filter(|ready| *ready != 0))
        }));
        if result.is_ok() {
            for (set, place) in sets.iter().zip(places) {
                if place != 0 {
                    write_bytes(place as u64, &set[..len])?;
                }
            }
        }
        write_rest(time, end, unit)?;
        result
    }

    fn epoll(&self, end: End) -> sys::Result<usize> {
        let [descriptor, events, n, ..] = self.arguments;
        or_none(self.until(end, |time| {
            let milliseconds = time.total().unwrap_or(0).div_ceil(MILLISECOND) as usize;
            let arguments = [descriptor, events, n, milliseconds, &raw const self.mask as usize, MASK_LEN];
            // SAFETY: the unit's own arguments; the mask lives for the call.
            unsafe { sys::call(EPOLL_PWAIT, arguments) }.map(|ready| Some(ready).filter(|ready| *ready != 0))
        }))
    }

    fn signal(&self, end: End) -> sys::Result<usize> {
        const EAGAIN: Errno = Errno(11);
        let [set, info, _, len, ..] = self.arguments;
        let result = self.until(end, |time| {
            // SAFETY: the unit's own arguments; the time lives for the call.
            let call = || unsafe { sys::call(RT_SIGTIMEDWAIT, [set, info, &raw const time as usize, len, 0, 0]) };
            match self.unmasked(call) {
                Err(EAGAIN) => Ok(None),
                other => other.map(Some),
            }
        });
        result.map_err(|why| if why == TIMED_OUT { EAGAIN } else { why })
    }

    /// A wait for a word of memory, with a time limit (`FUTEX_WAIT`, `FUTEX_WAIT_BITSET`).
    fn futex(&self) -> sys::Result<usize> {
        const COMMAND: usize = 0x7f;
        const WAIT: usize = 0;
        const REALTIME: usize = 256;
        let [word, operation, value, time, second, bits] = self.arguments;
        let clock = if operation & REALTIME != 0 { CLOCK_REALTIME } else { CLOCK_MONOTONIC };
        let is_relative = operation & COMMAND == WAIT;
        let limit = Time::read(time)?.total().ok_or(Errno::EINVAL)?;
        let end = Some(after(if is_relative { limit } else { limit.saturating_sub(now(clock)) }));
        self.until(end, |time| {
            let time = if is_relative { time } else { Time::of(real(clock) + time.total().unwrap_or(0)) };
            let arguments = [word, operation, value, &raw const time as usize, second, bits];
            // SAFETY: the unit's own arguments; the time lives for the call.
            match self.unmasked(|| unsafe { sys::call(FUTEX, arguments) }) {
                Err(TIMED_OUT) => Ok(None),
                other => other.map(Some),
            }
        })
    }

    /// Runs calls that take no mask: signals may arrive meanwhile.
    fn unmasked(&self, call: impl FnOnce() -> sys::Result<usize>) -> sys::Result<usize> {
        signals::set_mask(self.mask);
        let result = call();
        signals::set_mask(!0);
        result
    }
}

/// Real time by a clock.
fn real(clock: usize) -> u64 {
    now(clock).saturating_sub(super::ahead())
}

/// Converts a result for calls that return a number of descriptors: they return 0 when their time is over.
fn or_none(result: sys::Result<usize>) -> sys::Result<usize> {
    if result == Err(TIMED_OUT) { Ok(0) } else { result }
}
