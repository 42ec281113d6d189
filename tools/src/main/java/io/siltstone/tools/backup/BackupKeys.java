package io.siltstone.tools.backup;

import io.siltstone.DatabaseOptions;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.tools.terminal.KeyFileOption;
import io.siltstone.tools.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options for the encryption of a database and of the directory of its backups: with {@code
 * --key-file} both are encrypted, unless {@code --plain-backups} excludes the backups.
 */
final class BackupKeys {
  @Mixin private final KeyFileOption keys;

  @Option(
      names = "--plain-backups",
      description = "With --key-file: the directory of the backups is not encrypted.")
  private boolean isPlain;

  BackupKeys(Terminal terminal) {
    this.keys = new KeyFileOption(terminal);
  }

  /** Opens the directory of the backups, which is created if it is missing. */
  Directory backups(Path directory) throws IOException {
    return isPlain ? NioDirectory.open(directory) : keys.open(directory);
  }

  /** Opens a database, or an archive of its commit log. */
  Directory existing(Path database) throws IOException {
    return keys.existing(database);
  }

  /** Opens the directory of a database, which is created if it is missing. */
  Directory database(Path directory) throws IOException {
    return keys.open(directory);
  }

  /** Sets the keys of the database in its options. */
  DatabaseOptions.Builder in(DatabaseOptions.Builder options) throws IOException {
    return keys.in(options);
  }
}
