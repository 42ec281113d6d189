package io.siltstone.tools.terminal;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory and those that it was reached through, so that symbolic links that lead back are
 * found, as {@link java.nio.file.Files#walk} finds them. Immutable.
 */
public final class DirectoryPath {
  private final @Nullable DirectoryPath above;
  private final Path directory;
  private final Path real;

  private DirectoryPath(@Nullable DirectoryPath above, Path directory) throws IOException {
    this.above = above;
    this.directory = directory;
    this.real = directory.toRealPath();
  }

  /** Begins at a directory. */
  public static DirectoryPath from(Path directory) throws IOException {
    return new DirectoryPath(null, directory);
  }

  /**
   * Goes on to a directory in this one.
   *
   * @throws FileSystemLoopException if it is one on the way
   */
  public DirectoryPath to(Path below) throws IOException {
    DirectoryPath way = new DirectoryPath(this, below);
    for (DirectoryPath each = this; each != null; each = each.above) {
      if (each.real.equals(way.real)) {
        throw new FileSystemLoopException(below.toString());
      }
    }
    return way;
  }

  /** Where it leads, as it was named. */
  public Path directory() {
    return directory;
  }
}
