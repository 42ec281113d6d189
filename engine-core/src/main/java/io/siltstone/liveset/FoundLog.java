package io.siltstone.liveset;

import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A transaction log as it was found in a directory, of this engine or of Cassandra. Immutable.
 *
 * @param name of the file
 * @param records all that are whole
 * @param isTorn whether something stands behind them that is no record: a last line that did not
 *     reach the disk whole
 */
record FoundLog(String name, List<LogRecord> records, boolean isTorn) {
  private static final int LARGEST = 64 * 1024 * 1024;

  // Cassandra's own pattern: logs of old versions have none in their name, newer formats two parts.
  private static final Pattern NAME = Pattern.compile("((?:[a-z]+-)?.{2}_)?txn_(.*)_(.*)\\.log");

  static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether it is what is left of a log that was never made. */
  static boolean isTemporaryName(String name) {
    String suffix = Descriptor.TEMPORARY_SUFFIX;
    return name.endsWith(suffix) && isName(name.substring(0, name.length() - suffix.length()));
  }

  static FoundLog read(Directory directory, String name) throws IOException {
    String text;
    String path;
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      path = file.path();
      if (file.length() > LARGEST) {
        throw new CorruptFileException(
            path,
            CorruptFileException.WHOLE_FILE,
            "has " + file.length() + " bytes, allowed " + LARGEST);
      }
      byte[] bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
      text = new String(bytes, StandardCharsets.UTF_8);
    }
    List<LogRecord> records = new ArrayList<>();
    boolean isTorn = false;
    int offset = 0;
    for (String line : text.split("\n", -1)) {
      LogRecord record = LogRecord.parse(line.endsWith("\r") ? chop(line) : line);
      boolean isEnd = line.isEmpty() && offset == text.length();
      if (record == null) {
        isTorn |= !isEnd;
      } else if (isTorn
          || (!records.isEmpty() && records.get(records.size() - 1).type().isLast())) {
        throw new CorruptFileException(
            path,
            offset,
            isTorn
                ? "a record follows a line that is none"
                : "a record follows that of the transaction's end");
      } else {
        records.add(record);
      }
      offset += line.length() + 1;
    }
    FoundLog log = new FoundLog(name, List.copyOf(records), isTorn);
    if (isTorn && log.end() != null) {
      throw new CorruptFileException(
          path,
          CorruptFileException.WHOLE_FILE,
          "something follows the record of the transaction's end");
    }
    return log;
  }

  private static String chop(String line) {
    return line.substring(0, line.length() - 1);
  }

  private LogRecord.@Nullable Type end() {
    LogRecord last = records.isEmpty() ? null : records.get(records.size() - 1);
    return last != null && last.type().isLast() ? last.type() : null;
  }

  boolean isCommitted() {
    return end() == LogRecord.Type.COMMIT;
  }

  /** Prefixes of the tables whose files are to be deleted. */
  List<String> dead() {
    LogRecord.Type dead = isCommitted() ? LogRecord.Type.REMOVE : LogRecord.Type.ADD;
    return records.stream().filter(record -> record.type() == dead).map(LogRecord::prefix).toList();
  }

  /**
   * Makes sure that the log speaks of the files that are there. Files that a user has put back from
   * a backup must not be taken for those of the same names that the transaction made obsolete.
   */
  void check(Directory directory, Collection<String> names) throws IOException {
    for (LogRecord record : records) {
      if (record.type() != LogRecord.Type.REMOVE) {
        continue;
      }
      List<String> files = TableFiles.of(record.prefix(), names);
      if (isTorn && files.size() < record.files()) {
        throw corrupt(
            directory,
            "its last line is torn, and of "
                + record.prefix()
                + " there are "
                + files.size()
                + " files of "
                + record.files()
                + ": whether the transaction has happened cannot be told");
      }
      if (isCommitted() && !isOfItsTime(directory, record, files)) {
        throw corrupt(
            directory,
            "it says that "
                + record.prefix()
                + " is obsolete, but the files of that name were changed at "
                + TableFiles.lastModified(directory, files, false)
                + " ms since 1970, not at "
                + record.modifiedMillis()
                + "; remove either the log or the files");
      }
    }
  }

  private static boolean isOfItsTime(Directory directory, LogRecord record, List<String> files)
      throws IOException {
    long found = TableFiles.lastModified(directory, files, false);
    long expected = TableFiles.seconds(record.modifiedMillis());
    return found == 0
        || TableFiles.seconds(found) == expected
        // Old versions of Cassandra took all files.
        || TableFiles.seconds(TableFiles.lastModified(directory, files, true)) == expected;
  }

  private CorruptFileException corrupt(Directory directory, String reason) {
    return new CorruptFileException(
        directory.path() + "/" + name, CorruptFileException.WHOLE_FILE, reason);
  }
}
