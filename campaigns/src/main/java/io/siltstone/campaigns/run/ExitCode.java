package io.siltstone.campaigns.run;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The exit codes of campaigns, which are those of the other commands. */
public final class ExitCode {
  /** The campaign has found no deviation. */
  public static final int OK = 0;

  /** The campaign has found a deviation. */
  public static final int DEVIATION = 1;

  /** The campaign cannot be run as requested. */
  public static final int USAGE = 2;

  /** The campaign's own files could not be read or written, or memory was not sufficient. */
  public static final int IO = 3;

  /** The campaign has a defect. */
  public static final int INTERNAL = 70;

  private ExitCode() {}

  /** Returns the exit code of a campaign that has ended with a failure. */
  public static int of(Throwable failure) {
    if (failure instanceof UsageException) {
      return USAGE;
    }
    return failure instanceof IOException
            || failure instanceof UncheckedIOException
            || failure instanceof OutOfMemoryError
        ? IO
        : INTERNAL;
  }
}
