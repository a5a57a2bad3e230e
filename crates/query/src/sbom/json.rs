//! JSON documents as `JSON.stringify(value, null, 2)` writes them. In: values. Out: text with a
//! line break at the end.

use rusk_npm::json::quote_into;

pub enum Json {
    Text(String),
    Flag(bool),
    Number(u32),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub fn of(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Json::Text(text) => quote_into(out, text),
            Json::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::List(items) if items.is_empty() => out.push_str("[]"),
            Json::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    break_line(out, at, depth + 1);
                    item.write(out, depth + 1);
                }
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (at, (key, value)) in members.iter().enumerate() {
                    break_line(out, at, depth + 1);
                    quote_into(out, key);
                    out.push_str(": ");
                    value.write(out, depth + 1);
                }
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
                out.push('}');
            }
        }
    }
}

fn break_line(out: &mut String, at: usize, depth: usize) {
    out.push_str(if at > 0 { ",\n" } else { "\n" });
    out.push_str(&"  ".repeat(depth));
}
