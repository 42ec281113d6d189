package io.siltstone.kafka.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Copies the files of an application as a crash would leave them at that moment. */
final class Crash {
  private Crash() {}

  /**
   * Copies the files of an application.
   *
   * @return the state directory, which has the application
   * @throws IllegalStateException if a file was removed meanwhile
   */
  static Path of(Path application, Path stateDirectory) throws IOException {
    Path copy = stateDirectory.resolve(StoreContext.APPLICATION);
    try (Stream<Path> files = Files.walk(application)) {
      for (Path file : files.toList()) {
        Path target = copy.resolve(application.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    } catch (NoSuchFileException | UncheckedIOException e) {
      throw new IllegalStateException("files were changed while they were copied", e);
    }
    return stateDirectory;
  }
}
