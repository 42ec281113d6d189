package io.siltstone.liveset;

import io.siltstone.event.EngineListener.RecoveryAssumed;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A transaction log of this engine or of Cassandra, as it was found in a directory. Immutable.
 *
 * @param name of the file
 * @param records all complete records
 * @param isTorn whether they are followed by something that is no record: a last line that did not
 *     reach the disk completely
 */
record FoundTransactionLog(String name, List<TransactionLogRecord> records, boolean isTorn) {
  private static final int LARGEST = 64 * 1024 * 1024;

  private static final String SUFFIX = ".log";

  // This is Cassandra's own pattern: logs of old versions have no version in their name, newer
  // formats have one of two parts.
  private static final Pattern NAME = Pattern.compile("((?:[a-z]+-)?.{2}_)?txn_(.*)_(.*)\\.log");

  static boolean isName(String name) {
    return name.endsWith(SUFFIX) && NAME.matcher(name).matches();
  }

  /** Returns whether a file is the remains of a transaction log that was never completed. */
  static boolean isTemporaryName(String name) {
    String suffix = Descriptor.TEMPORARY_SUFFIX;
    return name.endsWith(suffix) && isName(name.substring(0, name.length() - suffix.length()));
  }

  /**
   * Reads a log.
   *
   * @param assumptions makes the reading lenient, and receives what was assumed; null for a strict
   *     reading
   * @throws CorruptFileException if the log is damaged, and no assumption is certain enough
   */
  static FoundTransactionLog read(
      Directory directory, String name, @Nullable List<RecoveryAssumed> assumptions)
      throws IOException {
    byte[] bytes;
    String path;
    try (ReadableFile file = directory.open(name, ReadIntent.SCAN)) {
      path = file.path();
      if (file.length() > LARGEST) {
        throw new CorruptFileException(
            path,
            CorruptFileException.WHOLE_FILE,
            "has " + CountText.of(file.length(), "byte") + ", allowed " + LARGEST);
      }
      bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
    }
    return new Lines(path, bytes, assumptions).read(name);
  }

  /** Parses the lines of a log. Used once. */
  private static final class Lines {
    private final String path;
    private final byte[] bytes;
    private final @Nullable List<RecoveryAssumed> assumptions;
    private final List<TransactionLogRecord> records = new ArrayList<>();
    // Index of the first line that is no record; -1 if there is none.
    private int unreadable = -1;

    Lines(String path, byte[] bytes, @Nullable List<RecoveryAssumed> assumptions) {
      this.path = path;
      this.bytes = bytes;
      this.assumptions = assumptions;
    }

    FoundTransactionLog read(String name) throws CorruptFileException {
      boolean isLastUnreadable = false;
      int count = 0;
      for (int from = 0; from < bytes.length; ) {
        int to = from;
        while (to < bytes.length && bytes[to] != '\n') {
          to++;
        }
        List<TransactionLogRecord> found =
            records(from, to > from && bytes[to - 1] == '\r' ? to - 1 : to);
        isLastUnreadable = found.isEmpty();
        if (isLastUnreadable) {
          unreadable = count == 0 ? from : unreadable;
          count++;
        }
        for (TransactionLogRecord record : found) {
          requireInOrder(from);
          records.add(record);
        }
        from = to + 1;
      }
      FoundTransactionLog log =
          new FoundTransactionLog(name, List.copyOf(records), isLastUnreadable);
      if (count == 0 || (log.end() == null && isLastUnreadable && count == 1)) {
        return log;
      }
      if (assumptions == null) {
        throw corrupt(unreadable, "something follows the record of the transaction's end");
      }
      if (log.isCommitted() || (log.end() == null && isLastUnreadable)) {
        throw corrupt(
            unreadable,
            "a line cannot be read of a transaction that may have happened: it cannot be told which"
                + " SSTables are obsolete");
      }
      assume(
          unreadable,
          "a line cannot be read; the transaction has not happened, so that an SSTable that it may"
              + " name is kept");
      return new FoundTransactionLog(name, List.copyOf(records), false);
    }

    private List<TransactionLogRecord> records(int from, int to) throws CorruptFileException {
      byte[] line = Arrays.copyOfRange(bytes, from, to);
      TransactionLogRecord record =
          TransactionLogRecord.parse(new String(line, StandardCharsets.UTF_8));
      if (record != null) {
        return List.of(record);
      }
      List<TransactionLogRecord> corrected = TransactionLogRecord.correct(line);
      if (!corrected.isEmpty()) {
        if (assumptions == null) {
          throw corrupt(from, "one bit is wrong, by its checksum the line is " + corrected);
        }
        assume(from, "one bit is wrong, by its checksum the line is " + corrected);
      }
      return corrected;
    }

    /**
     * Checks that only the last line is no record, and that nothing follows the end of the
     * transaction.
     */
    private void requireInOrder(int from) throws CorruptFileException {
      if (unreadable >= 0 && assumptions == null) {
        throw corrupt(from, "a record follows a line that is none");
      }
      if (!records.isEmpty() && records.get(records.size() - 1).type().isLast()) {
        throw corrupt(from, "a record follows that of the transaction's end");
      }
    }

    private void assume(int offset, String assumption) {
      Objects.requireNonNull(assumptions)
          .add(new RecoveryAssumed(path, "at offset " + offset + " " + assumption));
    }

    private CorruptFileException corrupt(int offset, String reason) {
      return new CorruptFileException(path, offset, reason);
    }
  }

  private TransactionLogRecord.@Nullable Type end() {
    TransactionLogRecord last = records.isEmpty() ? null : records.get(records.size() - 1);
    return last != null && last.type().isLast() ? last.type() : null;
  }

  boolean isCommitted() {
    return end() == TransactionLogRecord.Type.COMMIT;
  }

  /** Returns the prefixes of the SSTables whose files are to be deleted. */
  List<String> dead() {
    TransactionLogRecord.Type dead =
        isCommitted() ? TransactionLogRecord.Type.REMOVE : TransactionLogRecord.Type.ADD;
    return records.stream()
        .filter(record -> record.type() == dead)
        .map(TransactionLogRecord::prefix)
        .toList();
  }

  /**
   * Checks that the log describes the files that are there. Files that a user has restored from a
   * backup must not be taken for files of the same names that the transaction made obsolete.
   *
   * @param assumptions as of {@link #read}
   * @return this, or what is assumed of it
   */
  FoundTransactionLog check(
      Directory directory, Collection<String> names, @Nullable List<RecoveryAssumed> assumptions)
      throws IOException {
    if (assumptions != null && isTorn && hasBegunToDelete(names)) {
      assumptions.add(
          new RecoveryAssumed(
              directory.path() + "/" + name,
              "its last line is torn, but files are gone that are deleted only when the transaction"
                  + " has happened, and all of its new SSTables are there; so it has happened"));
      return committed();
    }
    for (TransactionLogRecord record : records) {
      if (record.type() != TransactionLogRecord.Type.REMOVE) {
        continue;
      }
      List<String> files = SSTableComponents.of(record.prefix(), names);
      if (isTorn && files.size() < record.files()) {
        throw corrupt(
            directory,
            "its last line is torn, and of "
                + record.prefix()
                + " there are "
                + CountText.of(files.size(), "file")
                + " of "
                + record.files()
                + ": whether the transaction has happened cannot be told");
      }
      if (isCommitted() && !isOfItsTime(directory, record, files)) {
        throw corrupt(
            directory,
            "it says that "
                + record.prefix()
                + " is obsolete, but the files of that name were changed at "
                + SSTableComponents.lastModified(directory, files, false)
                + " ms since 1970, not at "
                + record.modifiedMillis()
                + "; remove either the log or the files");
      }
    }
    return this;
  }

  /**
   * Returns the log of a transaction that has happened, although the log itself does not say so.
   */
  FoundTransactionLog committed() {
    if (isCommitted()) {
      return this;
    }
    List<TransactionLogRecord> committed = new ArrayList<>(records);
    committed.add(TransactionLogRecord.COMMIT);
    return new FoundTransactionLog(name, List.copyOf(committed), false);
  }

  /** Returns whether obsolete files are missing, and no other files have taken their place. */
  private boolean hasBegunToDelete(Collection<String> names) {
    boolean isAnyMissing = false;
    for (TransactionLogRecord record : records) {
      if (record.type() == TransactionLogRecord.Type.REMOVE) {
        isAnyMissing |= SSTableComponents.of(record.prefix(), names).size() < record.files();
      } else if (!names.contains(record.prefix() + Component.DATA.fileName())) {
        return false;
      }
    }
    return isAnyMissing;
  }

  private static boolean isOfItsTime(
      Directory directory, TransactionLogRecord record, List<String> files) throws IOException {
    long found = SSTableComponents.lastModified(directory, files, false);
    long expected = SSTableComponents.seconds(record.modifiedMillis());
    return found == 0
        || SSTableComponents.seconds(found) == expected
        // Old versions of Cassandra counted all files.
        || SSTableComponents.seconds(SSTableComponents.lastModified(directory, files, true))
            == expected;
  }

  private CorruptFileException corrupt(Directory directory, String reason) {
    return new CorruptFileException(
        directory.path() + "/" + name, CorruptFileException.WHOLE_FILE, reason);
  }
}
