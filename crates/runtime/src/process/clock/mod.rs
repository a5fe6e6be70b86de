//! Virtual time. A sleeping thread does not wait: the clock jumps ahead to the moment at which the kernel would have
//! woken it. So a program that sleeps for an hour is explored without delay.
//!
//! ```text
//!   virtual time = real time + AHEAD          AHEAD grows when all threads wait
//! ```
//! Calls that wait ([`wait`]) arrive through the trap. Reading the clock does not: the C library reads it in the vDSO,
//! without a system call. [`vdso`] redirects those functions to this module. Where that is impossible, time stays real.
//!
//! CPU clocks are not affected, because a sleeping thread does not compute.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::trap::{read_bytes, write_bytes};
use crate::sys::{self, Errno};

mod threads;
mod timers;
mod vdso;
mod wait;

pub(super) use timers::change as change_timer;
pub(super) use wait::wait;

pub(super) const NANOSECONDS: u64 = 1_000_000_000;

const GETTIMEOFDAY: usize = 96;
const TIMES: usize = 100;
const TIME: usize = 201;
const CLOCK_GETTIME: usize = 228;

pub(super) const CLOCK_REALTIME: usize = 0;
pub(super) const CLOCK_MONOTONIC: usize = 1;

/// Nanoseconds by which virtual time is ahead of real time. An ordinary static: the reset between runs sets it back to 0.
static AHEAD: AtomicU64 = AtomicU64::new(0);
/// True if the vDSO reads virtual time.
static IS_VIRTUAL: AtomicBool = AtomicBool::new(false);

/// The kernel's `struct timespec`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Time {
    pub(super) seconds: i64,
    pub(super) nanoseconds: i64,
}

impl Time {
    pub(super) fn of(nanoseconds: u64) -> Time {
        Time { seconds: (nanoseconds / NANOSECONDS) as i64, nanoseconds: (nanoseconds % NANOSECONDS) as i64 }
    }

    /// The time in nanoseconds; `None` if the kernel would return `EINVAL`.
    pub(super) fn total(self) -> Option<u64> {
        let valid = self.seconds >= 0 && (0..NANOSECONDS as i64).contains(&self.nanoseconds);
        valid.then(|| (self.seconds as u64).saturating_mul(NANOSECONDS).saturating_add(self.nanoseconds as u64))
    }

    pub(super) fn read(from: usize) -> sys::Result<Time> {
        let mut bytes = [0; 16];
        read_bytes(from as u64, &mut bytes)?;
        let [seconds, nanoseconds] = [0, 8].map(|at| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            i64::from_le_bytes(word)
        });
        Ok(Time { seconds, nanoseconds })
    }

    pub(super) fn write(self, to: usize) -> sys::Result<()> {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.seconds.to_le_bytes());
        bytes[8..].copy_from_slice(&self.nanoseconds.to_le_bytes());
        write_bytes(to as u64, &bytes)
    }
}

/// Makes the clock of this process, and of its forks, virtual. Returns false if that is impossible.
pub(super) fn install() -> bool {
    let redirected = vdso::redirect(&[
        (b"__vdso_clock_gettime", clock_gettime as *const () as u64),
        (b"__vdso_gettimeofday", gettimeofday as *const () as u64),
        (b"__vdso_time", time as *const () as u64),
    ]);
    IS_VIRTUAL.store(redirected, Ordering::Relaxed);
    redirected
}

pub(super) fn is_virtual() -> bool {
    IS_VIRTUAL.load(Ordering::Relaxed)
}

fn ahead() -> u64 {
    AHEAD.load(Ordering::Relaxed)
}

fn jump(nanoseconds: u64) {
    AHEAD.fetch_add(nanoseconds, Ordering::Relaxed);
}

/// True if a clock advances while no thread computes.
fn is_wall_clock(clock: usize) -> bool {
    matches!(clock as i32, 0 | 1 | 4..=9 | 11)
}

/// Virtual time in nanoseconds, by the given clock of the kernel.
fn now(clock: usize) -> u64 {
    let mut time = Time::default();
    // SAFETY: the time lives for the call.
    let _ = unsafe { sys::raw(CLOCK_GETTIME, [clock, &raw mut time as usize, 0, 0, 0, 0]) };
    time.total().unwrap_or(0) + ahead()
}

/// Performs a system call that reads a clock.
pub(super) fn read(number: usize, arguments: [usize; 6]) -> sys::Result<usize> {
    let [first, second, ..] = arguments;
    match number {
        CLOCK_GETTIME if is_wall_clock(first) => Time::of(now(first)).write(second).map(|()| 0),
        GETTIMEOFDAY if first != 0 && second == 0 => {
            let Time { seconds, nanoseconds } = Time::of(now(CLOCK_REALTIME));
            Time { seconds, nanoseconds: nanoseconds / 1000 }.write(first).map(|()| 0)
        }
        TIME => {
            let seconds = now(CLOCK_REALTIME) / NANOSECONDS;
            if first != 0 {
                write_bytes(first as u64, &seconds.to_le_bytes())?;
            }
            Ok(seconds as usize)
        }
        // SAFETY: the unit's own call with the unit's own arguments.
        _ => unsafe { sys::call(number, arguments) }.map(|result| match number {
            TIMES => result + (ahead() / (NANOSECONDS / 100)) as usize,
            _ => result,
        }),
    }
}

/// Like the vDSO's function. An invalid pointer faults here, too.
unsafe extern "C" fn clock_gettime(clock: i32, to: *mut Time) -> i32 {
    // SAFETY: the caller's own arguments.
    let result = unsafe { sys::raw(CLOCK_GETTIME, [clock as usize, to as usize, 0, 0, 0, 0]) };
    let jumped = ahead();
    if result == 0 && jumped != 0 && is_wall_clock(clock as usize) {
        // SAFETY: the kernel has just written it.
        unsafe { *to = Time::of((*to).total().unwrap_or(0) + jumped) };
    }
    result as i32
}

unsafe extern "C" fn gettimeofday(to: *mut Time, zone: usize) -> i32 {
    // SAFETY: the caller's own arguments.
    let result = unsafe { sys::raw(GETTIMEOFDAY, [to as usize, zone, 0, 0, 0, 0]) };
    if result == 0 && !to.is_null() && ahead() != 0 {
        // SAFETY: the kernel has just written it. Its second half is in microseconds.
        unsafe {
            let Time { seconds, nanoseconds: microseconds } = *to;
            let moved = Time { seconds, nanoseconds: microseconds * 1000 }.total().unwrap_or(0) + ahead();
            *to = Time { nanoseconds: Time::of(moved).nanoseconds / 1000, ..Time::of(moved) };
        }
    }
    result as i32
}

unsafe extern "C" fn time(to: *mut i64) -> i64 {
    let seconds = (now(CLOCK_REALTIME) / NANOSECONDS) as i64;
    if !to.is_null() {
        // SAFETY: the caller's own pointer.
        unsafe { *to = seconds };
    }
    seconds
}

/// The kernel has no such error for calls that wait. Here it means that the waiting time is over.
const TIMED_OUT: Errno = Errno(110);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_nanoseconds() {
        let hour = Time { seconds: 3600, nanoseconds: 7 };
        assert_eq!(hour.total(), Some(3_600_000_000_007));
        assert_eq!(Time::of(3_600_000_000_007), hour);
        let invalid = [(-1, 0), (0, -1), (0, 1_000_000_000)];
        assert!(invalid.into_iter().all(|(seconds, nanoseconds)| Time { seconds, nanoseconds }.total().is_none()));
        assert_eq!(Time { seconds: i64::MAX, nanoseconds: 1 }.total(), Some(u64::MAX));
    }
}
