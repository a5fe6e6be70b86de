//! Timers of the process. They belong to the kernel and run in real time. When the clock jumps ahead, they are set to
//! fire earlier by the same time. The clock never jumps past the next timer.

use core::sync::atomic::{AtomicI32, Ordering};

use super::{Time, ahead};
use crate::process::trap::read_bytes;
use crate::sys;

const GETITIMER: usize = 36;
const SETITIMER: usize = 38;
const TIMER_CREATE: usize = 222;
const TIMER_SETTIME: usize = 223;
const TIMER_GETTIME: usize = 224;
const TIMER_DELETE: usize = 226;
const TIMERFD_CREATE: usize = 283;
const TIMERFD_SETTIME: usize = 286;
const TIMERFD_GETTIME: usize = 287;
const TIMER_ABSTIME: usize = 1;

/// Timers of one kind: numbers or descriptors plus 1; 0 is a free place.
struct Known([AtomicI32; 32]);

static TIMERS: Known = Known([const { AtomicI32::new(0) }; 32]);
static DESCRIPTORS: Known = Known([const { AtomicI32::new(0) }; 32]);

impl Known {
    fn add(&self, number: i32) {
        let add =
            |place: &AtomicI32| place.compare_exchange(0, number + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        let _ = self.0.iter().any(add);
    }

    fn remove(&self, number: i32) {
        for place in &self.0 {
            let _ = place.compare_exchange(number + 1, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|place| place.load(Ordering::Relaxed)).filter(|number| *number != 0).map(|n| (n - 1) as usize)
    }
}

/// A timer of this process.
#[derive(Clone, Copy, Debug)]
enum Timer {
    Alarm,
    Number(usize),
    Descriptor(usize),
}

/// State of a timer in the kernel: the interval, and the time until it fires next (0 if it is not set).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct Setting {
    interval: Time,
    value: Time,
}

impl Timer {
    /// Time until it fires; `None` if it is not set.
    fn remaining(self) -> Option<u64> {
        let setting = self.setting()?;
        let value = setting.value.total()?;
        (value != 0).then_some(value)
    }

    fn setting(self) -> Option<Setting> {
        let mut setting = Setting::default();
        let at = &raw mut setting as usize;
        let (call, which) = match self {
            Timer::Alarm => (GETITIMER, 0),
            Timer::Number(number) => (TIMER_GETTIME, number),
            Timer::Descriptor(descriptor) => (TIMERFD_GETTIME, descriptor),
        };
        // SAFETY: the setting lives for the call.
        unsafe { sys::call(call, [which, at, 0, 0, 0, 0]) }.ok()?;
        if let Timer::Alarm = self {
            setting.interval.nanoseconds *= 1000;
            setting.value.nanoseconds *= 1000;
        }
        Some(setting)
    }

    /// Makes it fire earlier by `time`, or immediately if its time has passed.
    fn advance(self, time: u64) {
        let Some(mut setting) = self.setting() else { return };
        let Some(remaining @ 1..) = setting.value.total() else { return };
        // At least a microsecond: 0 would stop it.
        setting.value = Time::of(remaining.saturating_sub(time).max(1000));
        let (call, arguments) = match self {
            Timer::Alarm => {
                setting.interval.nanoseconds /= 1000;
                setting.value.nanoseconds /= 1000;
                (SETITIMER, [0, &raw const setting as usize, 0, 0, 0, 0])
            }
            Timer::Number(number) => (TIMER_SETTIME, [number, 0, &raw const setting as usize, 0, 0, 0]),
            Timer::Descriptor(descriptor) => (TIMERFD_SETTIME, [descriptor, 0, &raw const setting as usize, 0, 0, 0]),
        };
        // SAFETY: the setting lives for the call.
        let _ = unsafe { sys::raw(call, arguments) };
    }
}

fn all() -> impl Iterator<Item = Timer> {
    let numbers = TIMERS.numbers().map(Timer::Number);
    core::iter::once(Timer::Alarm).chain(numbers).chain(DESCRIPTORS.numbers().map(Timer::Descriptor))
}

/// Nanoseconds until the next timer fires.
pub(super) fn next() -> Option<u64> {
    all().filter_map(Timer::remaining).min()
}

/// Handles a jump of the clock by `time`. Timers that are due fire.
pub(super) fn advance(time: u64) {
    all().for_each(|timer| timer.advance(time));
}

/// Performs a system call that creates, changes or deletes a timer.
pub(in crate::process) fn change(number: usize, arguments: [usize; 6]) -> sys::Result<usize> {
    let [first, flags, new, old, ..] = arguments;
    // SAFETY: the unit's own call, and its own arguments unless replaced below.
    let perform = |arguments| unsafe { sys::call(number, arguments) };
    match number {
        TIMER_CREATE => {
            let result = perform(arguments)?;
            let mut id = [0; 4];
            read_bytes(new as u64, &mut id)?;
            TIMERS.add(i32::from_le_bytes(id));
            Ok(result)
        }
        TIMER_DELETE => {
            TIMERS.remove(first as i32);
            perform(arguments)
        }
        TIMERFD_CREATE => {
            let descriptor = perform(arguments)?;
            // The number may have belonged to another timer that is closed by now.
            DESCRIPTORS.remove(descriptor as i32);
            DESCRIPTORS.add(descriptor as i32);
            Ok(descriptor)
        }
        TIMER_SETTIME | TIMERFD_SETTIME if flags & TIMER_ABSTIME != 0 && ahead() != 0 => {
            // A moment of virtual time, converted to the kernel's clock.
            let mut setting = Setting { interval: Time::read(new)?, value: Time::read(new + 16)? };
            if let Some(value @ 1..) = setting.value.total() {
                setting.value = Time::of(value.saturating_sub(ahead()).max(1));
            }
            perform([first, flags, &raw const setting as usize, old, 0, 0])
        }
        _ => perform(arguments),
    }
}
