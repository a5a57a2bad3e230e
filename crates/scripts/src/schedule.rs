//! Order of tasks that wait for each other. In: for each task, the tasks it waits for, and how many
//! may run at the same time. Out: the next task to start. Absent: processes, time.

/// Tasks in three states: waiting, running, ended.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// For each task, the tasks it waits for.
    waits: Vec<Vec<usize>>,
    states: Vec<TaskState>,
    running_max: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskState {
    Waiting,
    Running,
    Ended,
}

impl Schedule {
    /// `running_max`: at least 1.
    pub fn new(waits: Vec<Vec<usize>>, running_max: usize) -> Schedule {
        let states = vec![TaskState::Waiting; waits.len()];
        Schedule { waits, states, running_max: running_max.max(1) }
    }

    /// The next task to start, in order; it counts as running from now on. `None`: none may start
    /// before a running one ends, or all have started. Of tasks that wait for each other in a
    /// cycle, the first starts when nothing else can.
    pub fn start_next(&mut self) -> Option<usize> {
        let running = self.count(TaskState::Running);
        if running >= self.running_max {
            return None;
        }
        let mut waiting = (0..self.states.len()).filter(|&task| self.states[task] == TaskState::Waiting);
        let mut ready = waiting.clone().filter(|&task| self.pending(task).next().is_none());
        let next = ready.next().or_else(|| waiting.next().filter(|_| running == 0))?;
        self.states[next] = TaskState::Running;
        Some(next)
    }

    pub fn end(&mut self, task: usize) {
        self.states[task] = TaskState::Ended;
    }

    pub fn state(&self, task: usize) -> TaskState {
        self.states[task]
    }

    /// The tasks that a task still waits for.
    pub fn pending(&self, task: usize) -> impl Iterator<Item = usize> {
        self.waits[task].iter().copied().filter(|&other| self.states[other] != TaskState::Ended)
    }

    /// The tasks in a state, in order.
    pub fn in_state(&self, state: TaskState) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(move |&task| self.states[task] == state)
    }

    pub fn count(&self, state: TaskState) -> usize {
        self.in_state(state).count()
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }
}

#[cfg(test)]
mod tests;
