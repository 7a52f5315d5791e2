//! Lua, with its own dice: 5.4 with the feature `peers`, LuaJIT with the feature `luajit`. One build has one of them.

use mlua::{Function, Lua};

use crate::machine::attack::Attack;
use crate::machine::clock;

pub const NAME: &str = if cfg!(feature = "luajit") { "LuaJIT" } else { "Lua 5.4" };

pub fn attack(a: &Attack, attacks: u64) -> Result<f64, String> {
    let lua = Lua::new();
    let run: Function = lua.load(include_str!("attack.lua")).eval().map_err(|e| e.to_string())?;
    let once = || run.call::<i64>((attacks, a.dice, a.hit, a.wound, a.save));
    once().map_err(|e| e.to_string())?;
    Ok(clock::best(once) / attacks as f64)
}

pub fn strike(strikes: u64) -> Result<f64, String> {
    let lua = Lua::new();
    let run: Function = lua.load(include_str!("world.lua")).eval().map_err(|e| e.to_string())?;
    let once = || run.call::<i64>(strikes);
    let total = once().map_err(|e| e.to_string())?;
    // On the average 40/9 a strike: a world in which nothing happens is no peer.
    let mean = total as f64 / strikes as f64;
    if !(2.0..=7.0).contains(&mean) {
        return Err(format!("a strike came to {mean} on the average"));
    }
    Ok(clock::best(once) / strikes as f64)
}
