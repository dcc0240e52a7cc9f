//! `fumi thumb-worker`: decodes pictures for the program that started it. A hostile picture can crash only this
//! process.

use fumikura_image::InProcess;
use fumikura_thumbs::serve;

pub(crate) fn run() -> anyhow::Result<()> {
    let decoder = |limits| InProcess {
        limits,
        codecs: fumikura_codecs::all(),
    };
    Ok(serve(decoder)?)
}
