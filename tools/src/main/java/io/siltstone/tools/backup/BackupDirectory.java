package io.siltstone.tools.backup;

import io.siltstone.Backups;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The parameter of the commands that read a directory of backups. It has to exist: a wrong name
 * must not create one.
 */
final class BackupDirectory {
  @Parameters(paramLabel = "BACKUPS", index = "0", description = "The directory of the backups.")
  private Path directory = Path.of("");

  @Mixin private final BackupKeys keys;

  /**
   * @param terminal receives warnings
   */
  BackupDirectory(Terminal terminal) {
    this.keys = new BackupKeys(terminal);
  }

  /** Returns the keys of the directory of backups, and of the database. */
  BackupKeys keys() {
    return keys;
  }

  /**
   * Opens the backups.
   *
   * @throws NoSuchFileException if there is no such directory
   */
  Backups open() throws IOException {
    if (!Files.isDirectory(directory)) {
      throw none();
    }
    return Backups.in(keys.backups(directory));
  }

  /** Returns the exception for a directory without backups. */
  NoSuchFileException none() {
    return new NoSuchFileException(directory.toString(), null, "there are no backups");
  }
}
