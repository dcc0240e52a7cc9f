//! Colours of a picture by the numbers of ITU-T H.273.

mod hdr;

use moxcms::{
    CicpColorPrimaries, CicpProfile, ColorProfile, MatrixCoefficients, TransferCharacteristics,
};

pub use hdr::{Hdr, srgb_codes, step};

/// The colours and the transfer curve of the channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cicp {
    /// The colours.
    pub primaries: u8,
    /// The curve.
    pub transfer: u8,
}

impl Cicp {
    /// sRGB, the default for pictures that name no colours (ISO/IEC 23000-22, 7.3.6.4).
    pub const SRGB: Self = Self {
        primaries: 1,
        transfer: 13,
    };

    /// Returns the equivalent ICC profile, or `None` for sRGB and for numbers without a meaning.
    #[must_use]
    pub fn profile(self) -> Option<Vec<u8>> {
        let color_primaries = match self.primaries {
            0 | 2 | 3 => CicpColorPrimaries::Bt709,
            other => CicpColorPrimaries::try_from(other).ok()?,
        };
        let transfer_characteristics = match self.transfer {
            // The curve of cameras: browsers show pictures that name it by the curve of screens, as the
            // producers of such pictures do.
            1 | 2 | 6 | 14 | 15 => TransferCharacteristics::Srgb,
            other => TransferCharacteristics::try_from(other).ok()?,
        };
        let is_srgb = color_primaries == CicpColorPrimaries::Bt709
            && transfer_characteristics == TransferCharacteristics::Srgb;
        if is_srgb {
            return None;
        }
        let profile = ColorProfile::new_from_cicp(CicpProfile {
            color_primaries,
            transfer_characteristics,
            matrix_coefficients: MatrixCoefficients::Identity,
            full_range: true,
        });
        // The profile has no curve if the library knows the curve by name only.
        profile.red_trc.as_ref()?;
        profile.encode().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(primaries: u8, transfer: u8, has_profile: bool) {
        let cicp = Cicp {
            primaries,
            transfer,
        };
        assert_eq!(cicp.profile().is_some(), has_profile, "{cicp:?}");
    }

    #[test]
    fn only_non_srgb_has_a_profile() {
        assert_eq!(Cicp::SRGB.profile(), None);
        for transfer in [1, 2, 6, 13, 14, 15] {
            check(1, transfer, false);
            check(2, transfer, false);
            check(12, transfer, true);
            check(9, transfer, true);
        }
        check(1, 8, true);
        check(1, 4, true);
    }

    #[test]
    fn any_profile_is_valid_icc() {
        for number in 0..=u8::MAX {
            let (primaries, transfer) = (number, number);
            for cicp in [
                Cicp {
                    primaries,
                    ..Cicp::SRGB
                },
                Cicp {
                    transfer,
                    ..Cicp::SRGB
                },
            ] {
                let profile = cicp.profile();
                assert!(profile.is_none_or(|bytes| ColorProfile::new_from_slice(&bytes).is_ok()));
            }
        }
    }
}
