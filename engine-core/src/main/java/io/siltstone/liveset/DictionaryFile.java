package io.siltstone.liveset;

import io.siltstone.compress.CompressionDictionary;
import io.siltstone.files.TextFile;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The compression dictionary of a table as it is kept in the file {@value #FILE} beside the
 * SSTables, so that it outlives the SSTables that have it, and the time of the last training, even
 * of one that gave nothing better. Its lines are {@code trained MILLIS}, {@code dictionary ID
 * BASE64} if there is one, and a last line with their checksum.
 *
 * <p>SSTables contain the dictionary that they were written with. What this file has is only for
 * those to come, and no data is lost with it. Immutable.
 *
 * @param trainedMillis the time of the last training in milliseconds since 1970; {@link
 *     Long#MIN_VALUE} if there was none
 * @param dictionary the newest one that was trained here; null for none
 */
public record DictionaryFile(long trainedMillis, @Nullable CompressionDictionary dictionary) {
  /** The name of the file. */
  public static final String FILE = "compression_dictionary";

  static final DictionaryFile NONE = new DictionaryFile(Long.MIN_VALUE, null);

  private static final String TRAINED = "trained ";
  private static final String DICTIONARY = "dictionary ";

  /**
   * Reads the file of a directory.
   *
   * @return {@link #NONE} if there is no such file
   * @throws CorruptFileException if it is damaged; the message names it
   */
  public static DictionaryFile read(Directory directory) throws IOException {
    if (!directory.exists(FILE)) {
      return NONE;
    }
    String text = CheckedLines.read(directory, FILE);
    try {
      String[] lines = text.strip().split("\n", -1);
      return new DictionaryFile(
          Long.parseLong(rest(lines[0], TRAINED)), lines.length == 1 ? null : dictionary(lines[1]));
    } catch (IllegalArgumentException e) {
      throw CheckedLines.damaged(directory, FILE, String.valueOf(e.getMessage()), e);
    }
  }

  private static CompressionDictionary dictionary(String line) {
    String[] words = rest(line, DICTIONARY).split(" ", 2);
    if (words.length < 2) {
      throw new IllegalArgumentException("a dictionary without bytes");
    }
    return CompressionDictionary.of(Long.parseLong(words[0]), Base64.getDecoder().decode(words[1]));
  }

  private static String rest(String line, String start) {
    if (!line.startsWith(start)) {
      throw new IllegalArgumentException("expected a line that begins with '" + start + "'");
    }
    return line.substring(start.length());
  }

  /** Replaces the file durably, as {@link TextFile#replace}. */
  void write(Directory directory) throws IOException {
    StringBuilder lines = new StringBuilder(TRAINED).append(trainedMillis).append('\n');
    CompressionDictionary kept = dictionary;
    if (kept != null) {
      lines.append(DICTIONARY).append(kept.id()).append(' ');
      lines.append(Base64.getEncoder().encodeToString(kept.toBytes())).append('\n');
    }
    CheckedLines.replace(directory, FILE, lines.toString());
  }

  /** Removes what an interrupted write of the file has left. */
  static void removeTemporary(Directory directory) throws IOException {
    TextFile.removeTemporary(directory, FILE);
  }
}
