//! Strongly connected components of a graph (Tarjan's algorithm, without recursion).

/// The components, each after all components that it leads to.
pub(super) fn components(successors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut numbers = vec![NEW; successors.len()];
    let mut lowest = vec![NEW; successors.len()];
    let mut is_open = vec![false; successors.len()];
    let (mut open, mut found, mut next) = (Vec::new(), Vec::new(), 0);
    // Nodes on the way, each with the number of its successors that were visited.
    let mut way: Vec<(u32, usize)> = Vec::new();
    for start in 0..successors.len() as u32 {
        if numbers[start as usize] == NEW {
            way.push((start, 0));
        }
        while let Some((node, visited)) = way.pop() {
            let at = node as usize;
            if visited == 0 {
                (numbers[at], lowest[at], is_open[at]) = (next, next, true);
                next += 1;
                open.push(node);
            } else {
                // The way comes back from this successor.
                lowest[at] = lowest[at].min(lowest_of(successors[at][visited - 1], &lowest, &is_open));
            }
            let rest = successors[at].iter().enumerate().skip(visited);
            let mut unvisited = None;
            for (index, to) in rest {
                if numbers[*to as usize] == NEW {
                    unvisited = Some((index, *to));
                    break;
                }
                lowest[at] = lowest[at].min(lowest_of(*to, &numbers, &is_open));
            }
            if let Some((index, to)) = unvisited {
                way.push((node, index + 1));
                way.push((to, 0));
            } else if lowest[at] == numbers[at] {
                let first = open.iter().rposition(|other| *other == node).expect("the node is open");
                let component = open.split_off(first);
                component.iter().for_each(|member| is_open[*member as usize] = false);
                found.push(component);
            }
        }
    }
    found
}

/// The number of a node that belongs to a component which is not complete yet.
fn lowest_of(node: u32, numbers: &[u32], is_open: &[bool]) -> u32 {
    if is_open[node as usize] { numbers[node as usize] } else { u32::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components_in_order() {
        // 0 → 1 ⇄ 2 → 3, 4 → 4, and a long cycle.
        let mut graph = vec![vec![1], vec![2], vec![1, 3], vec![], vec![4]];
        graph.extend((5..10_000).map(|node| vec![if node == 9_999 { 5 } else { node + 1 }]));
        let mut found = components(&graph);
        let place = |node: u32| found.iter().position(|component| component.contains(&node)).expect("a component");
        assert!(place(3) < place(1) && place(1) < place(0) && place(1) == place(2));
        assert_eq!(found.pop().map(|component| component.len()), Some(9_995));
        assert_eq!(found.len(), 4);
    }
}
