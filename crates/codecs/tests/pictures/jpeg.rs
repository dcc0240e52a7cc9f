//! JPEG.

use crate::scene;

#[test]
fn the_scene_is_shown() {
    scene::check("progressive.jpg", 6);
    scene::check("display-p3.jpg", 6);
}

/// Inks, with a profile of the printer and without.
#[test]
fn cmyk_is_shown_as_rgb() {
    scene::check("cmyk.jpg", 6);
    scene::check("cmyk-profile.jpg", 8);
}
