package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one transaction: a small file beside the tables, named {@code
 * VERSION_txn_OPERATION_UUID.log}, a {@link TransactionLogRecord} a line. It lists the tables that
 * come and those that go; its last line says whether that has happened. Until that line is durable
 * nothing has; afterwards everything has, and what is left to do is to delete files, then the log.
 *
 * <p>The log is made under a temporary name and renamed when its content is durable, so that only
 * its last line can be torn. It is there, durably, before any file of a new table has its name.
 *
 * <p>Confined to one thread at a time. Holds no open file between calls, except from {@link
 * #prepareCommit} to {@link #commit} or {@link #delete}. Source of the form: Cassandra {@code
 * LogFile}; Cassandra cleans up after this engine, and this engine after it.
 */
final class TransactionLog {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionLog.class);

  private final Directory directory;
  private final String name;
  private final List<TransactionLogRecord> records;
  private @Nullable WritableFile opened;
  private boolean committed;

  private TransactionLog(Directory directory, String name, List<TransactionLogRecord> records) {
    this.directory = directory;
    this.name = name;
    this.records = records;
  }

  /**
   * Makes the log, durably. After a failure it is not there, or the transaction it tells of has not
   * happened and has nothing to undo.
   *
   * @param operation in lower-case letters, one of Cassandra's
   */
  static TransactionLog begin(
      Directory directory,
      FormatVersion version,
      String operation,
      UUID id,
      List<TransactionLogRecord> records)
      throws IOException {
    String name = version.text() + "_txn_" + operation + "_" + id + ".log";
    TransactionLog log = new TransactionLog(directory, name, List.copyOf(records));
    try {
      log.write(List.of());
    } catch (Throwable e) {
      for (String left : List.of(log.temporaryName(), name)) {
        try {
          SSTableComponents.deleteIfThere(directory, left);
        } catch (IOException suppressed) {
          e.addSuppressed(suppressed);
        }
      }
      throw e;
    }
    return log;
  }

  /** Opens the file for the last line, so that {@link #commit} cannot fail for want of that. */
  void prepareCommit() throws IOException {
    opened = directory.append(name);
  }

  /**
   * Makes the transaction happen.
   *
   * @throws InDoubtException if it cannot be known whether it has
   * @throws IOException if it has not, certainly
   */
  void commit() throws IOException {
    // If this fails nothing has been written.
    WritableFile file = opened != null ? opened : directory.append(name);
    opened = null;
    try (file) {
      file.write(bytes(TransactionLogRecord.COMMIT.line()));
      file.sync();
    } catch (Throwable e) {
      // The line may be there all the same, now or after a crash. A log that says the contrary
      // takes the place of this one, whose content is not to be trusted any more.
      try {
        SSTableComponents.deleteIfThere(directory, temporaryName());
        write(List.of(TransactionLogRecord.ABORT));
      } catch (Throwable second) {
        e.addSuppressed(second);
        throw new InDoubtException(
            "it is not known whether the transaction of "
                + directory.path()
                + "/"
                + name
                + " has happened: "
                + e,
            e);
      }
      throw e;
    }
    committed = true;
  }

  /** Whether the transaction has happened, so that nothing of it may be undone. */
  boolean isCommitted() {
    return committed;
  }

  /** Removes the log, after all that is to be deleted by it is deleted, durably. */
  void delete() throws IOException {
    release();
    SSTableComponents.deleteIfThere(directory, name);
  }

  /** Closes the file, if it is open and nothing was written with it. */
  void release() {
    WritableFile file = opened;
    opened = null;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        LOG.debug("{} was not closed properly", name, e);
      }
    }
  }

  private void write(List<TransactionLogRecord> more) throws IOException {
    StringBuilder text = new StringBuilder();
    records.forEach(record -> text.append(record.line()));
    more.forEach(record -> text.append(record.line()));
    try (WritableFile file = directory.create(temporaryName(), WriteIntent.LOG)) {
      file.write(bytes(text.toString()));
      file.sync();
    }
    directory.rename(temporaryName(), name);
    directory.sync();
  }

  private String temporaryName() {
    return name + Descriptor.TEMPORARY_SUFFIX;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Its name. */
  @Override
  public String toString() {
    return name;
  }
}
