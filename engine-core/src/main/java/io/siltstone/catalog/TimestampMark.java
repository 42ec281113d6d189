package io.siltstone.catalog;

import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the automatic timestamps that a database may have given, in the file {@code
 * automatic_timestamps} of its directory.
 *
 * <pre>
 *   up_to 1767225600000000
 *   crc32 1c291ca3
 * </pre>
 *
 * The first line has microseconds since 1970, the second the CRC32 of the first. The database
 * replaces the file before it gives a timestamp that is greater. Databases of versions before this
 * file have none until they are opened for writing.
 *
 * @param micros in microseconds since 1970; automatic timestamps are not greater
 */
public record TimestampMark(long micros) {
  private static final String FILE = "automatic_timestamps";
  private static final String UP_TO = "up_to ";
  private static final String CHECKSUM = "crc32 ";

  /**
   * Reads the mark of a database; empty if it has none.
   *
   * @throws CorruptFileException if the file is damaged
   */
  public static Optional<TimestampMark> read(Directory root) throws IOException {
    if (!root.exists(FILE)) {
      return Optional.empty();
    }
    String text = TextFile.read(root, FILE);
    int end = text.indexOf('\n') + 1;
    String line = text.substring(0, end);
    if (!line.startsWith(UP_TO) || !text.equals(line + checksumLine(line))) {
      throw damaged(root, "its form or its checksum is wrong", null);
    }
    try {
      return Optional.of(
          new TimestampMark(Long.parseLong(line.substring(UP_TO.length(), end - 1))));
    } catch (NumberFormatException e) {
      throw damaged(root, String.valueOf(e.getMessage()), e);
    }
  }

  private static CorruptFileException damaged(
      Directory root, String reason, @Nullable Throwable cause) {
    return new CorruptFileException(
        root.path() + "/" + FILE,
        CorruptFileException.WHOLE_FILE,
        "is damaged: "
            + reason
            + "; without the file the times of the commit log are used, so that it may be removed"
            + " unless the clock of the machine was set back",
        cause);
  }

  /** Writes the mark durably: after a crash the old or the new one is there. */
  public void write(Directory root) throws IOException {
    String line = UP_TO + micros + "\n";
    TextFile.replace(root, FILE, line + checksumLine(line));
  }

  private static String checksumLine(String line) {
    CRC32 crc = new CRC32();
    crc.update(line.getBytes(StandardCharsets.UTF_8));
    return CHECKSUM + Long.toHexString(crc.getValue()) + "\n";
  }
}
