//! The middle of numbers, and how far they spread around it.

/// The middle of the sorted numbers; of an even count the lower one of the two. 0 of none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// From the smallest to the largest, as a share of the median. 0 of fewer than two.
pub fn spread(numbers: &[f64]) -> f64 {
    let largest = numbers.iter().copied().fold(0.0, f64::max);
    let smallest = numbers.iter().copied().fold(largest, f64::min);
    let middle = median(numbers.to_vec());
    if middle > 0.0 { (largest - smallest) / middle } else { 0.0 }
}

#[cfg(test)]
mod tests;
