//! Tools that cannot live with packages outside of the project: found by trying, see
//! docs/contributing/node-modules-layouts.md. In: what a project asks for. Out: the first such
//! tool.

use crate::project::Members;

/// Names of packages. `expo` and `react-native` bundle with `metro`.
const INCOMPATIBLE_TOOLS: &[&str] = &["expo", "metro", "nuxt", "react-native", "storybook"];

/// A tool that some member of the project asks for, and that keeps it from sharing.
pub fn find(members: &Members) -> Option<&'static str> {
    let names = |name: &str| {
        members.all().any(|member| {
            let groups = member.manifest.groups();
            groups
                .iter()
                .any(|(_, dependencies)| dependencies.iter().any(|dependency| &*dependency.0 == name))
        })
    };
    INCOMPATIBLE_TOOLS.iter().copied().find(|tool| names(tool))
}
