//! JPEG.

use crate::scene;

#[test]
fn the_scene_is_shown() {
    scene::check("progressive.jpg", 6);
    scene::check("display-p3.jpg", 6);
}

/// Inks, with a profile of the printer and without.
#[test]
fn inks_are_shown_as_light() {
    scene::check("cmyk.jpg", 6);
    scene::check("cmyk-profile.jpg", 8);
}
