package io.siltstone.testkit;

import java.util.regex.Pattern;

/**
 * A pattern for files: {@code *} matches any characters of one name, {@code ?} matches one, all
 * others match themselves. A pattern with a slash is compared with the whole path below the wrapped
 * directory, one without a slash with the file's name. Immutable.
 */
final class FilePattern {
  static final FilePattern ALL = of("*");

  // With this at the end of its name an SSTable's file is written, until it is complete.
  private static final String TEMPORARY = ".tmp";

  private final String text;
  private final boolean wholePath;
  private final Pattern pattern;

  private FilePattern(String text, String optionalEnd) {
    this.text = text;
    this.wholePath = text.indexOf('/') >= 0;
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '*' -> regex.append("[^/]*");
        case '?' -> regex.append("[^/]");
        default -> regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    regex.append("(").append(Pattern.quote(optionalEnd)).append(")?");
    this.pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  static FilePattern of(String text) {
    return new FilePattern(text, "");
  }

  /** Returns the pattern for the files of an SSTable component, complete or being written. */
  static FilePattern ofComponent(String component) {
    return new FilePattern("*-" + component, TEMPORARY);
  }

  /** Returns whether a path below the wrapped directory matches. */
  boolean matches(String path) {
    String compared = wholePath ? path : path.substring(path.lastIndexOf('/') + 1);
    return pattern.matcher(compared).matches();
  }

  @Override
  public String toString() {
    return text;
  }
}
