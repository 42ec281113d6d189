package io.siltstone.tools.terminal;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory and the directories that lead to it, which detects cycles of symbolic links like
 * {@link java.nio.file.Files#walk}. Immutable.
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

  /** Starts at a directory. */
  public static DirectoryPath from(Path directory) throws IOException {
    return new DirectoryPath(null, directory);
  }

  /**
   * Descends to a directory within this one.
   *
   * @throws FileSystemLoopException if it is one of the directories above
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

  /** Returns the present directory, by the name it was reached with. */
  public Path directory() {
    return directory;
  }
}
