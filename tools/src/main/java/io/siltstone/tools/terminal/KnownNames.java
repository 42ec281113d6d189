package io.siltstone.tools.terminal;

import java.util.List;

/** Names that users may shorten. */
public final class KnownNames {
  private KnownNames() {}

  /**
   * The full name of one that is given in any case, with or without its ending.
   *
   * @param option that gave it, for the message
   * @param ending that the known names may have
   */
  public static String complete(String option, String name, List<String> known, String ending) {
    for (String full : known) {
      if (full.equalsIgnoreCase(name) || full.equalsIgnoreCase(name + ending)) {
        return full;
      }
    }
    throw new UsageException(option + " = " + name + ", allowed " + String.join(", ", known));
  }
}
