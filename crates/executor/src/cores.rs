//! Cores that workers and their units run on.
//!
//! A worker and its unit take turns. If there are two cores per pair, each side polls for its turn without sleeping,
//! which costs a microsecond. With fewer cores, a polling side would take the core from a working one. Then each pair
//! shares one core, and the waiting side sleeps. A switch on one core takes a few microseconds; waking up an idle core
//! takes ten times as long.

use std::mem::{MaybeUninit, size_of};

/// Thread number 0 of the kernel's calls: the calling thread.
const THIS_THREAD: i32 = 0;

/// Core of each worker of a team.
#[derive(Debug, PartialEq, Eq)]
pub struct Cores(Vec<usize>);

impl Cores {
    /// Cores that this thread may use.
    pub fn of_this_thread() -> Cores {
        let set = allowed();
        // SAFETY: the set has the size that it states, and the number is within it.
        let is_in = |core: &usize| set.is_some_and(|set| unsafe { libc::CPU_ISSET(*core, &set) });
        Cores((0..libc::CPU_SETSIZE as usize).filter(is_in).collect())
    }

    /// Core for a worker and its unit. `None` if there are two cores for each of the `n_workers` pairs, or if the
    /// kernel does not report the cores.
    pub fn for_worker(&self, worker: usize, n_workers: usize) -> Option<usize> {
        if 2 * n_workers <= self.0.len() || self.0.is_empty() {
            return None;
        }
        Some(self.0[worker % self.0.len()])
    }
}

/// Restricts this thread to one core until it is dropped.
#[derive(Debug)]
pub struct Kept {
    before: Option<libc::cpu_set_t>,
}

impl Kept {
    /// Binds the current thread to a core while the value exists.
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

/// Restricts a process to one core. If the kernel refuses, the process stays unrestricted.
pub(crate) fn keep(process: i32, core: usize) {
    // SAFETY: all zeros is the empty set. The number was in such a set before.
    let only = unsafe {
        let mut only: libc::cpu_set_t = MaybeUninit::zeroed().assume_init();
        libc::CPU_SET(core, &mut only);
        only
    };
    set(process, &only);
}

fn allowed() -> Option<libc::cpu_set_t> {
    let mut set = MaybeUninit::zeroed();
    // SAFETY: writes at most the size of the set. All zeros is a valid set.
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
