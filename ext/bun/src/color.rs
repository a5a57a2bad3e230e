//! Colors for `Bun.color`. In: a CSS color as text, or its channels as bytes. Out: the shortest
//! CSS, the channels as sRGB, and the color as HSL and Lab. Absent: forms of output that follow
//! from the channels (`js/internal/bun/color.js`).

use lightningcss::printer::PrinterOptions;
use lightningcss::traits::{Parse, ToCss};
use lightningcss::values::color::{CssColor, HSL, LAB, RGBA};
use rusk_jsc::{Call, Object, Outcome, Scope, Value};
use rusk_runtime::values::{string_argument, u32_argument};

/// (text), or (red, green, blue, alpha): `[css, red, green, blue, alpha, hsl, lab]`. A color that
/// the page decides, such as `currentColor`, has only the first. `undefined`: no color.
pub(crate) fn parse<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let color = if call.argument(scope, 1).is_undefined(scope) {
        CssColor::parse_string(&string_argument(scope, call, 0)?).ok()
    } else {
        let byte = |index| u32_argument(scope, call, index).map(|channel| channel.min(255) as u8);
        let (red, green, blue, alpha) = (byte(0)?, byte(1)?, byte(2)?, byte(3)?);
        Some(CssColor::RGBA(RGBA { red, green, blue, alpha }))
    };
    match color.as_ref().and_then(|color| parts(scope, color)) {
        Some(parts) => scope.array(&parts).map(Object::value),
        None => Ok(scope.undefined()),
    }
}

fn parts<'s>(scope: &'s Scope, color: &CssColor) -> Option<Vec<Value<'s>>> {
    let css = color.to_css_string(PrinterOptions { minify: true, ..PrinterOptions::default() }).ok()?;
    let mut parts = vec![scope.string(&css)];
    let Ok(rgba) = RGBA::try_from(color) else { return Some(parts) };
    let [red, green, blue] = [rgba.red, rgba.green, rgba.blue].map(|channel| scope.number(channel.into()));
    parts.extend([red, green, blue, scope.number(rgba.alpha.into())]);
    let hsl = HSL::try_from(color).ok()?;
    parts.push(scope.string(&format!("{}, {}%, {}%", number(hsl.h), number(hsl.s), number(hsl.l))));
    let lab = LAB::try_from(color).ok()?;
    parts.push(scope.string(&format!("{}% {} {}", number(lab.l), number(lab.a), number(lab.b))));
    Some(parts)
}

/// A component that is absent, such as the hue of a grey, counts as zero.
fn number(component: f32) -> f32 {
    if component.is_nan() { 0.0 } else { component }
}
