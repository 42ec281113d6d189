package io.siltstone.tools.terminal;

/** What a command's exit code means. */
public final class ExitCode {
  /** Done. */
  public static final int OK = 0;

  /** A file is damaged, or what was asked about was found wrong. */
  public static final int DAMAGED = 1;

  /** Wrong options, or names that cannot be of an SSTable. */
  public static final int USAGE = 2;

  /** A file is missing or cannot be read or written, or the machine has not enough memory. */
  public static final int IO = 3;

  /** A defect of the tool. */
  public static final int INTERNAL = 70;

  private ExitCode() {}

  /**
   * Of a command that has gone on behind a failure: damage counts first, which is not mended by
   * trying again.
   */
  public static int worse(int one, int other) {
    return one == DAMAGED || other == DAMAGED ? DAMAGED : Math.max(one, other);
  }
}
