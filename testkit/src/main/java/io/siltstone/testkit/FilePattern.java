package io.siltstone.testkit;

import java.util.regex.Pattern;

/**
 * Which files a rule is about: {@code *} for any characters of one name, {@code ?} for one, all
 * others for themselves. A pattern with a slash is compared with the whole path below the wrapped
 * directory, one without with the file's name. Immutable.
 */
final class FilePattern {
  static final FilePattern ALL = new FilePattern("*");

  private final String text;
  private final boolean wholePath;
  private final Pattern pattern;

  private FilePattern(String text) {
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
    this.pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  static FilePattern of(String text) {
    return new FilePattern(text);
  }

  /** Whether a path below the wrapped directory is meant. */
  boolean matches(String path) {
    String compared = wholePath ? path : path.substring(path.lastIndexOf('/') + 1);
    return pattern.matcher(compared).matches();
  }

  @Override
  public String toString() {
    return text;
  }
}
