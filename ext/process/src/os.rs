//! `internalBinding('os')`: information about the operating system and the computer. In: nothing,
//! or a number. Out: strings and numbers, several of them in one flat array; errnos less than 0.

use std::net::IpAddr;

use rusk_base::sys::{credentials, interfaces, process};
use rusk_jsc::{Call, Exception, Object, Outcome, Scope, Value};

use super::process::available;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{errno_result, i32_argument, negative_errno};

/// Milliseconds of a clock tick in /proc/stat: USER_HZ is 100 on all supported architectures.
const TICK_MS: f64 = 10.0;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "uname", |scope, _| {
        let fields = process::uname().map(|field| scope.string(&field));
        list(scope, &fields)
    })?;
    add(scope, binding, "libraryVersion", |scope, _| Ok(scope.string(&process::glibc_version())))?;
    add(scope, binding, "uptime", |scope, _| Ok(scope.number((process::uptime() * 100.0).round() / 100.0)))?;
    add(scope, binding, "loadAverages", |scope, _| {
        let loads = process::load_averages().map(|load| scope.number(load));
        list(scope, &loads)
    })?;
    add(scope, binding, "memory", |scope, _| {
        list(scope, &[scope.number(process::total_memory() as f64), scope.number(available())])
    })?;
    add(scope, binding, "parallelism", |scope, _| Ok(scope.number(process::available_processors() as f64)))?;
    add(scope, binding, "cpus", cpus)?;
    add(scope, binding, "interfaces", network_interfaces)?;
    add(scope, binding, "getPriority", |scope, call| {
        let (status, value) = match credentials::priority(i32_argument(scope, call, 0)?) {
            Ok(value) => (0.0, f64::from(value)),
            Err(error) => (negative_errno(error), 0.0),
        };
        list(scope, &[scope.number(status), scope.number(value)])
    })?;
    add(scope, binding, "setPriority", |scope, call| {
        RuntimeState::current().change_process();
        errno_result(
            scope,
            credentials::set_priority(i32_argument(scope, call, 0)?, i32_argument(scope, call, 1)?),
        )
    })?;
    add(scope, binding, "user", user)?;
    Ok(binding)
}

fn list<'s>(scope: &'s Scope, values: &[Value<'_>]) -> Outcome<'s> {
    scope.array(values).map(Object::value)
}

/// (UID, or -1 for the user of this process): name, UID, GID, home directory, shell.
fn user<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let uid = u32::try_from(i32_argument(scope, call, 0)?).unwrap_or_else(|_| credentials::ids()[0]);
    match credentials::user(uid) {
        Ok(Some(user)) => {
            let (name, home, shell) =
                (scope.string(&user.name), scope.string(&user.home), scope.string(&user.shell));
            let (uid, gid) = (scope.number(user.user.into()), scope.number(user.group.into()));
            list(scope, &[name, uid, gid, home, shell])
        }
        Ok(None) => Ok(scope.number(-2.0)),
        Err(error) => Ok(scope.number(negative_errno(error))),
    }
}

/// For each CPU: model, speed in MHz, and times as user, nice, system, idle, interrupts in ms.
fn cpus<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |names: &[&str]| -> Vec<String> {
        let lines = cpuinfo.lines().filter_map(|line| line.split_once(':'));
        let matching = lines.filter(|(name, _)| names.contains(&name.trim()));
        matching.map(|(_, value)| value.trim().to_owned()).collect()
    };
    let (models, speeds) = (field(&["model name"]), field(&["cpu MHz"]));
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let mut values = Vec::new();
    let lines = stat.lines().filter(|line| line.starts_with("cpu") && !line.starts_with("cpu "));
    for (index, line) in lines.enumerate() {
        let mut ticks =
            line.split_ascii_whitespace().skip(1).map(|ticks| ticks.parse().unwrap_or(0.0) * TICK_MS);
        let mut next = || ticks.next().unwrap_or(0.0);
        let (user, nice, system, idle, _iowait, interrupts) =
            (next(), next(), next(), next(), next(), next());
        let speed =
            scaling_frequency(index).or_else(|| speeds.get(index)?.parse::<f64>().ok().map(f64::trunc));
        values.push(scope.string(models.get(index).map_or("unknown", String::as_str)));
        let numbers = [speed.unwrap_or(0.0), user, nice, system, idle, interrupts];
        values.extend(numbers.map(|number| scope.number(number)));
    }
    list(scope, &values)
}

/// MHz, where the kernel scales the frequency.
fn scaling_frequency(index: usize) -> Option<f64> {
    let path = format!("/sys/devices/system/cpu/cpu{index}/cpufreq/scaling_cur_freq");
    let kilohertz = std::fs::read_to_string(path).ok()?.trim().parse::<f64>().ok()?;
    Some((kilohertz / 1000.0).trunc())
}

/// For each address: name, address, netmask, family, MAC address, whether it is internal, scope ID.
fn network_interfaces<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    let interfaces = match interfaces::interfaces() {
        Ok(interfaces) => interfaces,
        Err(error) => return Ok(scope.number(negative_errno(error))),
    };
    let mut values = Vec::new();
    for interface in interfaces {
        let family = if matches!(interface.address, IpAddr::V4(_)) { "IPv4" } else { "IPv6" };
        let mac = interface.hardware.map(|byte| format!("{byte:02x}")).join(":");
        let strings = [
            interface.name,
            interface.address.to_string(),
            interface.mask.to_string(),
            family.to_owned(),
            mac,
        ];
        values.extend(strings.iter().map(|string| scope.string(string)));
        values.push(scope.boolean(interface.is_internal));
        values.push(scope.number(interface.scope.into()));
    }
    list(scope, &values)
}
