//! Directions in whole degrees, clockwise, 0 being up the table (towards greater numbers of the second coordinate).

use super::{grown, root};
use crate::value::Place;

/// The sines of half degrees from 0 to 90, in parts of `ONE`: a table, because the sines of processors differ.
const SINES: [i64; 181] = [
    0, 9370046, 18739379, 28107284, 37473049, 46835961, 56195305, 65550370, 74900443, 84244813, 93582766, 102913593, 112236583, 121551025,
    130856211, 140151432, 149435979, 158709147, 167970228, 177218517, 186453311, 195673906, 204879599, 214069690, 223243478, 232400266,
    241539355, 250660051, 259761657, 268843482, 277904834, 286945021, 295963357, 304959154, 313931728, 322880394, 331804471, 340703281,
    349576144, 358422386, 367241333, 376032312, 384794656, 393527696, 402230767, 410903207, 419544355, 428153553, 436730145, 445273479,
    453782903, 462257770, 470697435, 479101254, 487468587, 495798798, 504091252, 512345318, 520560366, 528735772, 536870912, 544965168,
    553017922, 561028562, 568996477, 576921062, 584801711, 592637825, 600428808, 608174066, 615873009, 623525051, 631129609, 638686104,
    646193961, 653652607, 661061475, 668420001, 675727625, 682983788, 690187940, 697339532, 704438018, 711482859, 718473518, 725409462,
    732290163, 739115098, 745883746, 752595592, 759250125, 765846838, 772385229, 778864800, 785285058, 791645512, 797945680, 804185082,
    810363241, 816479688, 822533958, 828525588, 834454122, 840319110, 846120104, 851856663, 857528349, 863134732, 868675383, 874149882,
    879557810, 884898757, 890172315, 895378084, 900515665, 905584669, 910584710, 915515405, 920376381, 925167266, 929887697, 934537312,
    939115760, 943622690, 948057759, 952420630, 956710970, 960928454, 965072759, 969143570, 973140576, 977063475, 980911966, 984685757,
    988384560, 992008094, 995556083, 999028257, 1002424350, 1005744105, 1008987269, 1012153594, 1015242840, 1018254771, 1021189159,
    1024045778, 1026824413, 1029524851, 1032146887, 1034690320, 1037154959, 1039540613, 1041847103, 1044074252, 1046221891, 1048289855,
    1050277989, 1052186140, 1054014162, 1055761918, 1057429273, 1059016101, 1060522280, 1061947697, 1063292242, 1064555814, 1065738315,
    1066839657, 1067859754, 1068798530, 1069655912, 1070431836, 1071126243, 1071739079, 1072270298, 1072719860, 1073087729, 1073373879,
    1073578288, 1073700939, 1073741824,
];
const ONE: i128 = 1 << 30;

/// A direction, clockwise from up: what a way of length `ONE` in it adds to both coordinates.
fn direction(half_degrees: i64) -> (i128, i128) {
    (sine(half_degrees), sine(half_degrees.rem_euclid(720) + 180))
}

fn sine(half_degrees: i64) -> i128 {
    let turn = half_degrees.rem_euclid(720) as usize;
    let within = turn % 360;
    let value = SINES.get(if within <= 180 { within } else { 360 - within }).copied().unwrap_or(0);
    i128::from(if turn < 360 { value } else { -value })
}

fn relative(from: Place, to: Place) -> (i128, i128) {
    (i128::from(to.x) - i128::from(from.x), i128::from(to.y) - i128::from(from.y))
}

fn cross(a: (i128, i128), b: (i128, i128)) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

/// Where one place lies from another, to the nearest degree; 0 if they are the same.
pub(crate) fn bearing(from: Place, to: Place) -> i64 {
    let way = relative(from, to);
    if way == (0, 0) {
        return 0;
    }
    // The first of 360 directions in the same half of the compass whose upper edge, half a degree on, is not passed.
    let start = if way.0 > 0 || (way.0 == 0 && way.1 > 0) { 0 } else { 180 };
    let (mut low, mut high) = (start, start + 180);
    while low < high {
        let middle = (low + high) / 2;
        // Clockwise: what lies past the edge has a negative product.
        if cross(direction(2 * middle + 1), way) < 0 {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low % 360
}

/// Does a place lie in the arc that is `width` degrees wide and looks towards `facing`? Its edges belong to it, and a hair beyond them is forgiven:
/// the middle of a hex is where it is only to a thousandth. Who stands on the same spot is in every arc.
pub(crate) fn in_arc(thing: Place, from: Place, facing: i64, width: i64) -> bool {
    let way = relative(from, thing);
    let far = root((way.0 * way.0 + way.1 * way.1).unsigned_abs()) as i128;
    if far == 0 || width >= 360 {
        return true;
    }
    // Facing and width are taken round the compass first: they may be any numbers.
    let (middle, width) = (2 * facing.rem_euclid(360), width.max(0));
    let hair = far * ONE / 2000;
    let between = |middle: i64, width: i64, hair: i128| {
        let (left, right, ahead) = (direction(middle - width), direction(middle + width), direction(middle));
        cross(left, way) <= hair && cross(right, way) >= -hair && ahead.0 * way.0 + ahead.1 * way.1 >= 0
    };
    if width <= 180 { between(middle, width, hair) } else { !between(middle + 360, 360 - width, -hair) }
}

/// The place that far away in a direction.
pub(crate) fn ahead(from: Place, degrees: i64, length: i64) -> Place {
    let (x, y) = direction(2 * degrees.rem_euclid(360));
    grown(from, nearest(x * i128::from(length)), nearest(y * i128::from(length)))
}

/// A corner of something that has turned by some degrees, clockwise.
pub(crate) fn turned(corner: Place, degrees: i64) -> Place {
    let (sine, cosine) = direction(2 * degrees.rem_euclid(360));
    let (x, y) = (i128::from(corner.x), i128::from(corner.y));
    grown(Place { x: 0, y: 0 }, nearest(x * cosine + y * sine), nearest(y * cosine - x * sine))
}

/// Without the factor `ONE`, to the nearest.
fn nearest(n: i128) -> i128 {
    (n + ONE / 2).div_euclid(ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{Odd, at};

    const HERE: Place = Place { x: 0, y: 0 };

    #[test]
    fn a_compass() {
        for (place, degrees) in [((0, 9), 0), ((9, 9), 45), ((9, 0), 90), ((0, -9), 180), ((-9, 0), 270), ((-9, 9), 315), ((-1, 1000), 0)] {
            assert_eq!(bearing(HERE, at(place.0, place.1)), degrees, "{place:?}");
        }
        let mut odd = Odd(3);
        for _ in 0..2000 {
            let there = odd.place(30_000);
            let exact = f64::from(there.x).atan2(f64::from(there.y)).to_degrees().rem_euclid(360.0);
            let off = (bearing(HERE, there) as f64 - exact).abs();
            assert!(off.min(360.0 - off) <= 0.501, "{there:?}: {exact}");
        }
    }

    #[test]
    fn who_goes_ahead_is_found_there() {
        for degrees in 0..360 {
            let there = ahead(at(500, -700), degrees, 50_000);
            assert_eq!(bearing(at(500, -700), there), degrees);
            assert_eq!(turned(at(0, 50_000), degrees), at(there.x - 500, there.y + 700));
        }
        assert_eq!(ahead(HERE, -90, 3000), at(-3000, 0));
    }

    #[test]
    fn arcs_have_their_edges() {
        assert!(in_arc(at(1000, 1000), HERE, 0, 90) && in_arc(at(-1000, 1000), HERE, 0, 90) && !in_arc(at(1010, 1000), HERE, 0, 90));
        assert!(in_arc(at(-1000, 0), HERE, 0, 180) && !in_arc(at(-1000, -10), HERE, 0, 180));
        assert!(in_arc(at(0, 5), HERE, 0, 0) && !in_arc(at(0, -5), HERE, 0, 0) && in_arc(HERE, HERE, 7, 0));
        assert!(in_arc(at(1000, -1000), HERE, 0, 270) && !in_arc(at(990, -1000), HERE, 0, 270) && in_arc(at(0, -1), HERE, 0, 360));
        let mut odd = Odd(9);
        for _ in 0..2000 {
            let (there, facing, width) = (odd.place(30_000), odd.below(1000) - 500, odd.below(361));
            let exact = f64::from(there.x).atan2(f64::from(there.y)).to_degrees();
            let off = (exact - facing as f64).rem_euclid(360.0);
            let off = off.min(360.0 - off);
            if (off - width as f64 / 2.0).abs() > 0.1 {
                assert_eq!(in_arc(there, HERE, facing, width), off < width as f64 / 2.0, "{there:?} {facing} {width}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_world_do_no_harm() {
        let (a, b) = (at(i32::MIN, i32::MIN), at(i32::MAX, i32::MAX));
        assert_eq!(bearing(a, b), 45);
        assert!(in_arc(b, a, 45, 1) && !in_arc(b, a, i64::MAX, i64::MIN));
        let _ = (ahead(a, i64::MIN, i64::MAX), turned(b, i64::MAX));
    }
}
