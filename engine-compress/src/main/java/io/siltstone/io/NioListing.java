package io.siltstone.io;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Lists a directory of the operating system's file system, with what is known of its files. */
final class NioListing {
  // Stands for bytes of a name that the locale has no text for.
  private static final char REPLACEMENT = '\ufffd';

  private NioListing() {}

  /** Returns the files and child directories; see {@link Directory#entries}. */
  static List<Directory.Entry> of(Path directory) throws IOException {
    List<Directory.Entry> entries = new ArrayList<>();
    // The attributes are read beside the open directory where that is possible: its path is long.
    try (DirectoryStream<Path> open = Files.newDirectoryStream(directory)) {
      for (Path name : names(directory, open)) {
        try {
          entries.add(entry(name.toString(), attributes(directory, open, name)));
        } catch (NoSuchFileException e) {
          // It was deleted meanwhile.
        }
      }
    }
    entries.sort(Comparator.comparing(Directory.Entry::name));
    return entries;
  }

  private static Directory.Entry entry(String name, BasicFileAttributes of) {
    return of.isDirectory()
        ? new Directory.Entry(name, true, 0, 0)
        : new Directory.Entry(name, false, of.size(), of.lastModifiedTime().toMillis());
  }

  private static BasicFileAttributes attributes(
      Path directory, DirectoryStream<Path> open, Path name) throws IOException {
    return open instanceof SecureDirectoryStream<Path> secure
        ? secure.getFileAttributeView(name, BasicFileAttributeView.class).readAttributes()
        : Files.readAttributes(directory.resolve(name), BasicFileAttributes.class);
  }

  /** Returns the names of files and child directories, in no order. */
  private static List<Path> names(Path directory, DirectoryStream<Path> open) throws IOException {
    List<Path> names = new ArrayList<>();
    FileSystem system = directory.getFileSystem();
    // One native call for all names, instead of one for each.
    String[] listed = system.equals(FileSystems.getDefault()) ? directory.toFile().list() : null;
    if (listed != null && Arrays.stream(listed).noneMatch(NioListing::mayLackBytes)) {
      for (String name : listed) {
        names.add(system.getPath(name));
      }
      return names;
    }
    try {
      open.forEach(path -> names.add(path.getFileName()));
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /**
   * Returns whether the text of a name may lack some of its bytes, so that it does not lead to the
   * file: in the locale C each byte that is not ASCII.
   */
  private static boolean mayLackBytes(String name) {
    return name.indexOf(REPLACEMENT) >= 0;
  }
}
