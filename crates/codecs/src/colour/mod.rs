//! Colours of CIE L*a*b*, and colours multiplied with opacity.

mod lab;
mod opacity;

pub(crate) use lab::Light;
pub(crate) use opacity::divide_by_opacity;
