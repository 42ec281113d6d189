package io.siltstone.tools.load;

import io.siltstone.type.CqlType;
import io.siltstone.type.CqlTypes;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/**
 * Parses {@code date} and {@code timestamp} in the forms that JSON and CQL print: {@code
 * 2024-01-31} and {@code 2024-01-31 23:59:59.999Z}, with a blank or a T. The types' own parsers
 * accept many more forms and are slow.
 */
final class CalendarCodec extends ScalarCodec {
  private static final String DATE = "0000-00-00";
  private static final String TIMESTAMP = DATE + "?00:00:00.000Z";

  private final boolean isDate;

  CalendarCodec(CqlType type) {
    super(type);
    this.isDate = type.equals(CqlTypes.DATE);
  }

  @Override
  void fromText(String text, ByteSink out) {
    if (!hasForm(text, isDate ? DATE : TIMESTAMP)) {
      super.fromText(text, out);
      return;
    }
    try {
      long day =
          LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10)).toEpochDay();
      if (isDate) {
        out.putInt((int) day ^ Integer.MIN_VALUE);
        return;
      }
      int hour = number(text, 11, 13);
      int minute = number(text, 14, 16);
      int second = number(text, 17, 19);
      if (hour < 24 && minute < 60 && second < 60) {
        long seconds = ((TimeUnit.DAYS.toHours(day) + hour) * 60 + minute) * 60 + second;
        out.putLong(TimeUnit.SECONDS.toMillis(seconds) + number(text, 20, 23));
        return;
      }
    } catch (DateTimeException e) {
      // There is no such day; the type's parser reports it.
    }
    super.fromText(text, out);
  }

  private static boolean hasForm(String text, String form) {
    if (text.length() != form.length()) {
      return false;
    }
    for (int i = 0; i < form.length(); i++) {
      char c = text.charAt(i);
      char wanted = form.charAt(i);
      boolean fits =
          switch (wanted) {
            case '0' -> c >= '0' && c <= '9';
            case '?' -> c == ' ' || c == 'T';
            default -> c == wanted;
          };
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }
}
