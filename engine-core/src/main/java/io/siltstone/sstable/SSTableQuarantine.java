package io.siltstone.sstable;

import io.siltstone.io.Directory;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Quarantines files of damaged SSTables before they are deleted or replaced: links them, durably,
 * into a directory in which only the operator deletes files.
 *
 * <pre>
 *   quarantine/1/oa-7-big-Data.db ...   what the first scrub or rebuild took away
 *   quarantine/2/oa-7-big-Index.db      what the next one did
 * </pre>
 *
 * <p>Each call makes a directory of its own, with the next number, so that names do not change and
 * quarantined files are never replaced. Confined to one thread.
 */
public final class SSTableQuarantine {
  /** The directory that contains the numbered directories, below that of the table. */
  public static final String DIRECTORY = "quarantine";

  /**
   * The directory's name in earlier releases, which kept files in it without numbers. Its files are
   * left alone.
   */
  public static final String EARLIER_DIRECTORY = "set-aside";

  private record Links(Directory quarantine, String number, List<String> names) {}

  private final Directory table;
  private final List<Links> made = new ArrayList<>();

  /**
   * Creates an empty quarantine, without a directory on disk yet.
   *
   * @param table the directory of the SSTables
   */
  public SSTableQuarantine(Directory table) {
    this.table = table;
  }

  /**
   * Links all files of an SSTable, including those of other software, such as the components of
   * indexes.
   */
  public void add(Descriptor descriptor) throws IOException {
    String data = descriptor.fileName(Component.DATA);
    String prefix = data.substring(0, data.length() - Component.DATA.fileName().length());
    add(
        table.files().stream()
            .filter(name -> name.startsWith(prefix))
            .filter(name -> !name.endsWith(Descriptor.TEMPORARY_SUFFIX))
            .toList());
  }

  /**
   * Links files of the table's directory; does nothing if there are none.
   *
   * @throws IOException if a file has the name of the directory, or linking fails; the message
   *     names the file
   */
  public void add(List<String> names) throws IOException {
    if (names.isEmpty()) {
      return;
    }
    if (table.files().contains(DIRECTORY)) {
      throw new IOException(
          table.path()
              + "/"
              + DIRECTORY
              + " is a file, expected a directory, which keeps the files that are replaced: rename"
              + " the file");
    }
    Directory quarantine = table.directory(DIRECTORY);
    table.sync();
    String number = String.valueOf(greatestNumber(quarantine) + 1);
    Directory to = quarantine.directory(number);
    quarantine.sync();
    Links links = new Links(quarantine, number, new ArrayList<>());
    made.add(links);
    for (String name : names) {
      table.link(name, to, name);
      links.names.add(name);
    }
    to.sync();
  }

  private static long greatestNumber(Directory quarantine) throws IOException {
    // A file with such a name is in the way of a directory, too.
    return Stream.concat(quarantine.directories().stream(), quarantine.files().stream())
        .filter(name -> name.matches("[1-9][0-9]{0,17}"))
        .mapToLong(Long::parseLong)
        .max()
        .orElse(0);
  }

  /** Removes the links that were created, as the SSTables stay as they are. */
  public void undo(Throwable failure) {
    for (Links links : made) {
      try {
        Directory of = links.quarantine.directory(links.number);
        for (String name : links.names) {
          of.delete(name);
        }
        links.quarantine.deleteDirectory(links.number);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    made.clear();
  }

  /** Returns the names of all quarantined files of a table, including those of earlier releases. */
  public static List<String> fileNames(Directory table) throws IOException {
    return fileNames(table, table.directories());
  }

  /**
   * Returns the names of all quarantined files of a table.
   *
   * @param directories those in the table's directory
   */
  public static List<String> fileNames(Directory table, List<String> directories)
      throws IOException {
    TreeSet<String> names = new TreeSet<>();
    if (directories.contains(EARLIER_DIRECTORY)) {
      names.addAll(table.directory(EARLIER_DIRECTORY).files());
    }
    if (directories.contains(DIRECTORY)) {
      Directory quarantine = table.directory(DIRECTORY);
      names.addAll(quarantine.files());
      for (String number : quarantine.directories()) {
        names.addAll(quarantine.directory(number).files());
      }
    }
    return List.copyOf(names);
  }
}
