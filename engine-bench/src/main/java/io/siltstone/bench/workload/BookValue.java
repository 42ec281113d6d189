package io.siltstone.bench.workload;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The length of a value: {@code book(100,200)} has 100 to 200 words of {@link BookText}, six bytes
 * each.
 *
 * @param leastWords 1 or more
 * @param mostWords from {@code leastWords} to 100,000
 */
public record BookValue(int leastWords, int mostWords) {
  /** The default of 100 to 200 words. */
  public static final BookValue DEFAULT = new BookValue(100, 200);

  private static final int MOST = 100_000;
  private static final Pattern TEXT =
      Pattern.compile("book\\(\\s*(\\d{1,7})\\s*,\\s*(\\d{1,7})\\s*\\)");

  /** Checks the range. */
  public BookValue {
    if (leastWords < 1 || mostWords < leastWords || mostWords > MOST) {
      throw new IllegalArgumentException(
          "book(" + leastWords + "," + mostWords + "), allowed 1 <= least <= most <= " + MOST);
    }
  }

  /**
   * Parses a text such as {@code book(100,200)}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static BookValue parse(String text) {
    Matcher matcher = TEXT.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          text + ", allowed book(LEAST,MOST) with two numbers of words, e.g. book(100,200)");
    }
    return new BookValue(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
  }

  @Override
  public String toString() {
    return "book(" + leastWords + "," + mostWords + ")";
  }
}
