package io.siltstone.tools.terminal;

import io.siltstone.DatabaseOptions;
import io.siltstone.catalog.Catalog;
import io.siltstone.files.KeyFile;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.UnsupportedFileException;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The option {@code --key-file} of commands that open directories of SSTables or databases: the
 * keys with which they are encrypted, see {@link KeyFile}. It holds for all of these directories,
 * and for those that the command creates. Confined to one thread.
 */
public final class KeyFileOption {
  private static final String NAME = "--key-file";
  private static final int HEAD_BYTES = 1024;
  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  @Option(
      names = NAME,
      paramLabel = "FILE",
      description =
          "The directories are encrypted, with the keys of this file: one a line, ID;HEX. New"
              + " files get the first one.")
  private @Nullable Path file;

  private final Terminal terminal;
  // The directories that were checked.
  private final Map<Path, Directory> opened = new HashMap<>();
  private @Nullable KeyFile keys;

  /**
   * @param terminal receives a warning if other users can read the keys
   */
  public KeyFileOption(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Returns the hint that belongs to a message about a missing or wrong key. */
  static String hint(EncryptedDirectory.KeyException failure) {
    return failure.reason() == EncryptedDirectory.KeyException.Reason.UNKNOWN
        ? "; " + NAME + " FILE names a file with the line " + failure.keyId() + ";KEY"
        : "; the file of " + NAME + " needs the right key for it";
  }

  /**
   * Returns the keys; null if the directories are not encrypted.
   *
   * @throws UsageException if the text of the file is wrong
   * @throws IOException naming the file, if it cannot be read
   */
  public EncryptedDirectory.@Nullable Keys keys() throws IOException {
    Path given = file;
    if (keys == null && given != null) {
      keys = parse(given);
      warnOfReaders(given);
    }
    return keys;
  }

  private static KeyFile parse(Path given) throws IOException {
    String text = TextOption.read(NAME, given);
    try {
      return KeyFile.parse(NAME + " " + given, text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private void warnOfReaders(Path given) throws IOException {
    PosixFileAttributeView view =
        Files.isRegularFile(given)
            ? Files.getFileAttributeView(given, PosixFileAttributeView.class)
            : null;
    if (view != null
        && view.readAttributes().permissions().stream().anyMatch(OF_OTHERS::contains)) {
      terminal.errorLine(
          NAME + " " + given + " can be read by other users than its owner; chmod 600 ends that");
    }
  }

  /** Sets the keys in the options of a database. */
  public DatabaseOptions.Builder in(DatabaseOptions.Builder options) throws IOException {
    return options.encryptionKeys(keys());
  }

  /** Opens a directory, which is created with its parents if it is missing. */
  public Directory open(Path directory) throws IOException {
    if (Files.exists(directory)) {
      var unused = existing(directory);
    }
    return wrapped(NioDirectory.open(directory));
  }

  /**
   * Opens an existing directory.
   *
   * @throws java.nio.file.NoSuchFileException if it is missing
   * @throws EncryptedDirectory.KeyException if it is encrypted with another key, or without the
   *     option at all
   * @throws UsageException if it is not encrypted, and the option is given
   */
  public Directory existing(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath().normalize();
    Directory known = opened.get(absolute);
    if (known == null) {
      NioDirectory inner = NioDirectory.openExisting(absolute);
      known = wrapped(inner);
      Optional<String> telling = telling(inner);
      if (telling.isPresent()) {
        requireFitting(known, telling.get());
      }
      opened.put(absolute, known);
    }
    return known;
  }

  private Directory wrapped(NioDirectory inner) throws IOException {
    EncryptedDirectory.Keys present = keys();
    return present == null ? inner : EncryptedDirectory.over(inner, present);
  }

  /** Returns a file that is encrypted if and only if the directory is; empty if it has none. */
  private static Optional<String> telling(Directory inner) throws IOException {
    for (String name : List.of(DatabaseDirectory.IDENTITY, Catalog.SCHEMA_FILE)) {
      if (inner.exists(name)) {
        return Optional.of(name);
      }
    }
    try (Stream<Path> files = Files.list(Path.of(inner.path()))) {
      return files
          .map(each -> String.valueOf(each.getFileName()))
          .filter(name -> Descriptor.isComponent(name, Component.DATA))
          .findAny();
    }
  }

  private void requireFitting(Directory directory, String name) throws IOException {
    try (ReadableFile content = directory.open(name, ReadIntent.POINT_READ)) {
      byte[] head = new byte[(int) Math.min(HEAD_BYTES, content.length())];
      content.read(0, head, 0, head.length);
      if (keys == null) {
        EncryptedDirectory.requirePlain(content.path(), head);
      }
    } catch (UnsupportedFileException e) {
      throw new UsageException(
          e.getMessage() + "; omit " + NAME + " for directories that are not encrypted", e);
    }
  }
}
