package io.siltstone.tools.load;

/** The beginning of a text, for messages. */
final class Excerpt {
  private static final int LENGTH = 100;

  private Excerpt() {}

  static String of(String text) {
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
