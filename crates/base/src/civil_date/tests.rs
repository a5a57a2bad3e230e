//! Tests of the calendar.

use super::CivilDate;

fn date(year: u64, month: u64, day: u64) -> CivilDate {
    CivilDate { year, month, day }
}

#[test]
fn known_days() {
    for (days, expected) in [
        (0, date(1970, 1, 1)),
        (59, date(1970, 3, 1)),
        (11_016, date(2000, 2, 29)),
        (11_017, date(2000, 3, 1)),
        (19_782, date(2024, 2, 29)),
        (47_540, date(2100, 2, 28)),
        (47_541, date(2100, 3, 1)),
    ] {
        assert_eq!(CivilDate::of_days(days), expected);
        assert_eq!(expected.days(), Some(days));
    }
}

#[test]
fn every_day_of_800_years_comes_back() {
    for days in 0..2 * 146_097 {
        assert_eq!(CivilDate::of_days(days).days(), Some(days));
    }
}

#[test]
fn no_days_before_1970_or_outside_the_calendar() {
    for wrong in [date(1969, 12, 31), date(0, 1, 1), date(2000, 0, 1), date(2000, 13, 1), date(2000, 1, 0)] {
        assert_eq!(wrong.days(), None, "{wrong:?}");
    }
}
