package io.siltstone.backup;

import io.siltstone.files.DirectoryTree;
import io.siltstone.files.FileCopy;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Restores a backup: copies its files into a directory, each compared with its hash. The file that
 * makes the directory a database is renamed to its name last, when all else is durable: so after a
 * crash the whole database is there, or none. Until then the file {@value #MARK} is there too, by
 * which another restore knows that what else is there are remains.
 *
 * <p>Used once, by one thread.
 */
public final class BackupRestore {
  private static final String MARK = "restore.incomplete";

  private final BackupStore store;
  private final Manifest manifest;
  private final Directory target;
  private final String identity;
  private final Pace pace;
  private final LongConsumer progress;
  private long copied;

  /**
   * @param identity name of the file that makes a directory a database
   * @param progress is told the number of bytes that were copied so far
   */
  public BackupRestore(
      BackupStore store,
      Manifest manifest,
      Directory target,
      String identity,
      Pace pace,
      LongConsumer progress) {
    this.store = store;
    this.manifest = manifest;
    this.target = target;
    this.identity = identity;
    this.pace = pace;
    this.progress = progress;
  }

  /** Changes the copy before it becomes a database. */
  @FunctionalInterface
  public interface Completion {
    /** Changes files of the directory; what it has changed is durable on return. */
    void complete(Directory root) throws IOException;
  }

  /**
   * Restores the backup. After a failure the target is emptied again if that is possible.
   *
   * @param isVerifying whether the copies are read again and compared
   * @param completion is called when all files but the identity are durable
   * @throws IOException if the target is not empty
   * @throws io.siltstone.io.CorruptFileException if a content is damaged or missing
   */
  public void run(boolean isVerifying, Completion completion) throws IOException {
    requireEmpty();
    try (WritableFile mark = target.create(MARK, WriteIntent.OTHER)) {
      mark.sync();
    }
    try {
      target.sync();
      BackupFile last = copyAllButIdentity();
      DirectoryTree.sync(target);
      if (isVerifying) {
        verify();
      }
      completion.complete(target);
      String temporary = identity + ".tmp";
      copy(last, target, temporary);
      target.sync();
      target.rename(temporary, identity);
      target.sync();
      target.delete(MARK);
      target.sync();
    } catch (Throwable e) {
      try {
        empty();
      } catch (IOException failed) {
        e.addSuppressed(failed);
      }
      throw e;
    }
  }

  private void requireEmpty() throws IOException {
    List<String> names = target.files();
    if (names.contains(MARK) && !names.contains(identity)) {
      empty();
    } else if (!names.isEmpty() || !target.directories().isEmpty()) {
      throw new IOException(target.path() + " is not empty: a backup is restored into a new one");
    }
  }

  /** Empties the target; the mark goes last, so that the remains can still be told. */
  private void empty() throws IOException {
    if (target.exists(identity)) {
      // Without it there is no database, whatever of the rest a power loss brings back.
      target.delete(identity);
      target.sync();
    }
    for (String name : target.files()) {
      if (!name.equals(MARK)) {
        target.delete(name);
      }
    }
    DirectoryTree.emptyChildren(target);
    target.sync();
    if (target.exists(MARK)) {
      target.delete(MARK);
      target.sync();
    }
  }

  private BackupFile copyAllButIdentity() throws IOException {
    BackupFile last = null;
    for (BackupFile file : manifest.files()) {
      if (file.path().equals(identity)) {
        last = file;
      } else {
        copy(file, directoryOf(file), nameOf(file));
      }
    }
    if (last == null) {
      throw new IOException(
          store.path() + ": backup " + manifest.id() + " has no " + identity + ", so no database");
    }
    return last;
  }

  private Directory directoryOf(BackupFile file) throws IOException {
    List<String> names = new ArrayList<>(Arrays.asList(file.path().split("/", -1)));
    Directory at = target;
    for (String name : names.subList(0, names.size() - 1)) {
      at = at.directory(name);
    }
    return at;
  }

  private static String nameOf(BackupFile file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }

  private void copy(BackupFile file, Directory directory, String name) throws IOException {
    ContentHash hash = new ContentHash();
    try (ReadableFile in = store.open(manifest.id(), file, ReadIntent.SCAN)) {
      FileCopy.copy(
          in,
          file.length(),
          directory,
          name,
          bytes -> {
            int count = bytes.remaining();
            hash.take(bytes);
            copied += count;
            progress.accept(copied);
            pace.passed(count);
          });
    }
    if (!hash.end().equals(file.sha256())) {
      throw store.changed(manifest.id(), file);
    }
  }

  private void verify() throws IOException {
    for (BackupFile file : manifest.files()) {
      if (!file.path().equals(identity)) {
        try (ReadableFile copy = directoryOf(file).open(nameOf(file), ReadIntent.SCAN)) {
          if (!ContentHash.of(copy, file.length(), pace).equals(file.sha256())) {
            throw new IOException(
                copy.path() + " does not have the content that was written to it: check the disk");
          }
        }
      }
    }
  }
}
