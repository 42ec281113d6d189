package io.siltstone.liveset;

import io.siltstone.files.UnchangedDirectory;
import io.siltstone.io.Directory;
import io.siltstone.sstable.KnownFiles;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of one SSTable in a directory: all whose names begin with its prefix, including
 * components of Cassandra that the engine does not know.
 */
final class SSTableComponents {
  /** Matches any version, format and kind of identifier. */
  private static final Pattern NAME =
      Pattern.compile("([a-z]{2}-([0-9]+|[0-9a-z]{4}_[0-9a-z]{4}_[0-9a-z]{18})-[a-z]+-)(.*)");

  private static final int MAX_DIGITS = 18;

  private SSTableComponents() {}

  /** Returns the prefix of the names of an SSTable's files, up to and including the last hyphen. */
  static String prefix(Descriptor descriptor) {
    return descriptor + "-";
  }

  /** Returns whether it is the name of a file that only an interrupted writer leaves. */
  static boolean isTemporary(String name) {
    return name.endsWith(Descriptor.TEMPORARY_SUFFIX) && NAME.matcher(name).matches();
  }

  /** Returns the prefix of the name of a component's file; empty if it is not one. */
  static String prefixOf(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? matcher.group(1) : "";
  }

  /** Returns the prefix of each name as {@link #prefixOf}; most are those of the name before. */
  static List<String> prefixesOf(List<String> names) {
    List<String> prefixes = new ArrayList<>(names.size());
    String last = "";
    for (String name : names) {
      if (last.isEmpty() || !name.startsWith(last)) {
        last = prefixOf(name);
      }
      prefixes.add(last);
    }
    return prefixes;
  }

  /**
   * Returns whether a file name is that of a component, as {@link Descriptor#isComponent}.
   *
   * @param prefix of the name, as {@link #prefixOf}
   */
  static boolean is(String name, String prefix, Component component) {
    String end = component.fileName();
    return !prefix.isEmpty()
        && name.length() == prefix.length() + end.length()
        && name.endsWith(end);
  }

  /** Returns what is known of the files of an SSTable. */
  static KnownFiles known(Descriptor descriptor, UnchangedDirectory directory) {
    String prefix = prefix(descriptor);
    Set<Component> components = EnumSet.noneOf(Component.class);
    long writtenAt = 0;
    for (Directory.Entry file : directory.listing().withPrefix(prefix)) {
      for (Component component : descriptor.version().components()) {
        if (is(file.name(), prefix, component)) {
          components.add(component);
          writtenAt = component == Component.DATA ? file.lastModifiedMillis() : writtenAt;
        }
      }
    }
    return new KnownFiles(components, writtenAt, directory.notes().get(descriptor.toString()));
  }

  /** Returns the generation number in a name; 0 if it has none. */
  static long generation(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      return 0;
    }
    String id = matcher.group(2);
    boolean isNumber = id.length() <= MAX_DIGITS && id.indexOf('_') < 0;
    return isNumber ? Long.parseLong(id) : 0;
  }

  /** Returns those of the names that belong to an SSTable. */
  static List<String> of(String prefix, Collection<String> names) {
    return names.stream().filter(name -> name.startsWith(prefix)).toList();
  }

  /**
   * Returns the names of an SSTable's files, including those of indexes, without temporary ones.
   */
  static List<String> committed(Descriptor descriptor, Directory directory) throws IOException {
    return of(prefix(descriptor), directory.files()).stream()
        .filter(name -> !isTemporary(name))
        .toList();
  }

  /**
   * Returns the latest modification time of the files, in milliseconds; 0 if there are none. Files
   * that were not part of the SSTable when it was committed do not count: temporary ones, and the
   * statistics unless asked for.
   */
  static long lastModified(Directory directory, Collection<String> names, boolean withStatistics)
      throws IOException {
    long last = 0;
    for (String name : names) {
      if (isDated(name) || (withStatistics && isStatistics(name))) {
        last = Math.max(last, directory.lastModifiedMillis(name));
      }
    }
    return last;
  }

  private static boolean isDated(String name) {
    return !isStatistics(name) && !name.endsWith(Descriptor.TEMPORARY_SUFFIX);
  }

  private static boolean isStatistics(String name) {
    return name.endsWith("-" + Component.STATISTICS.fileName());
  }

  /**
   * Returns whole seconds, since the modification time of a file may be reported with different
   * precision.
   */
  static long seconds(long millis) {
    return Math.floorDiv(millis, 1000L);
  }

  /**
   * Deletes all files of an SSTable, without a final sync of the directory. The files that were
   * modified last are deleted last, also on the disk: so the remains after a crash can still be
   * distinguished by their time from other files of the same names.
   */
  static void delete(Directory directory, String prefix) throws IOException {
    List<Dated> dated = new ArrayList<>();
    for (String name : of(prefix, directory.files())) {
      long time = isDated(name) ? seconds(directory.lastModifiedMillis(name)) : Long.MIN_VALUE;
      dated.add(new Dated(name, time));
    }
    dated.sort(Comparator.comparingLong(Dated::seconds));
    boolean hasOlder = false;
    for (int i = 0; i < dated.size(); i++) {
      Dated file = dated.get(i);
      boolean isLast = file.seconds == dated.get(dated.size() - 1).seconds;
      if (isLast && hasOlder) {
        directory.sync();
        hasOlder = false;
      } else if (!isLast && file.seconds != Long.MIN_VALUE) {
        hasOlder = true;
      }
      deleteIfThere(directory, file.name);
    }
  }

  private record Dated(String name, long seconds) {}

  static void deleteIfThere(Directory directory, String name) throws IOException {
    try {
      directory.delete(name);
    } catch (NoSuchFileException e) {
      // Another process or an earlier attempt has deleted it.
    }
  }
}
