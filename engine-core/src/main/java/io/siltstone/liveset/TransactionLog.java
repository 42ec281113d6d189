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
 * The log of one transaction: a small file beside the SSTables, named {@code
 * VERSION_txn_OPERATION_UUID.log}, with a {@link TransactionLogRecord} per line. It lists the
 * SSTables that are added and removed; its last line says whether the transaction has happened.
 * Until that line is durable nothing has happened; afterwards everything has, and what remains is
 * to delete files, then the log.
 *
 * <p>The log is written under a temporary name and renamed when its content is durable, so that
 * only its last line can be torn. It is durable before any file of a new SSTable gets its name.
 *
 * <p>Confined to one thread at a time. Holds no open file between calls, except from {@link
 * #prepareCommit} to {@link #commit} or {@link #delete}. Source of the form: Cassandra {@code
 * LogFile}; Cassandra recovers transactions of this engine, and this engine those of Cassandra.
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
   * Writes the log durably. After a failure it does not exist, or the transaction has not happened
   * and has nothing to undo.
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

  /** Opens the file for the last line, so that opening it cannot fail in {@link #commit}. */
  void prepareCommit() throws IOException {
    opened = directory.append(name);
  }

  /**
   * Commits the transaction.
   *
   * @throws InDoubtException if it is unknown whether the transaction has happened
   * @throws IOException if it certainly has not
   */
  void commit() throws IOException {
    // If this fails, nothing has been written.
    WritableFile file = opened != null ? opened : directory.append(name);
    opened = null;
    try (file) {
      file.write(bytes(TransactionLogRecord.COMMIT.line()));
      file.sync();
    } catch (Throwable e) {
      // The line may be in the file all the same, now or after a crash. A log that says the
      // contrary replaces this one, whose content cannot be trusted any more.
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

  /** Returns whether the transaction has happened, so that nothing of it may be undone. */
  boolean isCommitted() {
    return committed;
  }

  /** Removes the log, after all files that it lists for deletion are durably deleted. */
  void delete() throws IOException {
    release();
    SSTableComponents.deleteIfThere(directory, name);
  }

  /** Closes the file, if it is open and nothing was written to it. */
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

  /** Returns the file name. */
  @Override
  public String toString() {
    return name;
  }
}
