//! Topics: which sockets are subscribed to which name. In: groups (one for each server), names,
//! slots of sockets. Out: the subscribers of a topic. Absent: sending (publish.rs).

use std::collections::HashMap;

/// A topic of a group; it exists as long as it has subscribers.
struct Topic {
    group: u32,
    name: String,
    subscribers: Vec<u32>,
    /// Where a subscriber stands in the list.
    positions: HashMap<u32, usize>,
}

#[derive(Default)]
pub struct TopicTable {
    numbers: HashMap<u32, HashMap<String, usize>>,
    topics: Vec<Option<Topic>>,
    free: Vec<usize>,
    group_count: u32,
}

impl TopicTable {
    pub fn make_group(&mut self) -> u32 {
        self.group_count += 1;
        self.group_count
    }

    /// The number of a topic; `None`: nothing is subscribed to it.
    pub fn find(&self, group: u32, name: &str) -> Option<usize> {
        self.numbers.get(&group)?.get(name).copied()
    }

    /// Returns the number of the topic; `None`: the socket was subscribed before.
    pub fn subscribe(&mut self, group: u32, name: &str, slot: u32) -> Option<usize> {
        let number = self.find(group, name).unwrap_or_else(|| self.add(group, name));
        let topic = self.topics[number].as_mut().expect("numbers are of topics that exist");
        if topic.positions.contains_key(&slot) {
            return None;
        }
        topic.positions.insert(slot, topic.subscribers.len());
        topic.subscribers.push(slot);
        Some(number)
    }

    fn add(&mut self, group: u32, name: &str) -> usize {
        let topic =
            Topic { group, name: name.to_owned(), subscribers: Vec::new(), positions: HashMap::new() };
        let number = match self.free.pop() {
            Some(number) => {
                self.topics[number] = Some(topic);
                number
            }
            None => {
                self.topics.push(Some(topic));
                self.topics.len() - 1
            }
        };
        self.numbers.entry(group).or_default().insert(name.to_owned(), number);
        number
    }

    /// Returns whether the socket was subscribed.
    pub fn unsubscribe(&mut self, number: usize, slot: u32) -> bool {
        let Some(topic) = self.topics.get_mut(number).and_then(Option::as_mut) else { return false };
        let Some(position) = topic.positions.remove(&slot) else { return false };
        topic.subscribers.swap_remove(position);
        if let Some(moved) = topic.subscribers.get(position) {
            topic.positions.insert(*moved, position);
        }
        if topic.subscribers.is_empty() {
            let Topic { group, name, .. } = self.topics[number].take().expect("it was found just now");
            self.free.push(number);
            if let Some(names) = self.numbers.get_mut(&group) {
                names.remove(&name);
                if names.is_empty() {
                    self.numbers.remove(&group);
                }
            }
        }
        true
    }

    pub fn subscribers(&self, number: usize) -> &[u32] {
        self.topics.get(number).and_then(Option::as_ref).map_or(&[], |topic| &topic.subscribers)
    }

    pub fn is_subscribed(&self, number: usize, slot: u32) -> bool {
        let topic = self.topics.get(number).and_then(Option::as_ref);
        topic.is_some_and(|topic| topic.positions.contains_key(&slot))
    }

    pub fn name(&self, number: usize) -> Option<&str> {
        self.topics.get(number).and_then(Option::as_ref).map(|topic| topic.name.as_str())
    }
}

#[cfg(test)]
mod tests;
