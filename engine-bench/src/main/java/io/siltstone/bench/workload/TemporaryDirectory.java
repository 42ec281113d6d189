package io.siltstone.bench.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A new directory that goes with all that is in it when it is closed.
 *
 * @param path where it is
 */
public record TemporaryDirectory(Path path) implements Closeable {

  /** Makes one where the system keeps temporary files. */
  public static TemporaryDirectory named(String prefix) throws IOException {
    return new TemporaryDirectory(Files.createTempDirectory(prefix));
  }

  /** Makes one in another directory. */
  public static TemporaryDirectory in(Path parent, String prefix) throws IOException {
    return new TemporaryDirectory(Files.createTempDirectory(parent, prefix));
  }

  @Override
  public void close() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path ended, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(ended);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
