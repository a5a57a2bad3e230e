//! How far the dependencies of a workspace rise: Yarn's `nmHoistingLimits`, and
//! `installConfig.hoistingLimits` of one workspace.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HoistingLimit {
    /// To the project's node_modules.
    #[default]
    Project,
    /// To the node_modules of the workspace.
    Workspace,
    /// To that of the direct dependency that leads to them.
    DirectDependency,
}

impl HoistingLimit {
    /// By Yarn's name.
    pub fn of_name(name: &str) -> Option<HoistingLimit> {
        match name {
            "none" => Some(HoistingLimit::Project),
            "workspaces" => Some(HoistingLimit::Workspace),
            "dependencies" => Some(HoistingLimit::DirectDependency),
            _ => None,
        }
    }
}
