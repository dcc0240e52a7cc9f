//! The cost of an integrity check, and the delay of other operations while it runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::Result;
use fumikura_wiki::Depth;

use crate::subject::Subject;
use fumikura_tests::generator::Generator;
use fumikura_tests::times::Times;

/// The results.
pub(crate) struct Check {
    pub(crate) tables: Times,
    pub(crate) everything: Times,
    /// Successive reads and saves during the check of everything.
    pub(crate) read: Times,
    pub(crate) save: Times,
}

impl Check {
    pub(crate) fn measure(subject: &Subject, pages: usize) -> Result<Self> {
        let (mut tables, mut everything) = (Times::default(), Times::default());
        tables.measure(|| subject.check(Depth::Tables))?;
        let ended = AtomicBool::new(false);
        let (read, save) = thread::scope(|scope| {
            let run_until_checked =
                |seed: usize, act: fn(&Subject, usize, &Generator) -> Result<()>| {
                    let ended = &ended;
                    scope.spawn(move || -> Result<Times> {
                        let (mut times, generator) =
                            (Times::default(), Generator::new(seed as u64));
                        while !ended.load(Ordering::Relaxed) {
                            let number = generator.below(pages);
                            times.measure(|| act(subject, number, &generator))?;
                        }
                        Ok(times)
                    })
                };
            let read = run_until_checked(pages + 1, |subject, number, _| {
                subject.read(number).map(drop)
            });
            let save = run_until_checked(pages + 2, |subject, number, generator| {
                subject.save(number, generator.text(number))
            });
            let checked = everything.measure(|| subject.check(Depth::Everything));
            ended.store(true, Ordering::Relaxed);
            let times = (join(read), join(save));
            checked?;
            Ok::<_, anyhow::Error>((times.0?, times.1?))
        })?;
        Ok(Self {
            tables,
            everything,
            read,
            save,
        })
    }
}

fn join(times: thread::ScopedJoinHandle<'_, Result<Times>>) -> Result<Times> {
    times
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
