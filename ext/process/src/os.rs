//! `internalBinding('os')`: what the machine is. In: nothing, or a number. Out: texts and numbers,
//! several in one flat array; errnos less than 0.

use std::net::IpAddr;

use rusk_base::sys::{credentials, interfaces, process};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope, Value};

use super::process::available;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno, int, negative};

/// Clock ticks that /proc/stat counts by: what the kernel has shown to programs on all processors
/// for decades.
const TICK_MS: f64 = 10.0;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "uname", |scope, _| {
        let words = process::uname().map(|word| scope.string(&word));
        list(scope, &words)
    })?;
    add(scope, natives, "libraryVersion", |scope, _| Ok(scope.string(&process::glibc_version())))?;
    add(scope, natives, "uptime", |scope, _| Ok(scope.number((process::uptime() * 100.0).round() / 100.0)))?;
    add(scope, natives, "loads", |scope, _| {
        let loads = process::load_averages().map(|load| scope.number(load));
        list(scope, &loads)
    })?;
    add(scope, natives, "memory", |scope, _| {
        list(scope, &[scope.number(process::total_memory() as f64), scope.number(available())])
    })?;
    add(scope, natives, "parallelism", |scope, _| Ok(scope.number(process::available_processors() as f64)))?;
    add(scope, natives, "processors", processors)?;
    add(scope, natives, "interfaces", addresses)?;
    add(scope, natives, "getPriority", |scope, call| {
        let (status, value) = match credentials::priority(int(scope, call, 0)?) {
            Ok(value) => (0.0, f64::from(value)),
            Err(error) => (negative(error), 0.0),
        };
        list(scope, &[scope.number(status), scope.number(value)])
    })?;
    add(scope, natives, "setPriority", |scope, call| {
        errno(scope, credentials::set_priority(int(scope, call, 0)?, int(scope, call, 1)?))
    })?;
    add(scope, natives, "user", user)?;
    Ok(natives)
}

fn list<'s>(scope: &'s Scope, values: &[Value<'_>]) -> Outcome<'s> {
    scope.array(values).map(Object::value)
}

/// -1: the user of this process. Out: name, user, group, home, shell.
fn user<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let number = u32::try_from(int(scope, call, 0)?).unwrap_or_else(|_| credentials::ids()[0]);
    match credentials::user(number) {
        Ok(Some(user)) => {
            let (name, home, shell) =
                (scope.string(&user.name), scope.string(&user.home), scope.string(&user.shell));
            let (own, group) = (scope.number(user.user.into()), scope.number(user.group.into()));
            list(scope, &[name, own, group, home, shell])
        }
        Ok(None) => Ok(scope.number(-2.0)),
        Err(error) => Ok(scope.number(negative(error))),
    }
}

/// For each: model, speed, and its time as user, nice, system, idle, interrupts.
fn processors<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |names: &[&str]| -> Vec<String> {
        let lines = described.lines().filter_map(|line| line.split_once(':'));
        let own = lines.filter(|(name, _)| names.contains(&name.trim()));
        own.map(|(_, value)| value.trim().to_owned()).collect()
    };
    let (models, speeds) = (field(&["model name"]), field(&["cpu MHz"]));
    let times = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let mut found = Vec::new();
    let lines = times.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu "));
    for (index, line) in lines.enumerate() {
        let mut ticks =
            line.split_ascii_whitespace().skip(1).map(|ticks| ticks.parse().unwrap_or(0.0) * TICK_MS);
        let mut next = || ticks.next().unwrap_or(0.0);
        let (user, nice, system, idle, _waiting, interrupts) =
            (next(), next(), next(), next(), next(), next());
        let speed = scaled(index).or_else(|| speeds.get(index)?.parse::<f64>().ok().map(f64::trunc));
        found.push(scope.string(models.get(index).map_or("unknown", String::as_str)));
        let numbers = [speed.unwrap_or(0.0), user, nice, system, idle, interrupts];
        found.extend(numbers.map(|number| scope.number(number)));
    }
    list(scope, &found)
}

/// Megahertz, where the kernel sets the speed.
fn scaled(index: usize) -> Option<f64> {
    let path = format!("/sys/devices/system/cpu/cpu{index}/cpufreq/scaling_cur_freq");
    let kilohertz = std::fs::read_to_string(path).ok()?.trim().parse::<f64>().ok()?;
    Some((kilohertz / 1000.0).trunc())
}

/// For each: name, address, mask, family, hardware address, whether it is internal, scope.
fn addresses<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let interfaces = match interfaces::interfaces() {
        Ok(interfaces) => interfaces,
        Err(error) => return Ok(scope.number(negative(error))),
    };
    let mut found = Vec::new();
    for interface in interfaces {
        let family = if matches!(interface.address, IpAddr::V4(_)) { "IPv4" } else { "IPv6" };
        let hardware = interface.hardware.map(|byte| format!("{byte:02x}")).join(":");
        let texts = [
            interface.name,
            interface.address.to_string(),
            interface.mask.to_string(),
            family.to_owned(),
            hardware,
        ];
        found.extend(texts.iter().map(|text| scope.string(text)));
        found.push(scope.boolean(interface.is_internal));
        found.push(scope.number(interface.scope.into()));
    }
    list(scope, &found)
}
