package io.siltstone.io;

/** Checks positions in files. */
final class Positions {
  private Positions() {}

  static void check(String path, long position) {
    if (position < 0) {
      throw new IllegalArgumentException(path + ": position " + position + ", allowed 0 or more");
    }
  }
}
