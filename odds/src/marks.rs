//! Finding things again by a mark: a number that is the same for equal things. Things are numbered in the order in which they come.

/// Open addressing, with room for twice as many: lookups are most of what small graphs cost.
#[derive(Default)]
pub(crate) struct Marks {
    /// Numbers, one higher; 0 is free.
    slots: Vec<u32>,
    marks: Vec<u64>,
}

const LEAST: usize = 32;

impl Marks {
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Forgets all. What was grown for very many is not kept for few.
    pub fn clear(&mut self) {
        if self.marks.is_empty() {
            return;
        }
        if self.slots.len() > LEAST && self.marks.len() * 8 < self.slots.len() {
            self.slots.truncate(LEAST);
        }
        self.slots.fill(0);
        self.marks.clear();
    }

    /// The number of the thing with that mark which is the same. Err: there is none, and it is known by this number from now on.
    #[inline(always)]
    pub fn find(&mut self, mark: u64, same: impl Fn(u32) -> bool) -> Result<u32, u32> {
        if (self.marks.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let most = self.slots.len() - 1;
        let mut at = mark as usize & most;
        loop {
            match self.slots[at].checked_sub(1) {
                Some(known) if self.marks[known as usize] == mark && same(known) => return Ok(known),
                Some(_) => at = (at + 1) & most,
                None => break,
            }
        }
        let new = self.marks.len() as u32;
        self.marks.push(mark);
        self.slots[at] = new + 1;
        Err(new)
    }

    #[cold]
    fn grow(&mut self) {
        let room = (self.slots.len() * 2).max(LEAST);
        self.slots.clear();
        self.slots.resize(room, 0);
        self.marks.reserve(room / 2);
        for (number, mark) in (1u32..).zip(&self.marks) {
            let mut at = *mark as usize & (room - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (room - 1);
            }
            self.slots[at] = number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_marks_are_told_apart_by_what_they_stand_for() {
        let mut marks = Marks::default();
        assert_eq!((marks.find(7, |_| false), marks.find(7, |n| n == 1)), (Err(0), Err(1)));
        assert_eq!((marks.find(7, |n| n == 1), marks.find(7, |n| n == 0)), (Ok(1), Ok(0)));
    }

    #[test]
    fn many_are_found_again_until_they_are_forgotten() {
        let mut marks = Marks::default();
        for round in 0..3 {
            let many = if round == 1 { 3 } else { 1_000 };
            for n in 0..many {
                assert_eq!(marks.find(n * 64, |_| true), Err(n as u32));
            }
            for n in 0..many {
                assert_eq!(marks.find(n * 64, |_| true), Ok(n as u32));
            }
            marks.clear();
        }
    }
}
