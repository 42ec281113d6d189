package io.siltstone.tools.terminal;

import io.siltstone.sstable.format.FormatVersion;
import java.util.Arrays;

/** Parses the option {@code --sstable-version}: the format versions that can be written. */
public final class WrittenVersion {
  private WrittenVersion() {}

  /**
   * Returns the version for a text.
   *
   * @throws UsageException naming {@code --sstable-version}, and what is allowed
   */
  public static FormatVersion of(String text) {
    for (FormatVersion each : FormatVersion.values()) {
      if (each.isWritable() && each.text().equals(text)) {
        return each;
      }
    }
    throw new UsageException(
        "--sstable-version "
            + text
            + ", allowed "
            + String.join(
                ", ",
                Arrays.stream(FormatVersion.values())
                    .filter(FormatVersion::isWritable)
                    .map(FormatVersion::text)
                    .toList()));
  }
}
