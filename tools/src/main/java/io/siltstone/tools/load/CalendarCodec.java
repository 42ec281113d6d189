package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;

/**
 * {@code date} and {@code timestamp} in their usual forms: {@code 2024-01-31}, {@code 2024-01-31
 * 23:59:59.999Z}.
 */
final class CalendarCodec extends ScalarCodec {
  private static final int DATE_LENGTH = 10;
  private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final long MILLIS_PER_DAY = 86_400_000L;

  private final boolean isDate;

  CalendarCodec(CqlType type) {
    super(type);
    this.isDate = type.equals(CqlTypes.DATE);
  }

  @Override
  void fromText(byte[] text, int from, int to, ByteSink out) {
    long day = day(text, from, to);
    if (day != Long.MIN_VALUE && isDate && to - from == DATE_LENGTH) {
      out.putInt((int) day ^ Integer.MIN_VALUE);
      return;
    }
    long millis = day == Long.MIN_VALUE || isDate ? -1 : millisOfDay(text, from, to);
    if (millis >= 0) {
      out.putLong(day * MILLIS_PER_DAY + millis);
    } else {
      super.fromText(text, from, to, out);
    }
  }

  /** Days since 1970 of the date in front, {@code Long.MIN_VALUE} if it has another form. */
  private static long day(byte[] text, int from, int to) {
    if (to - from < DATE_LENGTH || text[from + 4] != '-' || text[from + 7] != '-') {
      return Long.MIN_VALUE;
    }
    int year = digits(text, from, 4);
    int month = digits(text, from + 5, 2);
    int day = digits(text, from + 8, 2);
    if (year < 1 || month < 1 || month > 12 || day < 1) {
      return Long.MIN_VALUE;
    }
    boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (day > DAYS[month - 1] + (leap && month == 2 ? 1 : 0)) {
      return Long.MIN_VALUE;
    }
    // Days before a year that begins in March, so that the day added comes last.
    long shifted = month > 2 ? year : year - 1;
    int monthsSinceMarch = (month + 9) % 12;
    long daysBeforeMonth = (153L * monthsSinceMarch + 2) / 5;
    return 365 * shifted
        + shifted / 4
        - shifted / 100
        + shifted / 400
        + daysBeforeMonth
        + day
        - 719_469;
  }

  /** Of what follows the date, in UTC; -1 if it has another form. */
  private static long millisOfDay(byte[] text, int from, int to) {
    int at = from + DATE_LENGTH;
    if (to - at < 9
        || (text[at] != ' ' && text[at] != 'T')
        || text[at + 3] != ':'
        || text[at + 6] != ':') {
      return -1;
    }
    int hour = digits(text, at + 1, 2);
    int minute = digits(text, at + 4, 2);
    int second = digits(text, at + 7, 2);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
      return -1;
    }
    at += 9;
    int millis = 0;
    if (to - at >= 4 && text[at] == '.') {
      millis = digits(text, at + 1, 3);
      at += 4;
    }
    boolean utc = at == to || (at + 1 == to && text[at] == 'Z');
    return millis >= 0 && utc ? ((hour * 60L + minute) * 60 + second) * 1000 + millis : -1;
  }

  /** The number that the digits make, -1 if they are none. */
  private static int digits(byte[] text, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = 10 * value + digit;
    }
    return value;
  }
}
