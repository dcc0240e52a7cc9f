//! Reading pages: their contents are shown and can't run, and tasks can be ticked there.

use anyhow::{Context, Result, bail, ensure};
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::user_input::UserInput;
use fumikura_tests::wait;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::fs;

use crate::steps;

/// Boxes that can be ticked: they can't before the page is complete.
const BOXES: &str = "[data-testid=\"page-body\"] [role=\"checkbox\"]:not([aria-disabled])";

pub(crate) async fn task_is_ticked_in_the_reading_view(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(
        &api,
        "/庭",
        "# 庭\n\n- [ ] 三脚\n- [ ] 電池 [ ] 2 本\n".to_owned(),
    )
    .await?;
    let id = steps::page_id(&api, "/庭").await?;
    steps::go(stage, "/wiki/%E5%BA%AD").await?;

    page.click_at(&format!("{BOXES}[aria-label^=\"電池\"]"))
        .await?;
    wait_for_source(stage, &id, "# 庭\n\n- [ ] 三脚\n- [x] 電池 [ ] 2 本\n").await?;
    page.wait_for_selector(&format!(
        "{BOXES}[aria-label^=\"電池\"][aria-checked=\"true\"]"
    ))
    .await?;
    ensure!(
        !steps::is_locked(&api, &id).await?,
        "the lock is still held"
    );

    // Only with the keyboard: to the first box, and space.
    page.execute(&format!(
        "document.querySelector('{BOXES}[aria-label=\"三脚\"]').focus()"
    ))
    .await?;
    page.press(&[], " ").await?;
    wait_for_source(stage, &id, "# 庭\n\n- [x] 三脚\n- [x] 電池 [ ] 2 本\n").await?;

    seed::lock(&api, &id).await?;
    page.click_at(&format!("{BOXES}[aria-label=\"三脚\"]"))
        .await?;
    page.wait_for("toast").await?;
    page.wait_for_selector(&format!(
        "{BOXES}[aria-label=\"三脚\"][aria-checked=\"true\"]"
    ))
    .await?;
    let now = source(&api, &id).await?;
    ensure!(
        now == "# 庭\n\n- [x] 三脚\n- [x] 電池 [ ] 2 本\n",
        "it was changed under another lock: {now}"
    );
    Ok(())
}

pub(crate) async fn backlinks_are_shown_and_followed(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/庭", "# 庭\n".to_owned()).await?;
    steps::go(stage, "/wiki/%E5%BA%AD").await?;
    page.wait_for("backlinks-empty").await?;

    seed::write(&api, "/道", "# 歩いた道\n\n[[/庭]]\n".to_owned()).await?;
    page.wait_for_text("backlink", "歩いた道").await?;
    page.click("backlink").await?;
    page.wait_for_text("page-title", "歩いた道").await?;
    page.client().back().await?;
    page.wait_for_text("page-title", "庭").await
}

pub(crate) async fn code_formulas_and_diagrams_are_rendered(stage: &mut Stage) -> Result<()> {
    const TEXT: &str = "# 式\n\n$a^2$\n\n```rust\nlet a = 1;\n```\n\n```mermaid\ngraph TD\n  A[庭] --> B\n```\n\n```mermaid\ngraph TD\n  A[\n```\n";
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/式", TEXT.to_owned()).await?;
    steps::go(stage, "/wiki/%E5%BC%8F").await?;
    page.wait_for_selector(".math .katex-html").await?;
    page.wait_for_selector("pre .hljs-keyword").await?;
    page.wait_for_selector(".diagram-failed").await?;
    page.wait_until(
        "a diagram of some size",
        "const picture = document.querySelector('.diagram img');
         return picture !== null && picture.complete && picture.naturalWidth > 20 && picture.clientHeight > 20;",
    )
    .await?;
    page.wait_until(
        "the formula's own font",
        "return document.fonts.check('16px KaTeX_Main') && getComputedStyle(document.querySelector('.katex')).fontFamily.includes('KaTeX');",
    )
    .await
}

pub(crate) async fn rendering_and_editor_keep_the_content_policy(stage: &mut Stage) -> Result<()> {
    const TEXT: &str = "# 式\n\n$a^2 + \\frac{1}{\\sqrt{x}}$\n\n$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix} \\xrightarrow{f} \\overbrace{x}$$\n\n```rust\nlet a = 1;\n```\n\n```mermaid\ngraph TD\n  A[庭] --> B\n```\n";
    const DIAGRAM: &str = "const picture = document.querySelector('.diagram img');
         return picture !== null && picture.complete && picture.naturalWidth > 20;";
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/式", TEXT.to_owned()).await?;
    steps::go(stage, "/wiki/%E5%BC%8F").await?;
    for place in ["reader", "editor"] {
        page.wait_for_selector(".math .katex-html").await?;
        page.wait_for_selector("pre .hljs-keyword").await?;
        page.wait_until("a diagram", DIAGRAM).await?;
        let violations = page.execute(VIOLATIONS).await?;
        ensure!(
            violations == Value::Array(Vec::new()),
            "in the {place}: {violations}"
        );
        if place == "reader" {
            steps::edit(&page).await?;
        }
    }
    page.wait_until(
        "the editor's own styles",
        "return getComputedStyle(document.querySelector('.cm-scroller')).display.includes('flex');",
    )
    .await?;
    let drawing = page.execute(TRY_IN_DIAGRAM_STAGE).await?;
    ensure!(drawing == json!(["left", "right", true]), "{drawing}");
    // Text creates no elements, and markup no styles.
    let refused = page.execute(TRY_IN_PAGE).await?;
    ensure!(refused == json!([true, true]), "{refused}");
    let violations = page.execute(VIOLATIONS).await?;
    ensure!(
        violations.as_array().is_some_and(|all| all.len() == 2),
        "{violations}"
    );
    Ok(())
}

/// Returns the policy's violations in this document.
const VIOLATIONS: &str = "
    const observer = new ReportingObserver(() => {}, { types: ['csp-violation'], buffered: true });
    observer.observe();
    return observer.takeRecords().map(({ body }) => `${body.effectiveDirective}: ${body.blockedURL} ${body.sample ?? ''} ${body.sourceFile}:${body.lineNumber}`);
";

const TRY_IN_PAGE: &str = "
    const box = document.createElement('div');
    document.body.append(box);
    let isRefused = false;
    try { box.innerHTML = '<b>'; } catch { isRefused = true; }
    box.setAttribute('style', 'display: inline');
    return [isRefused, getComputedStyle(box).display === 'block'];
";

/// Performs the actions of Mermaid, and those that it must not perform.
const TRY_IN_DIAGRAM_STAGE: &str = "
    const inner = document.querySelector('iframe.diagram-stage').contentDocument;
    const box = inner.createElement('div');
    box.innerHTML = '<b>';
    box.setAttribute('style', 'float: left');
    const style = inner.createElementNS('http://www.w3.org/2000/svg', 'style');
    style.textContent = 'b { float: right }';
    inner.body.append(style, box);
    const floats = [box, box.firstChild].map((element) => inner.defaultView.getComputedStyle(element).float);
    box.remove();
    style.remove();
    let isRefused = false;
    try { inner.createElement('script').text = '1'; } catch { isRefused = true; }
    return [...floats, isRefused];
";

pub(crate) async fn page_content_runs_and_fetches_nothing(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let attacks: Vec<String> =
        serde_json::from_str(&fs::read_to_string(seed::fixture("attacks.json")).await?)?;
    for (number, attacks) in attacks.chunks(ATTACKS_PER_PAGE).enumerate() {
        let text = format!("# Attacks {number}\n\n{}\n", attacks.join(CLOSING_MARKUP));
        seed::write(&api, &format!("/attacks/{number}"), text).await?;
        steps::go(stage, &format!("/wiki/attacks/{number}")).await?;
        page.wait_for_text("page-title", &format!("Attacks {number}"))
            .await?;
        page.wait_until("diagrams and formulas to be rendered", ALL_RENDERED)
            .await?;
        let effects = page.execute(FIND_EFFECTS).await?;
        ensure!(
            effects == Value::Array(Vec::new()),
            "on page {number}: {effects}"
        );
    }
    Ok(())
}

const ATTACKS_PER_PAGE: usize = 15;

/// Closes what an attack leaves open, so that it hides no other.
const CLOSING_MARKUP: &str =
    "\n\n--></script></style></pre></textarea></title></noscript></table></details></div>\n\n";

const ALL_RENDERED: &str = "
    const diagrams = [...document.querySelectorAll('.diagram')];
    return diagrams.every((diagram) => diagram.querySelector('img, .diagram-failed') !== null)
      && [...document.querySelectorAll('.math')].every((formula) => formula.dataset.live !== undefined);
";

/// Returns the effects of attacks: the mark that they try to leave, executable elements, and external requests.
const FIND_EFFECTS: &str = "
    const body = document.querySelector('.reading');
    for (const kind of ['mouseover', 'focus', 'error', 'load', 'toggle']) {
      for (const element of body.querySelectorAll('*')) element.dispatchEvent(new Event(kind));
    }
    const effects = [];
    if ('hit' in window) effects.push('a script has run');
    for (const element of body.querySelectorAll('script, style, iframe, object, embed, form, input, svg:not(.lucide)')) {
      if (!element.closest('.katex')) effects.push(element.outerHTML);
    }
    for (const link of body.querySelectorAll('a[href]')) {
      if (!['http:', 'https:', 'mailto:'].includes(link.protocol)) effects.push(link.outerHTML);
    }
    const drawing = document.querySelector('iframe.diagram-stage')?.contentWindow.performance;
    for (const { name, responseStatus } of [performance, drawing].flatMap((one) => one?.getEntriesByType('resource') ?? [])) {
      if (new URL(name).origin !== location.origin && !name.startsWith('blob:')) effects.push(name);
      // Chromium also lists requests that its policy blocked; they have no answer.
      if (name.includes('hit=') && responseStatus !== 0) effects.push(name);
    }
    return effects;
";

/// Loads an address.
/// A wide table has a shade at the edges beyond which it goes on. A diagram takes both margins.
pub(crate) async fn wide_table_shows_where_it_goes_on(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let row = |cell: &str| format!("|{}\n", format!("{cell}|").repeat(60));
    let table = format!("{}{}{}", row("moss"), row("--"), row("moss"));
    let diagram = "```mermaid\nflowchart LR\n  A --> B\n```\n";
    seed::write(&api, "/wide", format!("{table}\n{diagram}")).await?;
    steps::go(stage, "/wiki/wide").await?;
    page.wait_for_selector(".table-scroll").await?;
    let takes_margin = "const [table, text] = ['.table-scroll', '[data-testid=page-body]'].map((each) => document.querySelector(each).getBoundingClientRect()); return table.right > text.right + 10;";
    page.wait_until("the table to take the margin", takes_margin)
        .await?;
    let takes_both = "const [diagram, text] = ['.diagram', '[data-testid=page-body]'].map((each) => document.querySelector(each).getBoundingClientRect()); return diagram.left < text.left - 10 && diagram.right > text.right + 10;";
    page.wait_until("the diagram to take both margins", takes_both)
        .await?;
    let input = UserInput::attach(stage)?;
    for (scroll, left, right) in [
        ("0", false, true),
        ("200", true, true),
        ("1e6", true, false),
    ] {
        let script = format!("document.querySelector('.table-scroll').scrollLeft = {scroll}");
        page.execute(&script).await?;
        wait::until(&format!("shades after scrolling to {scroll}"), async || {
            let picture = input.capture(".table-scroll").await?;
            // No letter reaches the columns at the edges, which are in the padding of a cell or shaded.
            let is_shaded = |edge: i32, inside: i32| {
                picture.column_brightness(edge) + 10 < picture.column_brightness(inside)
            };
            Ok((is_shaded(0, 26) == left && is_shaded(-1, -27) == right).then_some(()))
        })
        .await?;
    }
    Ok(())
}

/// Returns the page's source from the server.
async fn source(api: &Api, id: &str) -> Result<String> {
    let answer = api
        .send(
            Method::GET,
            &format!("api/pages/{id}/source"),
            &[],
            String::new(),
        )
        .await?;
    Ok(answer.error_for_status()?.text().await?)
}

async fn wait_for_source(stage: &Stage, id: &str, text: &str) -> Result<()> {
    let api = stage.api().await?;
    let page = stage.page_if_running().context("the stage runs")?;
    wait::until("the source to be changed", async || {
        let now = source(&api, id).await?;
        if now != text {
            let shown = page.text_of("[data-testid=\"page-body\"]").await?;
            let said = page.text_of("[data-testid=\"toast\"]").await.ok();
            bail!("it is {now:?}, the page shows {shown:?} and says {said:?}");
        }
        Ok(Some(()))
    })
    .await
}
