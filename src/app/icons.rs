//! The icons: our own line drawings on a grid of 24, in white, so that any ink can tint them.

use egui::{Color32, Image, ImageSource, Rect, Response, Sense, Ui, Vec2, include_image};

/// One icon. It says nothing to a screen reader: the control that carries it has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// An open book.
    Learn,
    /// An arrow that turns back.
    Review,
    /// A flask.
    Lab,
    /// Bars.
    Progress,
    /// Two sliders.
    Settings,
    /// A folder.
    Open,
    /// A tick.
    Check,
    /// A cross.
    Cross,
    /// A triangle with a stroke and a dot.
    Warning,
    /// Two sheets.
    Copy,
    /// A framed landscape.
    Picture,
    /// A magnifying glass.
    Search,
    /// An arrow to the left.
    Back,
    /// A small cross, to dismiss something.
    Close,
    /// The sun.
    Light,
    /// The moon.
    Dark,
    /// A beam on its wedge.
    Balance,
}

impl Icon {
    /// Every icon.
    pub const ALL: [Self; 17] = [
        Self::Learn,
        Self::Review,
        Self::Lab,
        Self::Progress,
        Self::Settings,
        Self::Open,
        Self::Check,
        Self::Cross,
        Self::Warning,
        Self::Copy,
        Self::Picture,
        Self::Search,
        Self::Back,
        Self::Close,
        Self::Light,
        Self::Dark,
        Self::Balance,
    ];

    /// The drawing.
    #[must_use]
    pub fn source(self) -> ImageSource<'static> {
        match self {
            Self::Learn => include_image!("../../assets/icons/learn.svg"),
            Self::Review => include_image!("../../assets/icons/review.svg"),
            Self::Lab => include_image!("../../assets/icons/lab.svg"),
            Self::Progress => include_image!("../../assets/icons/progress.svg"),
            Self::Settings => include_image!("../../assets/icons/settings.svg"),
            Self::Open => include_image!("../../assets/icons/open.svg"),
            Self::Check => include_image!("../../assets/icons/check.svg"),
            Self::Cross => include_image!("../../assets/icons/cross.svg"),
            Self::Warning => include_image!("../../assets/icons/warning.svg"),
            Self::Copy => include_image!("../../assets/icons/copy.svg"),
            Self::Picture => include_image!("../../assets/icons/picture.svg"),
            Self::Search => include_image!("../../assets/icons/search.svg"),
            Self::Back => include_image!("../../assets/icons/back.svg"),
            Self::Close => include_image!("../../assets/icons/close.svg"),
            Self::Light => include_image!("../../assets/icons/light.svg"),
            Self::Dark => include_image!("../../assets/icons/dark.svg"),
            Self::Balance => include_image!("../../assets/icons/balance.svg"),
        }
    }
}

/// Places an icon, `size` points wide and high.
pub fn icon_ui(ui: &mut Ui, icon: Icon, size: f32, color: Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(size), Sense::hover());
    paint_icon(ui, rect, icon, color);
    response
}

/// Paints an icon into `rect`, which should be square.
pub fn paint_icon(ui: &Ui, rect: Rect, icon: Icon, color: Color32) {
    Image::new(icon.source())
        .fit_to_exact_size(rect.size())
        .tint(color)
        .paint_at(ui, rect);
}
