package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.io.Directory;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of the file {@value #FILE}: the deletions of ranges of keys of a table that were
 * flushed and are still needed. It is text, one line for each of these, and a last line with the
 * checksum:
 *
 * <pre>
 *   range FROM TO TIMESTAMP TIME   keys from FROM, inclusive, to TO, exclusive, both in hexadecimal;
 *                                  {@value #NO_END} for no end; data up to TIMESTAMP, in microseconds, is deleted;
 *                                  TIME in seconds since 1970, from which gc_grace_seconds count
 *   applied SSTABLE TIMESTAMP      a compaction has left out of the SSTable what the deletions up
 *                                  to TIMESTAMP delete
 *   flush SSTABLE                  the ranges that follow count only if the SSTable is live
 * </pre>
 *
 * <p>A flush writes its ranges after a line {@code flush}, before it commits, so that a flush that
 * does not happen has not deleted anything. The other lines count always. Immutable.
 *
 * @param deletions that count; null for none
 * @param applied by the prefix of the names of an SSTable
 * @param isPending whether the file has ranges that count only if an SSTable is live
 */
record KeyRangeFile(
    @Nullable KeyRangeDeletions deletions, Map<String, Long> applied, boolean isPending) {
  /** The name of the file. */
  static final String FILE = "key_range_deletions";

  /** The content of a file that does not exist. */
  static final KeyRangeFile NONE = new KeyRangeFile(null, Map.of(), false);

  private static final String NO_END = "-";
  private static final HexFormat HEX = HexFormat.of();

  /** Copies the map. */
  KeyRangeFile {
    applied = Map.copyOf(applied);
  }

  /**
   * Parses the lines of the file of a directory.
   *
   * @param live the prefixes of the names of the live SSTables
   * @throws io.siltstone.io.CorruptFileException if they are damaged
   */
  static KeyRangeFile read(Directory directory, Set<String> live) throws IOException {
    if (!directory.exists(FILE)) {
      return NONE;
    }
    String lines = CheckedLines.read(directory, FILE);
    try {
      return parse(lines, live);
    } catch (IllegalArgumentException e) {
      throw CheckedLines.damaged(directory, FILE, String.valueOf(e.getMessage()), e);
    }
  }

  private static KeyRangeFile parse(String lines, Set<String> live) {
    KeyRangeDeletions deletions = null;
    Map<String, Long> applied = new TreeMap<>();
    boolean isPending = false;
    boolean counts = true;
    for (String line : lines.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("range") && words.length == 5) {
        KeyRangeDeletions.Fragment range = range(words);
        deletions = counts ? KeyRangeDeletions.with(deletions, range) : deletions;
      } else if (words[0].equals("applied") && words.length == 3) {
        applied.put(words[1], Long.parseLong(words[2]));
      } else if (words[0].equals("flush") && words.length == 2) {
        isPending = true;
        counts = live.contains(words[1]);
      } else {
        throw new IllegalArgumentException("the line '" + line + "' is none of its kinds");
      }
    }
    applied.keySet().retainAll(live);
    return new KeyRangeFile(deletions, applied, isPending);
  }

  private static KeyRangeDeletions.Fragment range(String[] words) {
    return new KeyRangeDeletions.Fragment(
        HEX.parseHex(words[1]),
        words[2].equals(NO_END) ? null : HEX.parseHex(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]));
  }

  /** Returns the text of a file with deletions that count always. */
  static String textOf(KeyRangeDeletions deletions, Map<String, Long> applied) {
    return CheckedLines.text(lines(deletions, applied));
  }

  /**
   * Returns the text of a file with deletions of a flush.
   *
   * @param present the deletions that count always; null for none
   * @param sstable the prefix of the SSTable with which the others count
   */
  static String textOf(
      @Nullable KeyRangeDeletions present,
      Map<String, Long> applied,
      String sstable,
      KeyRangeDeletions flushed) {
    return CheckedLines.text(
        (present == null ? "" : lines(present, applied))
            + "flush "
            + sstable
            + "\n"
            + lines(flushed, Map.of()));
  }

  private static String lines(KeyRangeDeletions deletions, Map<String, Long> applied) {
    StringBuilder lines = new StringBuilder();
    for (KeyRangeDeletions.Fragment each : deletions.fragments()) {
      byte[] to = each.to();
      lines
          .append("range ")
          .append(HEX.formatHex(each.from()))
          .append(' ')
          .append(to == null ? NO_END : HEX.formatHex(to))
          .append(' ')
          .append(each.timestamp())
          .append(' ')
          .append(each.localDeletionTime())
          .append('\n');
    }
    applied.forEach(
        (sstable, timestamp) ->
            lines.append("applied ").append(sstable).append(' ').append(timestamp).append('\n'));
    return lines.toString();
  }
}
