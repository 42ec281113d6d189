package io.siltstone.tools.terminal;

/** The exit codes of commands. */
public final class ExitCode {
  /** Success. */
  public static final int OK = 0;

  /** A file is damaged, or a check has found a problem. */
  public static final int DAMAGED = 1;

  /** Options are wrong, or a name is not that of an SSTable. */
  public static final int USAGE = 2;

  /** A file is missing or cannot be read or written, or memory is not sufficient. */
  public static final int IO = 3;

  /** A defect of the program. */
  public static final int INTERNAL = 70;

  private ExitCode() {}

  /**
   * Returns the exit code of a command that has continued after a failure. The code for damage
   * takes precedence, because trying again does not help against damage.
   */
  public static int worse(int one, int other) {
    return one == DAMAGED || other == DAMAGED ? DAMAGED : Math.max(one, other);
  }
}
