package io.siltstone.tools.load;

import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Generation numbers of the tables in a directory. */
final class Generations {
  /** Temporary files of tables count, too: their names are taken. */
  private static final Pattern NAME = Pattern.compile("[a-z]{2}-([0-9]{1,18})-big-.+");

  private Generations() {}

  /** The next that is free. */
  static long next(Directory directory) throws IOException {
    long last = 0;
    for (String name : directory.files()) {
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        last = Math.max(last, Long.parseLong(matcher.group(1)));
      }
    }
    return last + 1;
  }
}
