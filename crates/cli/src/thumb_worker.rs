//! `fumi thumb-worker`: decodes pictures for the program that started it, and may die of them.

use fumikura_image::InProcess;
use fumikura_thumbs::serve;

pub(crate) fn run() -> anyhow::Result<()> {
    let decoder = |limits| InProcess {
        limits,
        codecs: fumikura_codecs::all(),
    };
    Ok(serve(decoder)?)
}
