package io.siltstone.tools.terminal;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory and those that it was reached through, so that symbolic links that lead back are
 * found, as {@link java.nio.file.Files#walk} finds them. Immutable.
 */
public final class WayDown {
  private final @Nullable WayDown above;
  private final Path directory;
  private final Path real;

  private WayDown(@Nullable WayDown above, Path directory) throws IOException {
    this.above = above;
    this.directory = directory;
    this.real = directory.toRealPath();
  }

  /** Begins at a directory. */
  public static WayDown from(Path directory) throws IOException {
    return new WayDown(null, directory);
  }

  /**
   * Goes on to a directory in this one.
   *
   * @throws FileSystemLoopException if it is one on the way
   */
  public WayDown to(Path below) throws IOException {
    WayDown way = new WayDown(this, below);
    for (WayDown each = this; each != null; each = each.above) {
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
