package io.siltstone.tools;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Suggests the names that a user may have meant by a name that does not exist: those within a small
 * edit distance for the length of the name, and those that begin with it.
 */
final class Suggestion {
  /** Number of letters of a name that allow one edit. */
  private static final int LETTERS_PER_EDIT = 3;

  private static final int MOST_NAMES = 3;

  private Suggestion() {}

  /** Returns {@code " (did you mean ...?)"}, or an empty text if no name is similar. */
  static String of(String given, Collection<String> names) {
    String wanted = plain(given);
    List<String> alike =
        names.stream()
            .filter(name -> isAlike(wanted, plain(name)))
            .sorted(
                Comparator.comparingInt((String name) -> edits(wanted, plain(name)))
                    .thenComparing(Comparator.naturalOrder()))
            .limit(MOST_NAMES)
            .toList();
    return alike.isEmpty() ? "" : " (did you mean " + String.join(" or ", alike) + "?)";
  }

  /** Returns the name without the value of an option, dashes and capitals. */
  private static String plain(String name) {
    int value = name.startsWith("-") ? name.indexOf('=') : -1;
    String option = value < 0 ? name : name.substring(0, value);
    return option.replaceFirst("^-+", "").toLowerCase(Locale.ROOT);
  }

  private static boolean isAlike(String wanted, String name) {
    boolean isBeginning = wanted.length() >= LETTERS_PER_EDIT && name.startsWith(wanted);
    return isBeginning || edits(wanted, name) <= Math.max(1, wanted.length() / LETTERS_PER_EDIT);
  }

  /**
   * Returns the number of letters to insert, delete or replace to get from one text to the other
   * (Levenshtein distance).
   */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}
