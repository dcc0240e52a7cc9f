//! Compares the wiki with a plain model of itself: after any steps in any order, both agree.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod autosave;
mod error_code;
mod files;
mod history;
mod links;
mod run;
mod state;
mod step;
mod text;
mod trash_paths;
mod tree;
mod views;

use fumikura_wiki::Depth;
use proptest::prelude::*;

use run::Run;

fn cases() -> u32 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 1_000,
        None => 60,
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        max_shrink_iters: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn wiki_agrees_with_the_model_after_any_steps(
        steps in prop::collection::vec((any::<bool>(), step::step()), 1..60)
    ) {
        let mut run = Run::new();
        for (by, step) in &steps {
            run.step(*by, step);
            run.compare(Depth::Tables);
        }
        run.compare(Depth::Everything);
        run.check_archive();
        run.check_full_archive();
    }

    #[test]
    fn links_agree_with_the_model_after_any_steps(
        steps in prop::collection::vec((any::<bool>(), step::link_steps()), 1..50)
    ) {
        let mut run = Run::new();
        for (by, step) in &steps {
            run.step(*by, step);
            run.compare(Depth::Tables);
        }
        run.compare(Depth::Everything);
        run.check_archive();
        run.check_full_archive();
    }

    #[test]
    fn files_agree_with_the_model_after_any_steps(
        steps in prop::collection::vec((any::<bool>(), step::file_steps()), 1..50)
    ) {
        let mut run = Run::new();
        let begin: Vec<_> = step::initial_pages().into_iter().map(|step| (false, step)).collect();
        for (by, step) in begin.iter().chain(&steps) {
            run.step(*by, step);
            run.compare(Depth::Tables);
        }
        run.compare(Depth::Everything);
        run.check_archive();
        run.check_full_archive();
    }
}
