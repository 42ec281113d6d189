package io.siltstone.text;

/** Formats counts with their nouns for sentences that people read. */
public final class CountText {
  private CountText() {}

  /** Returns a count and a noun, whose plural ends in s: {@code 1 SSTable}, {@code 3 SSTables}. */
  public static String of(long count, String noun) {
    return of(count, noun, noun + "s");
  }

  /** Returns a count and the noun that goes with it: {@code 1 entry}, {@code 3 entries}. */
  public static String of(long count, String noun, String plural) {
    return count + " " + (count == 1 ? noun : plural);
  }
}
