package io.siltstone.io;

/** The rule for names, shared by all directories. */
public final class FileNames {
  private FileNames() {}

  /**
   * Checks that a name is one path element.
   *
   * @throws IllegalArgumentException naming it
   */
  public static String check(String name) {
    if (name.isEmpty()
        || name.equals(".")
        || name.equals("..")
        || name.indexOf('/') >= 0
        || name.indexOf('\\') >= 0
        || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("'" + name + "' is not a single file name");
    }
    return name;
  }
}
