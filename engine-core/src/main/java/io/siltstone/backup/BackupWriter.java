package io.siltstone.backup;

import io.siltstone.files.FileCopy;
import io.siltstone.files.LockFile;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadableFile;
import java.io.Closeable;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds a backup to a directory of backups, and copies only what that lacks. It holds the lock of
 * the directory from its opening on, and has removed what an interrupted backup has left there.
 *
 * <p>A file is read to learn its hash, with one exception: one with the name, length and
 * modification time that it had in the last backup of the same database, whose checksum file has
 * the content that it had then.
 *
 * <p>Confined to one thread; its opener closes it.
 */
public final class BackupWriter implements Closeable {
  private static final String TEMPORARY = "copy.tmp";

  private final BackupStore store;
  private final Pace pace;
  private final boolean isVerifying;
  private final LongConsumer progress;
  private final LockFile lock;
  private final Directory contents;
  private final long id;
  private final List<Manifest> earlier;
  private final Set<Long> lengths = new HashSet<>();
  private final Map<String, BackupFile> written = new HashMap<>();
  // Contents that were stored, or found to be as they should be, by this backup.
  private final Set<String> good = new HashSet<>();
  private long copied;

  private BackupWriter(
      BackupStore store, Pace pace, boolean isVerifying, LongConsumer progress, LockFile lock)
      throws IOException {
    this.store = store;
    this.pace = pace;
    this.isVerifying = isVerifying;
    this.progress = progress;
    this.lock = lock;
    this.contents = store.makeContents();
    store.removeOrphans(lock);
    this.earlier = store.readAll();
    for (Manifest manifest : earlier) {
      manifest.files().forEach(file -> lengths.add(file.length()));
    }
    this.id = earlier.isEmpty() ? 1 : earlier.get(earlier.size() - 1).id() + 1;
  }

  /**
   * Takes the lock and removes the remains of an interrupted backup.
   *
   * @param isVerifying whether contents that are already there are read and compared with their
   *     hashes before they are used again; otherwise only their length is compared
   * @param progress is told the number of bytes that were copied so far
   * @throws io.siltstone.io.LockedException if another backup is being made
   */
  public static BackupWriter open(
      BackupStore store, Pace pace, boolean isVerifying, LongConsumer progress) throws IOException {
    LockFile lock = store.lock();
    try {
      return new BackupWriter(store, pace, isVerifying, progress, lock);
    } catch (Throwable e) {
      try (lock) {
        throw e;
      }
    }
  }

  /**
   * Stores the files and lists the backup, durably. After a failure it is not listed, and what was
   * copied is removed if that is possible.
   *
   * @throws io.siltstone.io.InDoubtException if it is unknown whether the backup is listed; if it
   *     is, then it is whole
   */
  public Manifest write(Instant createdAt, UUID hostId, List<SourceFile> sources)
      throws IOException {
    try {
      Map<String, BackupFile> known = knownOf(hostId);
      for (SourceFile source : sources) {
        if (source.checksum() == null) {
          written.put(source.path(), store(source, null));
        }
      }
      for (SourceFile source : sources) {
        if (source.checksum() != null) {
          written.put(source.path(), store(source, unchanged(source, source.checksum(), known)));
        }
      }
      contents.sync();
      List<BackupFile> files = new ArrayList<>(written.values());
      files.sort(Comparator.comparing(BackupFile::path));
      lock.requireOwned();
      // As it is read from the manifest.
      Instant time = createdAt.truncatedTo(ChronoUnit.MILLIS);
      Manifest manifest = new Manifest(id, time, hostId, copied, files);
      store.add(manifest);
      return manifest;
    } catch (Throwable e) {
      removeCopied(e);
      throw e;
    }
  }

  private void removeCopied(Throwable failure) {
    try {
      store.removeOrphans(lock);
    } catch (IOException e) {
      // The next backup does it.
      failure.addSuppressed(e);
    }
  }

  /** Returns the files of the last backup of a database, by path. */
  private Map<String, BackupFile> knownOf(UUID hostId) {
    Map<String, BackupFile> known = new HashMap<>();
    for (int i = earlier.size() - 1; i >= 0 && known.isEmpty(); i--) {
      if (earlier.get(i).hostId().equals(hostId)) {
        earlier.get(i).files().forEach(file -> known.put(file.path(), file));
      }
    }
    return known;
  }

  /** Returns the file as it was in the last backup, or null if it may have changed since. */
  private @Nullable BackupFile unchanged(
      SourceFile source, String checksum, Map<String, BackupFile> known) {
    BackupFile file = known.get(source.path());
    BackupFile sumThen = known.get(checksum);
    BackupFile sumNow = written.get(checksum);
    return file != null
            && sumThen != null
            && sumNow != null
            && sumThen.sha256().equals(sumNow.sha256())
            && file.modifiedMillis() == source.modifiedMillis()
        ? file
        : null;
  }

  private BackupFile store(SourceFile source, @Nullable BackupFile unchanged) throws IOException {
    try (ReadableFile in = source.opener().open()) {
      long length = source.lengthOf(in);
      if (unchanged != null && unchanged.length() == length && isStored(unchanged)) {
        return unchanged;
      }
      if (lengths.contains(length)) {
        BackupFile file = file(source, length, ContentHash.of(in, length, pace));
        if (isStored(file)) {
          return file;
        }
      }
      return copy(source, in, length);
    }
  }

  private static BackupFile file(SourceFile source, long length, String sha256) {
    return new BackupFile(source.path(), length, sha256, source.modifiedMillis());
  }

  /** Returns whether the content of a file is there and may be used again. */
  private boolean isStored(BackupFile file) throws IOException {
    if (good.contains(file.sha256())) {
      return true;
    }
    boolean isStored =
        contents.exists(file.sha256())
            && contents.length(file.sha256()) == file.length()
            && (!isVerifying || store.check(id, file, pace).isEmpty());
    if (isStored) {
      good.add(file.sha256());
    }
    return isStored;
  }

  private BackupFile copy(SourceFile source, ReadableFile in, long length) throws IOException {
    ContentHash hash = new ContentHash();
    FileCopy.copy(
        in,
        length,
        contents,
        TEMPORARY,
        bytes -> {
          int count = bytes.remaining();
          hash.take(bytes);
          copied += count;
          progress.accept(copied);
          pace.passed(count);
        });
    BackupFile file = file(source, length, hash.end());
    // A damaged content of this name is replaced.
    contents.rename(TEMPORARY, file.sha256());
    good.add(file.sha256());
    lengths.add(length);
    return file;
  }

  /** Releases the lock. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
