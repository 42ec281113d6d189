package io.siltstone.tools.terminal;

import java.util.List;

/** Completes names that users may shorten. */
public final class KnownNames {
  private KnownNames() {}

  /**
   * Returns the full name for one given in upper or lower case, with or without its ending.
   *
   * @param option name of the option, for the message
   * @param ending common suffix of the known names, which may be omitted
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
