package io.siltstone.liveset;

import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Small text files whose last line has the checksum of all others: {@code crc32} and hexadecimal
 * digits.
 */
final class CheckedLines {
  private static final String CHECKSUM = "crc32 ";

  private CheckedLines() {}

  /**
   * Returns the lines of a file without the last one.
   *
   * @throws CorruptFileException if the checksum is wrong
   */
  static String read(Directory directory, String name) throws IOException {
    String text = TextFile.read(directory, name);
    int end = text.lastIndexOf(CHECKSUM);
    if (end < 0 || !text.substring(end).equals(checksumLine(text.substring(0, end)))) {
      throw damaged(directory, name, "its checksum is wrong", null);
    }
    return text.substring(0, end);
  }

  /** Returns the error that a file is damaged. */
  static CorruptFileException damaged(
      Directory directory, String name, String reason, @Nullable Throwable cause) {
    return new CorruptFileException(
        directory.path() + "/" + name,
        CorruptFileException.WHOLE_FILE,
        "is damaged: " + reason,
        cause);
  }

  /**
   * Replaces a file durably, as {@link TextFile#replace}.
   *
   * @param lines each with its end
   */
  static void replace(Directory directory, String name, String lines) throws IOException {
    TextFile.replace(directory, name, text(lines));
  }

  /** Returns lines with their checksum, as the file has them. */
  static String text(String lines) {
    return lines + checksumLine(lines);
  }

  private static String checksumLine(String lines) {
    CRC32 crc = new CRC32();
    crc.update(lines.getBytes(StandardCharsets.UTF_8));
    return CHECKSUM + Long.toHexString(crc.getValue()) + "\n";
  }
}
