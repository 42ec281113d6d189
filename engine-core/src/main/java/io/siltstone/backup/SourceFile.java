package io.siltstone.backup;

import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One file of a database that is to be backed up. Safe for all threads.
 *
 * @param path within the database, with slashes
 * @param modifiedMillis when its content changed last, in milliseconds since 1970
 * @param maxBytes the number of bytes that belong to the backup, if the file has more
 * @param checksum path of the file that has the checksum of this one, which is immutable under its
 *     name as long as it has this checksum and modification time; null if there is none
 * @param opener opens the file
 */
public record SourceFile(
    String path, long modifiedMillis, long maxBytes, @Nullable String checksum, Opener opener) {

  /** Opens a file to read it from front to back. */
  @FunctionalInterface
  public interface Opener {
    /** Returns the open file, to be closed by the caller. */
    ReadableFile open() throws IOException;
  }

  /** Returns a file of a directory, all of which belongs to the backup; see the constructor. */
  public static SourceFile of(
      String path, Directory directory, String name, @Nullable String checksum) throws IOException {
    return new SourceFile(
        path,
        directory.lastModifiedMillis(name),
        Long.MAX_VALUE,
        checksum,
        () -> directory.open(name, ReadIntent.SCAN));
  }

  /** Returns a copy, of which only the first bytes belong to the backup. */
  public SourceFile upTo(long bytes) {
    return new SourceFile(path, modifiedMillis, bytes, checksum, opener);
  }

  /** Returns the number of bytes of the open file that belong to the backup. */
  long lengthOf(ReadableFile file) {
    return Math.min(maxBytes, file.length());
  }
}
