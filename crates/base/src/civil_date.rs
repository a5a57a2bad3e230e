//! Dates of the Gregorian calendar and days since 1970, after Howard Hinnant's `civil_from_days`
//! and `days_from_civil`. Absent: time zones, dates before 1970.

/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: u64 = 719_468;
const DAYS_OF_400_YEARS: u64 = 146_097;

/// A date; months and days count from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CivilDate {
    pub year: u64,
    pub month: u64,
    pub day: u64,
}

impl CivilDate {
    /// The date of a number of days since 1970-01-01.
    pub fn of_days(days: u64) -> CivilDate {
        // Years start in March here, so that a leap day is the last one.
        let shifted = days + DAYS_TO_1970;
        let (era, day_of_era) = (shifted / DAYS_OF_400_YEARS, shifted % DAYS_OF_400_YEARS);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        CivilDate { year: era * 400 + year_of_era + u64::from(month <= 2), month, day }
    }

    /// Days since 1970-01-01; `None` before that day, or if the month is none. A day beyond its
    /// month's end counts into the next month.
    pub fn days(self) -> Option<u64> {
        let CivilDate { year, month, day } = self;
        if !(1..=12).contains(&month) || day == 0 || year > 1_000_000 {
            return None;
        }
        let march_year = if month > 2 { year } else { year.checked_sub(1)? };
        let march_month = (month + 9) % 12;
        let leap_days = march_year / 4 - march_year / 100 + march_year / 400;
        (march_year * 365 + leap_days + (march_month * 153 + 2) / 5 + day - 1).checked_sub(DAYS_TO_1970)
    }
}

#[cfg(test)]
mod tests;
