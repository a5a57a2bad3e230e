//! The statement about a build, as in-toto and SLSA define it and registries read it. In: the
//! package, the variables that a CI service sets. Out: JSON. A variable that is not set is absent
//! or empty in the statement.

use std::collections::BTreeMap;

use rusk_npm::json::Node;
use rusk_npm::json::text::{array, object, string};
use rusk_npm::name::PackageName;

use super::strings;

/// A service whose jobs have an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    GitHub,
    GitLab,
}

impl Service {
    pub fn of(environment: &BTreeMap<String, String>) -> Option<Service> {
        let is_set = |name: &str| environment.get(name).is_some_and(|value| !value.is_empty());
        match () {
            () if is_set("GITHUB_ACTIONS") => Some(Service::GitHub),
            () if is_set("GITLAB_CI") => Some(Service::GitLab),
            () => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Service::GitHub => "GitHub Actions",
            Service::GitLab => "GitLab CI",
        }
    }
}

/// The package that a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// A package URL: `pkg:npm/%40scope/name@1.0.0`.
    url: String,
    /// The tarball's SHA-512 in hexadecimal digits.
    sha512: String,
}

impl Subject {
    pub fn new(name: &PackageName, version: &str, sha512: &[u8]) -> Subject {
        let name = name.as_str().replace('@', "%40");
        let sha512 = sha512.iter().map(|byte| format!("{byte:02x}")).collect();
        Subject { url: format!("pkg:npm/{name}@{version}"), sha512 }
    }

    /// The error says what differs.
    pub(super) fn compare(&self, named: &Node<'_>) -> Result<(), String> {
        let name = named.find("name").and_then(Node::as_str).unwrap_or_default();
        if name != self.url {
            return Err(format!("its statement is about `{name}`, not `{}`", self.url));
        }
        let digest = named.find("digest").and_then(|digest| digest.find("sha512")?.as_str());
        match digest == Some(&self.sha512) {
            true => Ok(()),
            false => Err("its statement is about another tarball".to_owned()),
        }
    }

    fn text(&self) -> String {
        let digest = object(&strings(&[("sha512", &self.sha512)]));
        array(std::iter::once(object(&[("name", string(&self.url)), ("digest", digest)])))
    }
}

/// JSON.
pub struct Statement {
    pub text: String,
}

impl Statement {
    pub fn new(service: Service, environment: &BTreeMap<String, String>, subject: &Subject) -> Statement {
        let variables = Variables(environment);
        let (statement, predicate_type, predicate) = match service {
            Service::GitHub => {
                ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1", github(&variables))
            }
            Service::GitLab => {
                ("https://in-toto.io/Statement/v0.1", "https://slsa.dev/provenance/v0.2", gitlab(&variables))
            }
        };
        let text = object(&[
            ("_type", string(statement)),
            ("subject", subject.text()),
            ("predicateType", string(predicate_type)),
            ("predicate", predicate),
        ]);
        Statement { text }
    }
}

struct Variables<'a>(&'a BTreeMap<String, String>);

impl Variables<'_> {
    /// Empty if it is not set.
    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

/// The build type of GitHub's workflows, version 1, in SLSA 1.0.
fn github(variables: &Variables<'_>) -> String {
    let get = |name| variables.get(name);
    let repository = format!("{}/{}", get("GITHUB_SERVER_URL"), get("GITHUB_REPOSITORY"));
    // `owner/name/.github/workflows/publish.yml@refs/heads/main`
    let workflow = get("GITHUB_WORKFLOW_REF").strip_prefix(get("GITHUB_REPOSITORY")).unwrap_or_default();
    let (path, reference) = workflow.trim_start_matches('/').split_once('@').unwrap_or_default();
    let workflow = strings(&[("ref", reference), ("repository", &repository), ("path", path)]);
    let github = strings(&[
        ("event_name", get("GITHUB_EVENT_NAME")),
        ("repository_id", get("GITHUB_REPOSITORY_ID")),
        ("repository_owner_id", get("GITHUB_REPOSITORY_OWNER_ID")),
    ]);
    let source = material(&format!("{repository}@{}", get("GITHUB_REF")), "gitCommit", get("GITHUB_SHA"));
    let definition = object(&[
        ("buildType", string("https://slsa-framework.github.io/github-actions-buildtypes/workflow/v1")),
        ("externalParameters", object(&[("workflow", object(&workflow))])),
        ("internalParameters", object(&[("github", object(&github))])),
        ("resolvedDependencies", source),
    ]);
    let builder = format!("https://github.com/actions/runner/{}", get("RUNNER_ENVIRONMENT"));
    let (run, attempt) = (get("GITHUB_RUN_ID"), get("GITHUB_RUN_ATTEMPT"));
    let invocation = format!("{repository}/actions/runs/{run}/attempts/{attempt}");
    let details = object(&[
        ("builder", object(&strings(&[("id", &builder)]))),
        ("metadata", object(&strings(&[("invocationId", &invocation)]))),
    ]);
    object(&[("buildDefinition", definition), ("runDetails", details)])
}

/// The variables of a GitLab job that describe the build. Named one by one: others hold secrets.
const GITLAB_PARAMETERS: &[&str] = &[
    "CI",
    "CI_API_V4_URL",
    "CI_COMMIT_BEFORE_SHA",
    "CI_COMMIT_BRANCH",
    "CI_COMMIT_REF_NAME",
    "CI_COMMIT_REF_PROTECTED",
    "CI_COMMIT_REF_SLUG",
    "CI_COMMIT_SHA",
    "CI_COMMIT_SHORT_SHA",
    "CI_COMMIT_TIMESTAMP",
    "CI_COMMIT_TITLE",
    "CI_CONFIG_PATH",
    "CI_DEFAULT_BRANCH",
    "CI_JOB_ID",
    "CI_JOB_NAME",
    "CI_JOB_STAGE",
    "CI_JOB_STARTED_AT",
    "CI_JOB_URL",
    "CI_NODE_TOTAL",
    "CI_PIPELINE_CREATED_AT",
    "CI_PIPELINE_ID",
    "CI_PIPELINE_IID",
    "CI_PIPELINE_SOURCE",
    "CI_PIPELINE_URL",
    "CI_PROJECT_ID",
    "CI_PROJECT_NAME",
    "CI_PROJECT_NAMESPACE",
    "CI_PROJECT_NAMESPACE_ID",
    "CI_PROJECT_PATH",
    "CI_PROJECT_ROOT_NAMESPACE",
    "CI_PROJECT_TITLE",
    "CI_PROJECT_URL",
    "CI_PROJECT_VISIBILITY",
    "CI_RUNNER_DESCRIPTION",
    "CI_RUNNER_ID",
    "CI_RUNNER_TAGS",
    "CI_SERVER_HOST",
    "CI_SERVER_NAME",
    "CI_SERVER_REVISION",
    "CI_SERVER_URL",
    "CI_SERVER_VERSION",
    "GITLAB_CI",
    "GITLAB_USER_ID",
    "GITLAB_USER_LOGIN",
];

/// The build type that npm defined for GitLab, in SLSA 0.2.
fn gitlab(variables: &Variables<'_>) -> String {
    let get = |name| variables.get(name);
    let project = get("CI_PROJECT_URL");
    let set = GITLAB_PARAMETERS.iter().filter(|name| variables.0.contains_key(**name));
    let parameters: Vec<(&str, String)> = set.map(|name| (*name, string(get(name)))).collect();
    let source = object(&[
        ("uri", string(&format!("git+{project}"))),
        ("digest", object(&strings(&[("sha1", get("CI_COMMIT_SHA"))]))),
        ("entryPoint", string(get("CI_JOB_NAME"))),
    ]);
    let pipeline = strings(&[("id", get("CI_PIPELINE_ID")), ("ref", get("CI_CONFIG_PATH"))]);
    let runner = object(&[
        ("name", string(get("CI_RUNNER_DESCRIPTION"))),
        ("architecture", string(get("CI_RUNNER_EXECUTABLE_ARCH"))),
        ("server", string(get("CI_SERVER_URL"))),
        ("project", string(get("CI_PROJECT_PATH"))),
        ("job", object(&strings(&[("id", get("CI_JOB_ID"))]))),
        ("pipeline", object(&pipeline)),
    ]);
    let invocation =
        object(&[("configSource", source), ("parameters", object(&parameters)), ("environment", runner)]);
    let is = |value: bool| value.to_string();
    let completeness =
        object(&[("parameters", is(true)), ("environment", is(true)), ("materials", is(false))]);
    let metadata = object(&[
        ("buildInvocationId", string(get("CI_JOB_URL"))),
        ("completeness", completeness),
        ("reproducible", is(false)),
    ]);
    let builder = format!("{project}/-/runners/{}", get("CI_RUNNER_ID"));
    object(&[
        ("buildType", string("https://github.com/npm/cli/gitlab/v0alpha1")),
        ("builder", object(&strings(&[("id", &builder)]))),
        ("invocation", invocation),
        ("metadata", metadata),
        ("materials", material(project, "sha1", get("CI_COMMIT_SHA"))),
    ])
}

/// The list of what was built: one commit.
fn material(repository: &str, algorithm: &str, commit: &str) -> String {
    let digest = object(&strings(&[(algorithm, commit)]));
    array(std::iter::once(object(&[("uri", string(&format!("git+{repository}"))), ("digest", digest)])))
}
