//! In which order the unknowns of a saddle system are eliminated.
//!
//! A constraint row has nothing on its diagonal: it must come after unknowns that hold it. The rows
//! of a joint are given to one of its bodies, each body taking no more rows than it has freedoms,
//! and follow it. Bodies with their rows are then ordered for little fill, and rows that no body
//! could take come after all the bodies they touch.

use faer::dyn_stack::MemStack;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

use super::{Pattern, SparseError, memory};

const NONE: usize = usize::MAX;

/// By place, which unknown. `lower` is the lower triangle.
pub(super) fn order(
    n: usize,
    m: usize,
    block: usize,
    lower: &Pattern,
) -> Result<Vec<u32>, SparseError> {
    let bodies = n.div_ceil(block);
    // By row, the bodies it touches.
    let mut touches: Vec<Vec<usize>> = vec![Vec::new(); m];
    for column in 0..n {
        for at in lower.range(column) {
            if let Some(row) = (lower.row[at] as usize).checked_sub(n)
                && touches[row].last() != Some(&(column / block))
            {
                touches[row].push(column / block);
            }
        }
    }
    // Rows next to each other that touch the same bodies are of one joint.
    let mut first_row = Vec::new();
    for row in 0..m {
        let same = row > 0
            && touches[row] == touches[row - 1]
            && first_row.last().is_some_and(|first| row - first < block);
        if !same {
            first_row.push(row);
        }
    }
    let joints = first_row.len();
    first_row.push(m);
    let bodies_of: Vec<&[usize]> = (0..joints).map(|j| &touches[first_row[j]][..]).collect();
    let sizes: Vec<usize> = (0..joints).map(|j| first_row[j + 1] - first_row[j]).collect();
    let room = (0..bodies).map(|body| block.min(n - body * block)).collect();
    let holder = hold(&bodies_of, &sizes, room);

    // Nodes: bodies with what they hold, then the joints that nobody holds.
    let mut node_of = Vec::with_capacity(n + m);
    node_of.extend((0..n).map(|x| x / block));
    let mut nodes = bodies;
    for joint in 0..joints {
        let node = if holder[joint] == NONE {
            nodes += 1;
            nodes - 1
        } else {
            holder[joint]
        };
        node_of.extend(std::iter::repeat_n(node, sizes[joint]));
    }
    let mut pairs = Vec::with_capacity(lower.row.len());
    for column in 0..n + m {
        for at in lower.range(column) {
            let (a, b) = (node_of[column], node_of[lower.row[at] as usize]);
            if a != b {
                pairs.push((a.min(b), a.max(b)));
            }
        }
    }
    let graph = Pattern::new(nodes, &pairs, true)?;
    let place = least_degree(nodes, &graph)?;

    // Unheld joints move behind the last of their bodies.
    let mut key: Vec<(usize, usize, usize)> =
        (0..nodes).map(|node| (place[node], 0, node)).collect();
    for joint in 0..joints {
        if holder[joint] == NONE {
            let last = bodies_of[joint].iter().map(|body| place[*body]).max();
            let node = node_of[n + first_row[joint]];
            key[node] = (last.unwrap_or(0).max(place[node]), 1, joint);
        }
    }
    let mut rank: Vec<usize> = (0..nodes).collect();
    rank.sort_unstable_by_key(|node| key[*node]);
    let mut by_node = vec![0; nodes];
    for (at, node) in rank.into_iter().enumerate() {
        by_node[node] = at;
    }
    let mut found: Vec<u32> = (0..(n + m) as u32).collect();
    found.sort_by_key(|unknown| by_node[node_of[*unknown as usize]]);
    Ok(found)
}

/// By joint the body that holds it, or none. Bodies and joints that have only one choice go first.
fn hold(bodies_of: &[&[usize]], sizes: &[usize], mut room: Vec<usize>) -> Vec<usize> {
    let mut holder = vec![NONE; bodies_of.len()];
    let mut open = vec![true; bodies_of.len()];
    let mut joints_of = vec![Vec::new(); room.len()];
    for (joint, bodies) in bodies_of.iter().enumerate() {
        for body in *bodies {
            joints_of[*body].push(joint);
        }
    }
    let mut degree: Vec<usize> = joints_of.iter().map(Vec::len).collect();
    let mut leaves: Vec<usize> = (0..room.len()).filter(|body| degree[*body] == 1).rev().collect();
    // Joints to the ground have one body only.
    let alone = (0..bodies_of.len()).filter(|joint| bodies_of[*joint].len() == 1);
    let mut next = alone.chain(0..bodies_of.len()).collect::<Vec<_>>().into_iter();
    loop {
        let (joint, body) = if let Some(body) = leaves.pop() {
            match joints_of[body].iter().find(|joint| open[**joint]) {
                Some(joint) => (*joint, body),
                None => continue,
            }
        } else if let Some(joint) = next.next() {
            if !open[joint] {
                continue;
            }
            // The emptiest of its bodies.
            let most =
                bodies_of[joint].iter().max_by_key(|body| (room[**body], usize::MAX - **body));
            (joint, most.copied().unwrap_or(NONE))
        } else {
            return holder;
        };
        let fits = |body: usize| room.get(body).is_some_and(|room| *room >= sizes[joint]);
        let taken = if fits(body) {
            body
        } else {
            bodies_of[joint].iter().copied().find(|body| fits(*body)).unwrap_or(NONE)
        };
        open[joint] = false;
        if taken != NONE {
            holder[joint] = taken;
            room[taken] -= sizes[joint];
        }
        for body in bodies_of[joint] {
            degree[*body] -= 1;
            if degree[*body] == 1 {
                leaves.push(*body);
            }
        }
    }
}

/// By node its place in an order of little fill.
fn least_degree(nodes: usize, graph: &Pattern) -> Result<Vec<usize>, SparseError> {
    let (mut order, mut place) = (vec![0_u32; nodes], vec![0_u32; nodes]);
    let matrix = SymbolicSparseColMatRef::new_checked(nodes, nodes, &graph.start, None, &graph.row);
    let mut buffer = memory(amd::order_scratch::<u32>(nodes, graph.row.len()))?;
    amd::order(&mut order, &mut place, matrix, amd::Control::default(), MemStack::new(&mut buffer))
        .map_err(|_| SparseError::TooLarge)?;
    Ok(place.into_iter().map(|place| place as usize).collect())
}
