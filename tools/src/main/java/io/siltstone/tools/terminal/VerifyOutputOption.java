package io.siltstone.tools.terminal;

import io.siltstone.maintenance.OutputVerification;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The option {@code --verify-output} of commands that write SSTables. */
public final class VerifyOutputOption {
  @Option(
      names = "--verify-output",
      paramLabel = "LEVEL",
      description =
          "structure: all that is written is parsed on its way; full: all files are read back"
              + " besides, before they count (default: ${DEFAULT-VALUE}).")
  private String level = "structure";

  /**
   * The level that was asked for.
   *
   * @throws UsageException if there is none of that name
   */
  public OutputVerification level() {
    for (OutputVerification known : OutputVerification.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(level)) {
        return known;
      }
    }
    throw new UsageException("--verify-output " + level + ", allowed structure or full");
  }
}
