//! `fumi thumb-worker`: decodes pictures for the program that started it. A hostile picture can crash only this
//! process.

use fumikura_thumbs::serve;

pub(crate) fn run() -> anyhow::Result<()> {
    Ok(serve(fumikura_codecs::in_process)?)
}
