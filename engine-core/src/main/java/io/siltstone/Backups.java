package io.siltstone;

import io.siltstone.backup.BackupRestore;
import io.siltstone.backup.BackupStore;
import io.siltstone.backup.BackupView;
import io.siltstone.backup.BackupWriter;
import io.siltstone.backup.Manifest;
import io.siltstone.backup.Pace;
import io.siltstone.catalog.Identity;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.InDoubtException;
import io.siltstone.io.LockedException;
import io.siltstone.io.NioDirectory;
import io.siltstone.table.DatabaseLayout;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * Incremental backups of databases in a directory. A backup has the SSTables of all tables and the
 * commit log, as they are at one moment; each content is stored once, named by its SHA-256, however
 * many backups have it. So a backup copies only the SSTables that the directory lacks, and the
 * commit log.
 *
 * <p>A backup is listed when all of it is durable, and not before. Whatever a crash, a full disk or
 * a failure leaves is removed when the next backup is made or deleted. Backups of several databases
 * may be in one directory.
 *
 * <p>{@link #bytesPerSecond}, {@link #verifying} and {@link #progress} return copies with another
 * setting. Immutable, safe for use by all threads and processes: one at a time adds or deletes
 * backups, and another one gets a {@link LockedException}. Needs no closing.
 */
public final class Backups {
  private final BackupStore store;
  private final long bytesPerSecond;
  private final boolean isVerifying;
  private final LongConsumer progress;

  private Backups(
      BackupStore store, long bytesPerSecond, boolean isVerifying, LongConsumer progress) {
    this.store = store;
    this.bytesPerSecond = bytesPerSecond;
    this.isVerifying = isVerifying;
    this.progress = progress;
  }

  /**
   * One backup.
   *
   * @param id number of the backup, ascending from 1
   * @param createdAt when the state of the database was taken, by its clock, in whole milliseconds
   * @param hostId of the database, which what is restored has again
   * @param files number of files of the database
   * @param bytes sum of their lengths
   * @param copiedBytes bytes that the backup has added to those of earlier ones
   */
  public record Backup(
      long id, Instant createdAt, UUID hostId, int files, long bytes, long copiedBytes) {}

  /** Returns the backups in a directory, which is created if it is missing. */
  public static Backups in(Path directory) throws IOException {
    return in(NioDirectory.open(directory));
  }

  /** Returns the backups in a directory of any file system. */
  public static Backups in(Directory directory) {
    return new Backups(new BackupStore(directory), 0, false, bytes -> {});
  }

  /**
   * Limits how many bytes a second are copied or compared.
   *
   * @param value the limit, 1 or more; 0 for none, which is the default
   * @throws IllegalArgumentException if the value is negative
   */
  public Backups bytesPerSecond(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("bytesPerSecond " + value + ", allowed 0 (none) or more");
    }
    return new Backups(store, value, isVerifying, progress);
  }

  /**
   * Sets whether more is read again; false by default. {@link #create} then compares what is stored
   * already with its hash, not only its length, before it relies on it. {@link #restore} reads what
   * it has written, and compares that.
   */
  public Backups verifying(boolean value) {
    return new Backups(store, bytesPerSecond, value, progress);
  }

  /**
   * Sets the callback of {@link #create} and {@link #restore}. The calling thread calls it from
   * time to time with the number of bytes that were copied so far.
   */
  public Backups progress(LongConsumer value) {
    return new Backups(
        store, bytesPerSecond, isVerifying, Objects.requireNonNull(value, "progress"));
  }

  private Pace pace() {
    return Pace.of(bytesPerSecond);
  }

  /**
   * Makes a backup of an open database. Only tables without a log ({@code durable_writes}) are
   * flushed: what others have in memory comes from the commit log. Reads, writes, flushes and
   * compactions go on; tables cannot be created, altered, truncated, dropped or imported into until
   * it has ended, and closing the database waits for it.
   *
   * <p>A file whose hash is not known is read. The hash of a data file is known if the last backup
   * of the database has a file of the same name, length, modification time and digest. A content of
   * the right hash that is missing in the directory, or has another length, is copied again.
   *
   * @throws LockedException if another backup is being made or deleted there
   * @throws CorruptFileException if the manifest of an earlier backup is damaged
   * @throws InDoubtException if it is unknown whether the backup is listed; if it is, it is whole
   * @throws IOException if something failed; no backup is listed then
   * @throws IllegalStateException if the database is open for reading only or closed, or if called
   *     by a listener that is being notified of a flush
   */
  public Backup create(Database database) throws IOException {
    Engine engine = database.engine();
    return engine.inside(
        () -> {
          // Nothing is created if nothing can be backed up.
          engine.requireNotFlushing();
          var unused = engine.writePath();
          try (BackupWriter writer = BackupWriter.open(store, pace(), isVerifying, progress)) {
            return of(
                database
                    .definitions()
                    .hold(
                        files ->
                            writer.write(
                                engine.options.clock().instant(),
                                engine.services.hostId(),
                                files)));
          }
        });
  }

  private static Backup of(Manifest manifest) {
    return new Backup(
        manifest.id(),
        manifest.createdAt(),
        manifest.hostId(),
        manifest.files().size(),
        manifest.bytes(),
        manifest.copiedBytes());
  }

  /**
   * Returns all backups, by ascending id.
   *
   * @throws CorruptFileException if a manifest is damaged
   */
  public List<Backup> list() throws IOException {
    return store.readAll().stream().map(Backups::of).toList();
  }

  /**
   * Compares every content of a backup with its hash.
   *
   * @return what is damaged or missing, one exception for each content, which names its file and
   *     the file of the database; empty if the backup is whole
   * @throws NoSuchFileException if there is no such backup
   * @throws CorruptFileException if its manifest is damaged
   * @throws IOException if a content cannot be read
   */
  public List<CorruptFileException> verify(long id) throws IOException {
    return store.verify(store.read(id), pace());
  }

  /**
   * Deletes a backup, and the contents that no other has. A backup whose manifest is damaged can be
   * deleted, too. A restore from it that is running fails.
   *
   * @throws NoSuchFileException if there is no such backup
   * @throws LockedException if a backup is being made or deleted
   */
  public void delete(long id) throws IOException {
    store.delete(List.of(id));
  }

  /**
   * Deletes all backups but the last ones, as {@link #delete}, and what interrupted backups left.
   *
   * @param keep the number of backups to keep, 1 or more
   * @return the ids of the deleted backups, ascending
   * @throws IllegalArgumentException if none would be kept
   */
  public List<Long> prune(int keep) throws IOException {
    if (keep < 1) {
      throw new IllegalArgumentException("backups to keep " + keep + ", allowed 1 or more");
    }
    return store.prune(keep);
  }

  /**
   * Returns the database in a backup as a directory that can be read in place, by {@link
   * Database#open(Directory, DatabaseOptions)} for reading only. Every file is read where it is
   * stored, and its length is compared; its content is checked as that of any database is.
   *
   * @throws NoSuchFileException if there is no such backup
   * @throws CorruptFileException if its manifest is damaged
   */
  public Directory directory(long id) throws IOException {
    return BackupView.of(store, store.read(id));
  }

  /** Restores a backup into a directory; see {@link #restore(long, Directory)}. */
  public void restore(long id, Path target) throws IOException {
    restore(id, NioDirectory.open(target));
  }

  /**
   * Restores a backup. Every content is compared with its hash when it is copied. The target is a
   * database when all of it is durable, and not before; what an interrupted restore has left is
   * replaced.
   *
   * <p>The result is the same database, with its host id. To go on in the place of the lost one is
   * what it is for. Give it another directory for the archive of its commit log, as the archive
   * goes on where the lost one ended.
   *
   * @param target an empty directory
   * @throws NoSuchFileException if there is no such backup
   * @throws CorruptFileException if a content or the manifest is damaged or missing; the message
   *     names the file
   * @throws IOException if the target is not empty, or if something failed; the target is emptied
   *     again if that is possible
   */
  public void restore(long id, Directory target) throws IOException {
    restoreBy(id, target, root -> {});
  }

  /**
   * Restores a backup, and the writes since then from the archive of the commit log. Otherwise as
   * {@link #restore(long, Directory)}.
   *
   * <p>The writes end before the first one with a timestamp after the given time, as in Cassandra.
   * Therefore, a write whose timestamp a user has set to the future ends them early. Tables that
   * were created since then are not restored: their changes are kept aside when the database is
   * opened.
   *
   * @param archive the directory of {@code CommitLogOptions.archive}; its segments are read
   * @param upTo the time to which writes are restored; {@link Instant#MAX} for all that the archive
   *     has
   * @throws IllegalArgumentException if the backup was made after that time
   * @throws CorruptFileException if a segment is damaged, missing or of another database
   */
  public void restore(long id, Directory target, Directory archive, Instant upTo)
      throws IOException {
    Manifest manifest = store.read(id);
    if (upTo.isBefore(manifest.createdAt())) {
      throw new IllegalArgumentException(
          "backup " + id + " is of " + manifest.createdAt() + ", which is after " + upTo);
    }
    restoreBy(id, target, root -> ArchivedWrites.addTo(root, archive, identity(manifest), upTo));
  }

  private Identity identity(Manifest manifest) throws IOException {
    return Identity.read(BackupView.of(store, manifest))
        .orElseThrow(() -> DatabaseLayout.missing(store.path(), true));
  }

  private void restoreBy(long id, Directory target, BackupRestore.Completion completion)
      throws IOException {
    new BackupRestore(store, store.read(id), target, DatabaseLayout.IDENTITY, pace(), progress)
        .run(isVerifying, completion);
  }
}
