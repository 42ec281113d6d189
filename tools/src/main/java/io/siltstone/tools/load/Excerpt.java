package io.siltstone.tools.load;

/** Shortens texts for messages. */
final class Excerpt {
  private static final int LENGTH = 100;

  private Excerpt() {}

  static String of(String text) {
    return text.length() <= LENGTH ? text : text.substring(0, LENGTH) + "…";
  }
}
