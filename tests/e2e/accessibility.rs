//! Accessibility of every screen for users who can't see or hear it, or use a mouse: WCAG 2.2 AA, as far as
//! axe can check it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::page::Page;
use fumikura_tests::stage::Stage;
use fumikura_tests::tour::{Visitor, first_day, tour};
use serde_json::{Value, json};

use crate::layout_stability::LayoutShifts;
use crate::sample_wiki::{change_settings, open_sample_wiki, register_user};

/// Starts the check, and puts the result into a variable: not every driver supports scripts that wait.
const START_AUDIT: &str = r#"
window.audit = null;
axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"] }).then(
  ({ violations }) => { window.audit = violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map((node) => `${node.html} ${node.failureSummary}`) })); },
  (error) => { window.audit = [{ id: "axe", help: String(error), nodes: [] }]; },
);
"#;

/// Returns true if nothing moves but endless animations (a caret).
pub(crate) const IS_STILL: &str = "
    return document.getAnimations().every((animation) => animation.playState !== 'running'
        || animation.effect.getTiming().iterations === Infinity);";

pub(crate) async fn every_screen_passes_the_accessibility_audit(stage: &mut Stage) -> Result<()> {
    let full = std::env::var_os("FUMIKURA_FULL").is_some();
    let looks: &[(&str, &str)] = if full {
        &[
            ("en", "light"),
            ("en", "dark"),
            ("ja", "light"),
            ("ja", "dark"),
        ]
    } else {
        &[("ja", "dark")]
    };
    let page = stage.start(&[]).await?.clone();
    let mut auditor = Auditor::new()?;
    let api = stage.api().await?;
    for (language, theme) in looks {
        change_settings(&api, &json!({ "language": language, "theme": theme })).await?;
        auditor.look = format!("{theme}, {language}");
        page.client().refresh().await?;
        page.wait_for("greeting").await?;
        auditor.visit(&page, "greeting").await?;
    }
    let api = register_user(stage).await?;
    for (language, theme) in looks {
        change_settings(&api, &json!({ "language": language, "theme": theme })).await?;
        auditor.look = format!("{theme}, {language}");
        first_day(&page, &api, language, &mut auditor).await?;
    }
    let (page, api) = open_sample_wiki(stage).await?;
    for (language, theme) in looks {
        change_settings(&api, &json!({ "language": language, "theme": theme })).await?;
        auditor.look = format!("{theme}, {language}");
        tour(&page, &api, language, &mut auditor).await?;
    }
    page.client().delete_all_cookies().await?;
    page.client().refresh().await?;
    page.wait_for_selector("main code").await?;
    auditor.visit(&page, "not let in").await?;
    auditor.check()
}

/// A check of each screen by axe, which collects faults.
struct Auditor {
    axe: String,
    look: String,
    shifts: LayoutShifts,
    faults: String,
}

impl Auditor {
    fn new() -> Result<Self> {
        let axe =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/node_modules/axe-core/axe.min.js");
        Ok(Self {
            axe: fs::read_to_string(&axe)
                .with_context(|| format!("{}: `npm ci` in ui/ brings it", axe.display()))?,
            look: String::new(),
            shifts: LayoutShifts::default(),
            faults: String::new(),
        })
    }

    fn check(&self) -> Result<()> {
        ensure!(self.faults.is_empty(), "{}", self.faults);
        self.shifts.check()
    }
}

impl Visitor for Auditor {
    async fn visit(&mut self, page: &Page, screen: &str) -> Result<()> {
        // An element that appears is transparent for a moment, which changes its contrast.
        page.wait_until("all movement to end", IS_STILL).await?;
        self.shifts.watch(page, screen).await?;
        page.execute(&format!("{}; {START_AUDIT}", self.axe))
            .await?;
        page.wait_until("the audit to end", "return window.audit !== null")
            .await?;
        let faults = page.execute("return window.audit").await?;
        for fault in faults.as_array().context("the audit is a list")? {
            let nodes = fault["nodes"].as_array().map_or(&[][..], Vec::as_slice);
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            writeln!(
                self.faults,
                "{screen} ({}): {}: {}",
                self.look,
                text(&fault["id"]),
                text(&fault["help"])
            )?;
            for node in nodes {
                writeln!(self.faults, "    {}", text(node))?;
            }
        }
        Ok(())
    }
}
