//! The table that is printed at the end.

#[derive(Default)]
pub struct Table {
    rows: Vec<[String; 4]>,
}

impl Table {
    pub fn row(&mut self, what: &str, value: String, beside: &str, ratio: String) {
        eprintln!("{what}: {value} ({beside} {ratio})");
        self.rows.push([what.to_string(), value, beside.to_string(), ratio]);
    }

    pub fn print(&self) {
        println!("| what | measured | beside | ratio |");
        println!("|---|---|---|---|");
        for [what, value, beside, ratio] in &self.rows {
            println!("| {what} | {value} | {beside} | {ratio} |");
        }
    }
}
