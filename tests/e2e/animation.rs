//! Animated pictures in the viewer: paused, gone through frame by frame, and in full screen.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;

use crate::grid::key;
use crate::steps;

/// The colours at two places of each frame: a red frame, one with a blue square, and one with a green square.
const FRAME_IS_DRAWN: &str = r#"
    const frame = document.querySelector('[data-testid="animation-frame"]')?.textContent.split("/")[0].trim();
    const canvas = document.querySelector('[data-testid="viewer-animation"] canvas');
    const name = document.querySelector('[data-testid="viewer"]')?.getAttribute("aria-label");
    if (!frame || !canvas || name !== "NAME" || frame === "BEFORE") return false;
    const context = canvas.getContext("2d");
    const [red, blue, green] = [[200, 40, 40], [40, 40, 200], [40, 160, 40]];
    const expected = { 1: [red, red], 2: [blue, red], 3: [red, green] }[frame];
    return [12, 27].every((x, nth) => {
        const colour = context.getImageData(x, 12, 1, 1).data;
        return expected[nth].every((value, at) => Math.abs(value - colour[at]) < 8) && colour[3] === 255;
    });
"#;

/// Full screen is black, with dark controls in a light theme, too.
const FULL_SCREEN_IS_DARK: &str = r#"
    const viewer = document.querySelector('[data-testid="viewer"]');
    const brightness = (element) => Math.max(...getComputedStyle(element).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number));
    return brightness(document.body) > 200 && brightness(viewer) === 0 && brightness(viewer.querySelector('[role="toolbar"]')) < 50;
"#;

pub(crate) async fn animation_is_paused_and_stepped(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let page = stage.start(&[fixture("images/animated")]).await?.clone();
    page.open_cell("[data-testid=\"cell\"][data-name=\"a-moving.gif\"]")
        .await?;
    for name in ["a-moving.gif", "b-moving.png", "c-moving.webp"] {
        frame_is_drawn(&page, name, "none").await?;
        page.press(&[], "p").await?;
        page.wait_for_selector("[data-testid=\"animation-play\"][aria-pressed=\"false\"]")
            .await?;
        for _ in 0..3 {
            let before = page.text_of(&by_id("animation-frame")).await?;
            let before = before.split('/').next().unwrap_or_default().trim();
            page.press(&[Key::Shift], &key(Key::Right)).await?;
            frame_is_drawn(&page, name, before).await?;
        }
        page.press(&[], "j").await?;
    }
    page.press(&[], "f").await?;
    page.wait_until("dark controls on black", FULL_SCREEN_IS_DARK)
        .await
}

/// Waits until a frame other than `before` of a picture has its colours.
async fn frame_is_drawn(page: &Page, name: &str, before: &str) -> Result<()> {
    let script = FRAME_IS_DRAWN
        .replace("NAME", name)
        .replace("BEFORE", before);
    let what = format!("another frame of {name} than {before} to be drawn");
    page.wait_until(&what, &script).await
}
