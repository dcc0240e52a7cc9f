//! Pictures of every screen, light and dark, in English and Japanese: of the real window in the size of the
//! design drawings, and of Chromium for narrow and zoomed pages.

mod narrow;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use fumikura_tests::page::Page;
use fumikura_tests::screen::{Area, Picture, Screen};
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, Display, Kind, Stage};
use fumikura_tests::tour::{Visitor, first_day, tour};
use fumikura_tests::wait;
use reqwest::Method;
use serde_json::json;

/// The size of the design drawings.
const SIZE: (u16, u16) = (1360, 860);

const LANGUAGES: [&str; 2] = ["en", "ja"];

const THEMES: [&str; 2] = ["light", "dark"];

/// The two pictures of the README: the file, the language, the theme, the screen.
const README: &[(&str, &str, &str, &str)] = &[
    ("wiki.png", "ja", "light", "desk"),
    ("pictures.png", "en", "dark", "shelf"),
];

/// Returns what is still loading or moving. A picture that can't be decoded is complete with its mark;
/// endless animations (a caret) are ignored.
const PENDING: &str = r#"
    const cells = [...document.querySelectorAll('[data-testid="cell"][data-kind="picture"]')];
    const moving = document.getAnimations().filter((animation) => animation.playState === 'running'
        && animation.effect.getTiming().iterations !== Infinity);
    return [
        ...(document.fonts.status === 'loaded' ? [] : ['fonts']),
        ...(document.querySelector('[data-testid="skeleton"]') === null ? [] : ['a skeleton']),
        ...cells.filter((cell) => cell.querySelector('[data-testid="thumb"], [data-testid="thumb-failed"]') === null)
            .map((cell) => `the cell of ${cell.dataset.name}`),
        ...[...document.images].filter((image) => !image.complete).map((image) => image.src),
        ...moving.map((animation) => `the animation of ${animation.effect.target?.className}`),
    ];"#;

/// The time without changes after which the screen counts as painted.
const STILL: Duration = Duration::from_millis(300);

#[derive(Parser)]
struct Options {
    /// Folder for the two pictures of the README
    #[arg(long)]
    readme: PathBuf,
    /// Folder for all pictures
    #[arg(long)]
    all: PathBuf,
    /// In which language, if not in every one
    #[arg(long)]
    language: Option<String>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = Options::parse();
    fs::create_dir_all(&options.all)?;
    fs::create_dir_all(&options.readme)?;
    let is_wanted = |language: &str| {
        options
            .language
            .as_deref()
            .is_none_or(|only| only == language)
    };
    for language in LANGUAGES.into_iter().filter(|one| is_wanted(one)) {
        photograph(language, &options.all).await?;
        narrow::photograph(language, &options.all).await?;
    }
    for (file, language, theme, screen) in README.iter().filter(|(_, one, ..)| is_wanted(one)) {
        fs::copy(
            options.all.join(name(language, theme, screen)),
            options.readme.join(file),
        )?;
    }
    Ok(())
}

fn name(language: &str, theme: &str, screen: &str) -> String {
    format!("{screen}-{theme}-{language}.png")
}

async fn photograph(language: &str, all: &Path) -> Result<()> {
    let mut stage = Stage::new(Kind::Window).await?;
    if language == "ja" {
        stage.home_mut().use_japanese().await?;
    }
    stage.start(&[]).await?;
    // Away from all elements.
    let aside = ["mousemove", "0", "0"];
    stage.display().xdotool(&aside).await?;
    resize(&stage).await?;
    let api = stage.api().await?;
    for theme in THEMES {
        set(&api, json!({ "theme": theme, "language": language })).await?;
        stage.page().client().refresh().await?;
        stage.page().wait_for("greeting").await?;
        let mut camera = Camera::new(language, all, &stage)?;
        camera.theme = theme;
        camera.visit(stage.page(), "greeting").await?;
    }
    register(&api, language).await?;
    for theme in THEMES {
        set(&api, json!({ "theme": theme })).await?;
        let mut camera = Camera::new(language, all, &stage)?;
        camera.theme = theme;
        first_day(stage.page(), &api, language, &mut camera).await?;
    }
    seed::storehouse(&api, language).await?;
    stage.stop().await?;

    // First the views of a user who has only pages and ordinary pictures.
    let folders = seed::folders(stage.home())?;
    open(&mut stage, &folders[..1]).await?;
    let api = stage.api().await?;
    let shelf = stage.page().client().current_url().await?;
    let mut camera = Camera::new(language, all, &stage)?;
    for theme in THEMES {
        set(&api, json!({ "theme": theme })).await?;
        camera.theme = theme;
        stage.page().go(shelf.as_str()).await?;
        stage.page().wait_for("cell").await?;
        camera.visit(stage.page(), "shelf").await?;
        let garden = shelf.join(&format!("/wiki{}", seed::garden(language)))?;
        stage.page().go(garden.as_str()).await?;
        stage.page().wait_for("backlink").await?;
        camera.visit(stage.page(), "desk").await?;
    }
    seed::traces(&api, language).await?;
    stage.stop().await?;

    open(&mut stage, &folders).await?;
    seed::remove_memory_card(stage.home())?;
    let page = stage.page();
    let api = stage.api().await?;
    let mut camera = Camera::new(language, all, &stage)?;
    for theme in THEMES {
        set(&api, json!({ "theme": theme })).await?;
        camera.theme = theme;
        if let Err(error) = tour(page, &api, language, &mut camera).await {
            let picture = all.join(name(language, theme, "failed"));
            camera.capture()?.save(&picture)?;
            return Err(error.context(format!(
                "the screen at that time is in {}",
                picture.display()
            )));
        }
    }
    Ok(())
}

/// Starts the window with folders, and shows the first.
async fn open(stage: &mut Stage, folders: &[PathBuf]) -> Result<()> {
    stage.start(folders).await?;
    resize(stage).await?;
    stage.page().wait_for("cell").await?;
    Ok(())
}

/// Registers the first user, with this language.
async fn register(api: &Api, language: &str) -> Result<()> {
    // Before the root page is created, which is written in this language.
    set(api, json!({ "language": language })).await?;
    let name = seed::in_language(language, "Aya", "綾");
    api.post("api/users", &json!({ "name": name })).await?;
    Ok(())
}

async fn set(api: &Api, settings: serde_json::Value) -> Result<()> {
    let json = [("content-type", "application/json")];
    api.send(Method::PATCH, "api/settings", &json, settings.to_string())
        .await?
        .error_for_status()?;
    Ok(())
}

/// Waits until everything has loaded.
async fn wait_until_loaded(page: &Page) -> Result<()> {
    wait::until("everything to be loaded", async || {
        let pending = page.execute(PENDING).await?;
        let pending = pending.as_array().context("a list of pending elements")?;
        ensure!(pending.is_empty(), "still pending: {pending:?}");
        Ok(Some(()))
    })
    .await
}

/// Gives the window the size of the pictures.
async fn resize(stage: &Stage) -> Result<()> {
    stage.page().wait_for_selector("main").await?;
    let window = the_window(&Screen::of(stage.display())?)?;
    set_size(stage.display(), stage.page(), window, SIZE).await
}

async fn set_size(
    display: &Display,
    page: &Page,
    window: u32,
    (width, height): (u16, u16),
) -> Result<()> {
    display
        .xdotool(&[
            "windowsize",
            "--sync",
            &window.to_string(),
            &width.to_string(),
            &height.to_string(),
        ])
        .await?;
    let wanted = format!("return innerWidth === {width} && innerHeight === {height}");
    page.wait_until("the window to have its size", &wanted)
        .await
}

fn the_window(screen: &Screen) -> Result<u32> {
    screen.windows()?.first().copied().context("a window")
}

/// Takes the pictures from the screen: the driver's own wait for a frame, and a driven window may stop
/// painting until it gets input.
struct Camera<'a> {
    language: &'a str,
    theme: &'a str,
    all: &'a Path,
    display: &'a Display,
    screen: Screen,
    window: u32,
}

impl<'a> Camera<'a> {
    fn new(language: &'a str, all: &'a Path, stage: &'a Stage) -> Result<Self> {
        let screen = Screen::of(stage.display())?;
        let window = the_window(&screen)?;
        Ok(Self {
            language,
            theme: "light",
            all,
            display: stage.display(),
            screen,
            window,
        })
    }

    fn capture(&self) -> Result<Picture> {
        let (width, height) = SIZE;
        self.screen.capture(
            self.window,
            Area {
                x: 0,
                y: 0,
                width,
                height,
            },
        )
    }
}

impl Visitor for Camera<'_> {
    /// Waits until everything has loaded and is painted, and takes the picture.
    async fn visit(&mut self, page: &Page, screen: &str) -> Result<()> {
        wait_until_loaded(page).await?;
        let mut before = None;
        let picture = wait::until("the screen to stand still", async || {
            // A change of size forces a repaint. The larger size comes first: if painting stops after that,
            // the edge is painted too.
            for size in [(SIZE.0 + 2, SIZE.1), SIZE] {
                set_size(self.display, page, self.window, size).await?;
            }
            tokio::time::sleep(STILL).await;
            let now = self.capture()?;
            let still = before.as_ref().is_some_and(|then| now.is_like(then));
            before = Some(now);
            Ok(before.take_if(|_| still))
        })
        .await?;
        picture.save(&self.all.join(name(self.language, self.theme, screen)))
    }
}
