//! Publishing: a frame is rendered once and goes to all subscribers of a topic. In: a group, a
//! topic, a payload. Out: what became of it.

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::string_argument;
use rusk_websocket::{Deflater, Opcode, encode_frame};

use crate::functions::{result_of, slot_of, with_payload};
use crate::pool::SocketPool;
use crate::socket::SendOutcome;
use crate::state::with_pool;

/// What is published.
struct Publication<'a> {
    opcode: Opcode,
    payload: &'a [u8],
    compresses: bool,
    /// The subscriber that does not get it.
    except: Option<u32>,
}

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // The number of a new group of topics.
    add(scope, binding, "makeGroup", |scope, _| {
        Ok(scope.number(with_pool(|pool| pool.topics.make_group()).unwrap_or(0).into()))
    })?;
    // Arguments: socket, group, topic.
    add_fast(scope, binding, "subscribe", |scope, call| {
        let (group, topic) =
            (call.argument(scope, 1).to_number(scope)? as u32, string_argument(scope, call, 2)?);
        if let Some(slot) = slot_of(scope, call) {
            with_pool(|pool| {
                let number = pool.topics.subscribe(group, &topic, slot);
                if let (Some(socket), Some(number)) = (pool.socket(slot), number) {
                    socket.subscriptions.push(number);
                }
            });
        }
        Ok(scope.undefined())
    })?;
    // Arguments: socket, group, topic. Returns whether it was subscribed.
    add_fast(scope, binding, "unsubscribe", |scope, call| {
        let (group, topic) =
            (call.argument(scope, 1).to_number(scope)? as u32, string_argument(scope, call, 2)?);
        let was_subscribed = slot_of(scope, call).and_then(|slot| {
            with_pool(|pool| {
                let number = pool.topics.find(group, &topic)?;
                pool.socket(slot)?.subscriptions.retain(|one| *one != number);
                Some(pool.topics.unsubscribe(number, slot))
            })
            .flatten()
        });
        Ok(scope.boolean(was_subscribed == Some(true)))
    })?;
    // Arguments: socket, group, topic.
    add_fast(scope, binding, "isSubscribed", |scope, call| {
        let (group, topic) =
            (call.argument(scope, 1).to_number(scope)? as u32, string_argument(scope, call, 2)?);
        let is_subscribed = slot_of(scope, call).and_then(|slot| {
            with_pool(|pool| {
                pool.topics.find(group, &topic).map(|number| pool.topics.is_subscribed(number, slot))
            })
            .flatten()
        });
        Ok(scope.boolean(is_subscribed == Some(true)))
    })?;
    // The names of the socket's topics.
    add(scope, binding, "subscriptions", |scope, call| {
        let names: Vec<String> = slot_of(scope, call)
            .and_then(|slot| {
                with_pool(|pool| {
                    let numbers = pool.socket(slot)?.subscriptions.clone();
                    Some(
                        numbers
                            .iter()
                            .filter_map(|number| pool.topics.name(*number))
                            .map(str::to_owned)
                            .collect(),
                    )
                })
                .flatten()
            })
            .unwrap_or_default();
        let names: Vec<_> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    })?;
    // Arguments: group, topic.
    add_fast(scope, binding, "subscriberCount", |scope, call| {
        let (group, topic) =
            (call.argument(scope, 0).to_number(scope)? as u32, string_argument(scope, call, 1)?);
        let count = with_pool(|pool| {
            pool.topics.find(group, &topic).map_or(0, |number| pool.topics.subscribers(number).len())
        });
        Ok(scope.number(count.unwrap_or(0) as f64))
    })?;
    // Arguments: the socket that does not get it or -1, group, topic, string or bytes, opcode,
    // whether to compress.
    add_fast(scope, binding, "publish", publish)
}

fn publish<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (group, topic) = (call.argument(scope, 1).to_number(scope)? as u32, string_argument(scope, call, 2)?);
    let Some(number) = with_pool(|pool| pool.topics.find(group, &topic)).flatten() else {
        return Ok(scope.number(0.0));
    };
    let opcode = Opcode::find(call.argument(scope, 4).to_number(scope)? as u8).unwrap_or(Opcode::Binary);
    let compresses = call.argument(scope, 5).is_truthy(scope);
    let except = slot_of(scope, call);
    let (outcome, count) = with_payload(scope, call.argument(scope, 3), |payload| {
        let publication = Publication { opcode, payload, compresses, except };
        let outcome = with_pool(|pool| send_to_all(pool, number, &publication));
        (outcome.unwrap_or(SendOutcome::Dropped), payload.len())
    })?;
    Ok(scope.number(result_of(outcome, count)))
}

/// Sent: at least one subscriber got it; waiting: none did, but one will.
fn send_to_all(pool: &mut SocketPool, number: usize, publication: &Publication<'_>) -> SendOutcome {
    let Publication { opcode, payload, compresses, except } = *publication;
    let (mut plain, mut compressed) = (Vec::new(), Vec::new());
    let mut result = SendOutcome::Dropped;
    for slot in pool.topics.subscribers(number).to_vec() {
        if Some(slot) == except {
            continue;
        }
        let mut shared = pool.shared.take();
        let Some(socket) = pool.socket(slot) else { continue };
        let outcome = if compresses && socket.has_own_compression() {
            pool.shared = shared;
            pool.send(slot, opcode, payload, true)
        } else {
            let admitted = socket.admit();
            let frame = match compresses && socket.shares_compression() {
                true => shared_frame(&mut compressed, &mut shared, opcode, payload),
                false => plain_frame(&mut plain, opcode, payload),
            };
            if admitted == SendOutcome::Sent {
                socket.push_frame(frame);
            }
            pool.shared = shared;
            if admitted == SendOutcome::Sent { pool.after_push(slot) } else { pool.refuse(slot, admitted) }
        };
        result = match (result, outcome) {
            (SendOutcome::Sent, _) | (_, SendOutcome::Sent) => SendOutcome::Sent,
            (SendOutcome::Waiting, _) | (_, SendOutcome::Waiting) => SendOutcome::Waiting,
            _ => SendOutcome::Dropped,
        };
    }
    result
}

fn plain_frame<'a>(frame: &'a mut Vec<u8>, opcode: Opcode, payload: &[u8]) -> &'a [u8] {
    if frame.is_empty() {
        encode_frame(frame, opcode, payload, false, None);
    }
    frame
}

fn shared_frame<'a>(
    frame: &'a mut Vec<u8>,
    shared: &mut Option<Deflater>,
    opcode: Opcode,
    payload: &[u8],
) -> &'a [u8] {
    if frame.is_empty() {
        let mut compressed = Vec::new();
        shared.get_or_insert_with(|| Deflater::new(15, false)).deflate(payload, &mut compressed);
        encode_frame(frame, opcode, &compressed, true, None);
    }
    frame
}
