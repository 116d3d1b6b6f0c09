//! Until `text/` lands: its `Ink` and `Palette` by the same names, and the faces. To be deleted when it does.
#![allow(missing_docs)]

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    Paper,
    Card,
    Wash,
    Line,
    Text,
    Quiet,
    Accent,
    OnAccent,
    Right,
    Wrong,
    Sum,
    PlainMean,
    WeightedAverage,
    Highest,
    Lowest,
    Block,
    BlockStrong,
    BlockLine,
}

pub struct Palette([u32; 18]);

impl Palette {
    pub fn light() -> Self {
        Self([
            0xF7F5F0, 0xFFFFFF, 0xEBE7DD, 0xE4E0D6, 0x1F2328, 0x5D626B, 0x1F2328, 0xFFFFFF, 0x276F38,
            0xB83227, 0x862E9C, 0xB93C0B, 0x3453D1, 0x0B7285, 0x536E0B, 0xDADBDC, 0xC8CACC, 0x43464B,
        ])
    }
    pub fn dark() -> Self {
        Self([
            0x15171C, 0x1D2026, 0x2A2E36, 0x31353D, 0xE8E6E1, 0xA3A9B1, 0xE8E6E1, 0x15171C, 0x7CCB8D,
            0xF0897F, 0xD59BE6, 0xFFA066, 0x8DA2FB, 0x63D3E4, 0xB5D96A, 0x3A3D43, 0x4A4E56, 0xC9C8C4,
        ])
    }
    pub fn rgb(&self, ink: Ink) -> [u8; 3] {
        let [_, r, g, b] = self.0.get(ink as usize).copied().unwrap_or(0).to_be_bytes();
        [r, g, b]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Sans,
    SansSemibold,
    SansItalic,
    Serif,
    SerifItalic,
}

impl Face {
    pub const fn family_name(self) -> &'static str {
        match self {
            Self::Sans => "Source Sans 3",
            Self::SansSemibold => "Source Sans 3 Semibold",
            Self::SansItalic => "Source Sans 3 Italic",
            Self::Serif => "Source Serif 4",
            Self::SerifItalic => "Source Serif 4 Italic",
        }
    }
}

pub fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let faces: [(Face, &'static [u8]); 5] = [
        (Face::Sans, include_bytes!("../../assets/fonts/SourceSans3-Regular.ttf")),
        (Face::SansSemibold, include_bytes!("../../assets/fonts/SourceSans3-Semibold.ttf")),
        (Face::SansItalic, include_bytes!("../../assets/fonts/SourceSans3-It.ttf")),
        (Face::Serif, include_bytes!("../../assets/fonts/SourceSerif4-Regular.ttf")),
        (Face::SerifItalic, include_bytes!("../../assets/fonts/SourceSerif4-It.ttf")),
    ];
    let sans = Face::Sans.family_name().to_owned();
    for (face, bytes) in faces {
        let name = face.family_name();
        fonts.font_data.insert(name.into(), Arc::new(FontData::from_static(bytes)));
        fonts.families.insert(FontFamily::Name(name.into()), vec![name.into(), sans.clone()]);
    }
    if let Some(family) = fonts.families.get_mut(&FontFamily::Proportional) {
        family.insert(0, sans);
    }
    fonts
}
