//! Tools that do not work with packages outside of the project, found by testing; see
//! docs/contributing/node-modules-layouts.md. In: a project's dependencies. Out: the first such
//! tool.

use rusk_resolver::members::Members;

/// Names of packages. `expo` and `react-native` bundle with `metro`.
const INCOMPATIBLE_TOOLS: &[&str] = &["expo", "metro", "nuxt", "react-native", "storybook"];

/// A tool that some member of the project depends on, and that prevents sharing.
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
