package io.siltstone.io;

import java.io.IOException;
import java.util.List;

/** Directories whose names outlast a power loss. */
public final class DurableNames {
  private DurableNames() {}

  /**
   * Goes down from a directory, and makes what is missing. Each name is durable before anything
   * comes into the directory; also of those that are there, as who made them may have died before.
   *
   * @param names the outermost first
   * @return the innermost
   */
  public static Directory make(Directory from, List<String> names) throws IOException {
    Directory above = from;
    for (String name : names) {
      Directory below = above.directory(name);
      above.sync();
      above = below;
    }
    return above;
  }
}
