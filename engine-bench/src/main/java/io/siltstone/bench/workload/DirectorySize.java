package io.siltstone.bench.workload;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Computes the size of a directory's files. */
public final class DirectorySize {
  private DirectorySize() {}

  /**
   * Returns the size of all files together; files that disappear meanwhile do not count.
   *
   * @param directory with everything below it
   */
  public static long of(Path directory) throws IOException {
    long[] bytes = new long[1];
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes[0];
  }
}
