//! Cores that workers and their units run on.
//!
//! A worker and its unit work by turns. Where there are two cores for each such pair, both look out for their turn without
//! sleep, which costs a microsecond. Where there are fewer, whoever looks out takes the core of somebody who works: then each pair
//! has one core, and who waits sleeps. There that is a switch of a few microseconds; a wake-up of a core that went idle takes
//! ten times as long.

use std::mem::{MaybeUninit, size_of};

/// Threads and processes by the kernel's number; 0 is the thread that asks.
const THIS_THREAD: i32 = 0;

/// Core of each worker of a team.
#[derive(Debug, PartialEq, Eq)]
pub struct Cores(Vec<usize>);

impl Cores {
    /// Of those that this thread may use.
    pub fn of_this_thread() -> Cores {
        let set = allowed();
        // SAFETY: the set is as large as it says, and the number within.
        let is_in = |core: &usize| set.is_some_and(|set| unsafe { libc::CPU_ISSET(*core, &set) });
        Cores((0..libc::CPU_SETSIZE as usize).filter(is_in).collect())
    }

    /// Nothing where there are two cores for each of `n_workers`, or where the kernel does not tell.
    pub fn for_worker(&self, worker: usize, n_workers: usize) -> Option<usize> {
        if 2 * n_workers <= self.0.len() || self.0.is_empty() {
            return None;
        }
        Some(self.0[worker % self.0.len()])
    }
}

/// Keeps this thread to a core until it is dropped.
#[derive(Debug)]
pub struct Kept {
    before: Option<libc::cpu_set_t>,
}

impl Kept {
    pub fn to(core: usize) -> Kept {
        let before = allowed();
        keep(THIS_THREAD, core);
        Kept { before }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            set(THIS_THREAD, before);
        }
    }
}

/// Keeps a process to a core. If the kernel does not want that, it goes on anywhere.
pub(crate) fn keep(process: i32, core: usize) {
    // SAFETY: all zeros is the empty set; the number was in such a set before.
    let only = unsafe {
        let mut only: libc::cpu_set_t = MaybeUninit::zeroed().assume_init();
        libc::CPU_SET(core, &mut only);
        only
    };
    set(process, &only);
}

fn allowed() -> Option<libc::cpu_set_t> {
    let mut set = MaybeUninit::zeroed();
    // SAFETY: writes at most the size of the set, which all zeros is one of.
    unsafe {
        let failed = libc::sched_getaffinity(THIS_THREAD, size_of::<libc::cpu_set_t>(), set.as_mut_ptr());
        (failed == 0).then(|| set.assume_init())
    }
}

fn set(process: i32, cores: &libc::cpu_set_t) {
    // SAFETY: reads the set.
    unsafe { libc::sched_setaffinity(process, size_of::<libc::cpu_set_t>(), cores) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_share_a_core_where_there_are_not_two_for_each() {
        let cores = Cores(vec![2, 3, 5, 7]);
        let kept =
            |n_workers: usize| (0..n_workers).map(|worker| cores.for_worker(worker, n_workers)).collect::<Vec<_>>();
        assert_eq!(kept(1), [None]);
        assert_eq!(kept(2), [None, None]);
        assert_eq!(kept(3), [Some(2), Some(3), Some(5)]);
        assert_eq!(kept(5), [Some(2), Some(3), Some(5), Some(7), Some(2)]);
        assert_eq!(Cores(vec![4]).for_worker(0, 1), Some(4));
        assert_eq!(Cores(Vec::new()).for_worker(0, 1), None);
    }

    #[test]
    fn a_thread_has_its_cores_back_afterwards() {
        let before = Cores::of_this_thread().0;
        let last = *before.last().expect("this runs somewhere");
        let kept = Kept::to(last);
        assert_eq!(Cores::of_this_thread().0, [last]);
        drop(kept);
        assert_eq!(Cores::of_this_thread().0, before);
    }
}
