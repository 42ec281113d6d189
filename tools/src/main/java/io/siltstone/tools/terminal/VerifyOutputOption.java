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
          "structure: parses everything while it is written; full: also reads all files"
              + " back before they become live (default: ${DEFAULT-VALUE}).")
  private String level = "structure";

  /**
   * Returns the level that was chosen.
   *
   * @throws UsageException if there is no such level
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
