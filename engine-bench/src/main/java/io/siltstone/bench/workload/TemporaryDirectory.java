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
 * A new directory that is deleted with all its content when it is closed.
 *
 * @param path of the directory
 */
public record TemporaryDirectory(Path path) implements Closeable {

  /** Creates a directory in the system's directory for temporary files. */
  public static TemporaryDirectory named(String prefix) throws IOException {
    return new TemporaryDirectory(Files.createTempDirectory(prefix));
  }

  /** Creates a directory in another one. */
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
