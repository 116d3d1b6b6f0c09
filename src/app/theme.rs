//! The one theme: every colour, size, radius and distance that the window uses, for light and for dark.
//!
//! Colours come from [`Palette`], which knows no egui; this file alone turns them into egui's. What a widget wants to know it
//! asks here by meaning ([`ink`], [`Type`], [`space`], [`radius`]), so that no drawing holds a number of its own for a colour.
//!
//! The accent is the text's own ink: colours are kept for the five operations and for right and wrong, where they mean something.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use egui::{
    Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Margin,
    Response, Shadow, Stroke, StrokeKind, Style, TextStyle, Theme, Ui, Vec2, Visuals,
    style::{HandleShape, ScrollAnimation, ScrollStyle, Selection, WidgetVisuals, Widgets},
};

pub use crate::text::Ink;
use crate::text::{Face, Palette};

/// Distances, in points.
pub mod space {
    /// Between things that belong together.
    pub const SMALL: f32 = 8.0;
    /// Between things in a group.
    pub const MEDIUM: f32 = 16.0;
    /// Around the content of a card, between columns.
    pub const LARGE: f32 = 24.0;
    /// Around a screen.
    pub const HUGE: f32 = 32.0;
}

/// Corner radii, in points.
pub mod radius {
    /// Keycaps and number boxes.
    pub const KEYCAP: u8 = 5;
    /// Buttons, fields, rail items.
    pub const CONTROL: u8 = 8;
    /// Cards.
    pub const CARD: u8 = 12;
}

/// The least height of anything that can be clicked, in points.
pub const CONTROL_HEIGHT: f32 = 33.0;

/// Whether things may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Short transitions, where they explain.
    On,
    /// None: everything is at once where it will be.
    Off,
}

/// A kind of text: its face and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text to be read.
    Body,
    /// Text to be read, with weight: a name, a choice that is picked.
    Strong,
    /// The words on a quiet button.
    Button,
    /// The words on a filled button.
    ButtonStrong,
    /// Text that stands back.
    Small,
    /// Text that stands back, with weight.
    SmallStrong,
    /// Labels in figures.
    Figure,
    /// Labels in figures, with weight.
    FigureStrong,
    /// A key's name on its cap.
    Keycap,
    /// A question.
    Prompt,
    /// An emphasised word in a question.
    PromptItalic,
    /// The one title of a screen.
    Title,
}

impl Type {
    /// Face and size, in points.
    #[must_use]
    pub fn font(self) -> FontId {
        let (size, face) = match self {
            Self::Body => (16.0, Face::Sans),
            Self::Strong => (16.0, Face::SansSemibold),
            Self::Button => (15.0, Face::Sans),
            Self::ButtonStrong => (15.0, Face::SansSemibold),
            Self::Small => (14.0, Face::Sans),
            Self::SmallStrong => (14.0, Face::SansSemibold),
            Self::Figure => (13.0, Face::Sans),
            Self::FigureStrong => (13.0, Face::SansSemibold),
            Self::Keycap => (12.0, Face::Sans),
            Self::Prompt => (21.0, Face::Serif),
            Self::PromptItalic => (21.0, Face::SerifItalic),
            Self::Title => (28.0, Face::Serif),
        };
        FontId::new(size, FontFamily::Name(face.family_name().into()))
    }
}

/// Sets up fonts, both themes and the image loaders of a context, once.
pub fn install(ctx: &Context, motion: Motion) {
    egui_extras::install_image_loaders(ctx);
    ctx.set_fonts(fonts());
    set_motion(ctx, motion);
}

/// Switches motion on or off; also sets both themes' styles back to ours.
pub fn set_motion(ctx: &Context, motion: Motion) {
    for theme in [Theme::Light, Theme::Dark] {
        ctx.set_style_of(theme, style(theme, motion));
    }
}

/// The colour of `ink` in the theme that is shown. A [`Ui`] will do for `ctx`.
#[must_use]
pub fn ink(ctx: &Context, ink: Ink) -> Color32 {
    ink_of(ctx.theme(), ink)
}

/// The colour of `ink` in `theme`.
#[must_use]
pub fn ink_of(theme: Theme, ink: Ink) -> Color32 {
    static LIGHT: LazyLock<Palette> = LazyLock::new(Palette::light);
    static DARK: LazyLock<Palette> = LazyLock::new(Palette::dark);
    let palette = match theme {
        Theme::Light => &LIGHT,
        Theme::Dark => &DARK,
    };
    let [r, g, b] = palette.rgb(ink);
    Color32::from_rgb(r, g, b)
}

/// A line one point thick in the colour of `line`.
#[must_use]
pub fn hairline(ctx: &Context, line: Ink) -> Stroke {
    Stroke::new(1.0, ink(ctx, line))
}

/// A line of `width_points` in the accent, rounded to whole pixels so that both its sides are sharp.
#[must_use]
pub fn strong_line(ctx: &Context, width_points: f32) -> Stroke {
    let pixels_per_point = ctx.pixels_per_point();
    let width = (width_points * pixels_per_point).round().max(1.0) / pixels_per_point;
    Stroke::new(width, ink(ctx, Ink::Accent))
}

/// The colour `share` of the way from `from` to `to`: for a state between two inks, such as hovered.
#[must_use]
pub fn between(ctx: &Context, from: Ink, to: Ink, share: f32) -> Color32 {
    ink(ctx, from).lerp_to_gamma(ink(ctx, to), share)
}

/// Outlines a widget that has the keyboard focus; `radius` is the widget's own.
///
/// The ring keeps a gap of two points, so that it is seen around a filled button and around an outlined one alike.
pub fn focus_ring(ui: &Ui, response: &Response, radius: u8) {
    if response.has_focus() {
        focus_ring_around(ui, response.rect, radius);
    }
}

/// The same around a part of what has the focus.
pub fn focus_ring_around(ui: &Ui, rect: egui::Rect, radius: u8) {
    const GAP: f32 = 2.0;
    const WIDTH: f32 = 2.0;
    ui.painter().rect_stroke(
        rect.expand(GAP),
        CornerRadius::same(radius.saturating_add(GAP as u8)),
        Stroke::new(WIDTH, ink(ui, Ink::Accent)),
        StrokeKind::Outside,
    );
}

/// The bundled faces, each a family of its own with those that stand in for its missing characters. egui's own families have our
/// sans first, and egui's faces after it for what ours do not hold.
fn fonts() -> FontDefinitions {
    let mut fonts = FontDefinitions::default();
    let names = |face: Face| {
        face.chain()
            .iter()
            .map(|face| face.family_name().to_owned())
    };
    for face in Face::ALL {
        let data = FontData::from_static(face.bytes());
        let name = face.family_name();
        fonts.font_data.insert(name.into(), Arc::new(data));
        fonts
            .families
            .insert(FontFamily::Name(name.into()), names(face).collect());
    }
    if let Some(family) = fonts.families.get_mut(&FontFamily::Proportional) {
        family.splice(0..0, names(Face::Sans));
    }
    if let Some(family) = fonts.families.get_mut(&FontFamily::Monospace) {
        family.extend(names(Face::Sans));
    }
    fonts
}

fn style(theme: Theme, motion: Motion) -> Style {
    let mut style = Style {
        text_styles: text_styles(),
        drag_value_text_style: TextStyle::Body,
        visuals: visuals(theme),
        animation_time: match motion {
            Motion::On => 0.12,
            Motion::Off => 0.0,
        },
        scroll_animation: match motion {
            Motion::On => ScrollAnimation::default(),
            Motion::Off => ScrollAnimation::none(),
        },
        ..Style::default()
    };
    let spacing = &mut style.spacing;
    spacing.item_spacing = Vec2::splat(space::SMALL);
    spacing.window_margin = Margin::same(24);
    spacing.menu_margin = Margin::same(8);
    spacing.button_padding = Vec2::new(13.0, 6.0);
    spacing.interact_size = Vec2::new(40.0, CONTROL_HEIGHT);
    spacing.icon_width = 20.0;
    spacing.icon_width_inner = 10.0;
    spacing.icon_spacing = 8.0;
    spacing.indent = 28.0;
    spacing.slider_width = 200.0;
    spacing.slider_rail_height = 4.0;
    spacing.tooltip_width = 320.0;
    spacing.scroll = ScrollStyle {
        bar_width: 8.0,
        floating_width: 4.0,
        handle_min_length: 24.0,
        interact_background_opacity: 0.0,
        active_background_opacity: 0.0,
        dormant_handle_opacity: 0.25,
        active_handle_opacity: 0.4,
        interact_handle_opacity: 0.6,
        ..ScrollStyle::floating()
    };
    style.interaction.tooltip_delay = 0.4;
    style
}

fn text_styles() -> BTreeMap<TextStyle, FontId> {
    let named = |name: &str| TextStyle::Name(name.into());
    [
        (TextStyle::Body, Type::Body.font()),
        (TextStyle::Button, Type::Button.font()),
        (TextStyle::Small, Type::Small.font()),
        (TextStyle::Heading, Type::Title.font()),
        (TextStyle::Monospace, FontId::monospace(14.0)),
        (named("strong"), Type::Strong.font()),
        (named("figure"), Type::Figure.font()),
        (named("prompt"), Type::Prompt.font()),
    ]
    .into()
}

fn visuals(theme: Theme) -> Visuals {
    let of = |ink| ink_of(theme, ink);
    let line = |ink| Stroke::new(1.0, of(ink));
    let base = match theme {
        Theme::Light => Visuals::light(),
        Theme::Dark => Visuals::dark(),
    };
    let control = |fill, outline, words| WidgetVisuals {
        bg_fill: of(fill),
        weak_bg_fill: of(fill),
        bg_stroke: line(outline),
        corner_radius: CornerRadius::same(radius::CONTROL),
        fg_stroke: line(words),
        expansion: 0.0,
    };
    // The keyboard's focus, and what is pressed.
    let active = WidgetVisuals {
        bg_stroke: Stroke::new(2.0, of(Ink::Accent)),
        ..control(Ink::Wash, Ink::Accent, Ink::Text)
    };
    let mut visuals = Visuals {
        widgets: Widgets {
            noninteractive: control(Ink::Card, Ink::Line, Ink::Text),
            inactive: control(Ink::Card, Ink::Line, Ink::Text),
            hovered: control(Ink::Wash, Ink::Quiet, Ink::Text),
            active,
            open: control(Ink::Wash, Ink::Line, Ink::Text),
        },
        selection: Selection {
            bg_fill: of(Ink::Wash),
            stroke: Stroke::new(2.0, of(Ink::Accent)),
        },
        override_text_color: None,
        weak_text_color: Some(of(Ink::Quiet)),
        hyperlink_color: of(Ink::Text),
        faint_bg_color: of(Ink::Paper),
        extreme_bg_color: of(Ink::Card),
        code_bg_color: of(Ink::Wash),
        warn_fg_color: of(Ink::Wrong),
        error_fg_color: of(Ink::Wrong),
        panel_fill: of(Ink::Paper),
        window_fill: of(Ink::Card),
        window_stroke: line(Ink::Line),
        window_corner_radius: CornerRadius::same(radius::CARD),
        menu_corner_radius: CornerRadius::same(radius::CONTROL),
        window_shadow: Shadow::NONE,
        popup_shadow: Shadow::NONE,
        handle_shape: HandleShape::Circle,
        slider_trailing_fill: true,
        indent_has_left_vline: false,
        image_loading_spinners: false,
        disabled_alpha: 0.7,
        ..base
    };
    visuals.text_cursor.blink = false;
    visuals.text_cursor.stroke = Stroke::new(2.0, of(Ink::Accent));
    visuals.ime_composition.active_underline_stroke = Stroke::new(2.0, of(Ink::Accent));
    visuals.ime_composition.inactive_underline_stroke = Stroke::new(2.0, of(Ink::Quiet));
    visuals
}
