//! The gaps between system calls, where anybody else may act. Tests act there; otherwise they are nothing.

#[cfg(test)]
pub(crate) use hook::{during, gap};

#[cfg(not(test))]
pub(crate) fn gap() {}

#[cfg(test)]
mod hook {
    use std::cell::RefCell;

    type Act = Box<dyn FnMut()>;

    thread_local! {
        static ACT: RefCell<Option<Act>> = const { RefCell::new(None) };
    }

    /// A system call of this crate comes next.
    pub(crate) fn gap() {
        // What acts in a gap may itself use the crate.
        let act = ACT.with(RefCell::take);
        if let Some(mut act) = act {
            act();
            ACT.with(|slot| slot.replace(Some(act)));
        }
    }

    /// Runs with somebody acting in every gap.
    pub(crate) fn during<T>(act: impl FnMut() + 'static, run: impl FnOnce() -> T) -> T {
        ACT.with(|slot| slot.replace(Some(Box::new(act))));
        let result = run();
        ACT.with(RefCell::take);
        result
    }
}
