package io.siltstone.table;

import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.NioOptions;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How the files at a path of the default file system are opened: with which options, and with which
 * keys if they are encrypted. Immutable.
 *
 * @param options for reading and writing
 * @param keys of encrypted files; null if they are plain
 */
public record PathFiles(NioOptions options, EncryptedDirectory.@Nullable Keys keys) {

  /** Opens a directory, which is created with its parents if it is missing. */
  public Directory open(Path path) throws IOException {
    return wrapped(NioDirectory.open(path, options));
  }

  /**
   * Opens an existing directory.
   *
   * @throws NoSuchFileException if it is missing
   */
  public Directory openExisting(Path path) throws IOException {
    return wrapped(NioDirectory.openExisting(path, options));
  }

  private Directory wrapped(Directory directory) {
    return keys == null ? directory : EncryptedDirectory.over(directory, keys);
  }
}
