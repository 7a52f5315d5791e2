//! WebAssembly compiled by wasmtime, with the same generator of dice inside.

use wasmtime::{Engine, Instance, Module, Store};

use crate::machine::attack::Attack;
use crate::machine::clock;

const PROGRAM: &str = r#"
(module
  (global $state (mut i64) (i64.const 1))
  (func $die (result i64) (local $z i64)
    (global.set $state (i64.add (global.get $state) (i64.const 0x9E3779B97F4A7C15)))
    (local.set $z (global.get $state))
    (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30))) (i64.const 0xBF58476D1CE4E5B9)))
    (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27))) (i64.const 0x94D049BB133111EB)))
    (local.set $z (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
    (i64.add (i64.rem_u (local.get $z) (i64.const 6)) (i64.const 1)))
  (func (export "attacks") (param $times i64) (param $dice i64) (param $hit i64) (param $wound i64) (param $save i64) (result i64)
    (local $total i64) (local $i i64) (local $j i64)
    (loop $again
      (local.set $j (i64.const 0))
      (loop $more
        (if (i64.ge_s (call $die) (local.get $hit)) (then
          (if (i64.ge_s (call $die) (local.get $wound)) (then
            (if (i64.lt_s (call $die) (local.get $save)) (then
              (local.set $total (i64.add (local.get $total) (i64.const 1)))))))))
        (local.set $j (i64.add (local.get $j) (i64.const 1)))
        (br_if $more (i64.lt_s (local.get $j) (local.get $dice))))
      (local.set $i (i64.add (local.get $i) (i64.const 1)))
      (br_if $again (i64.lt_s (local.get $i) (local.get $times))))
    (local.get $total)))
"#;

pub fn attack(a: &Attack, attacks: u64) -> Result<f64, String> {
    let engine = Engine::default();
    let module = Module::new(&engine, PROGRAM).map_err(|e| e.to_string())?;
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &module, &[]).map_err(|e| e.to_string())?;
    let run = instance.get_typed_func::<(i64, i64, i64, i64, i64), i64>(&mut store, "attacks").map_err(|e| e.to_string())?;
    let args = (attacks as i64, a.dice, a.hit, a.wound, a.save);
    run.call(&mut store, args).map_err(|e| e.to_string())?;
    Ok(clock::best(|| run.call(&mut store, args)) / attacks as f64)
}
