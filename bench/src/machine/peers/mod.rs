//! The same attack, and where it makes sense the same world, in other machines that a game could embed.

#[cfg(any(feature = "peers", feature = "luajit"))]
mod lua;
#[cfg(feature = "peers")]
mod rhai;
#[cfg(feature = "peers")]
mod wasm;

use super::attack::Attack;

/// Nanoseconds an attack takes in each peer that was built in.
#[allow(unused_mut, unused_variables)]
pub fn attacks(attack: &Attack, attacks: u64) -> Vec<(&'static str, Result<f64, String>)> {
    let mut found = Vec::new();
    #[cfg(any(feature = "peers", feature = "luajit"))]
    found.push((lua::NAME, lua::attack(attack, attacks)));
    #[cfg(feature = "peers")]
    found.push(("wasmtime", wasm::attack(attack, attacks)));
    #[cfg(feature = "peers")]
    found.push(("Rhai", rhai::attack(attack, attacks)));
    found
}

/// Nanoseconds a strike takes over tables in each peer that was built in.
#[allow(unused_mut, unused_variables)]
pub fn strikes(strikes: u64) -> Vec<(&'static str, Result<f64, String>)> {
    let mut found = Vec::new();
    #[cfg(any(feature = "peers", feature = "luajit"))]
    found.push((lua::NAME, lua::strike(strikes)));
    found
}
