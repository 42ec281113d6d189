package io.siltstone.tools.verify;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.files.TextFile;
import io.siltstone.sstable.format.Component;
import io.siltstone.tools.terminal.SSTableFile;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The missing and extra files of an SSTable that can be read without them, although less of it can
 * be checked, or opening and reading is slower. Other missing files are reported when it is opened.
 *
 * @param named missing, though {@code TOC.txt} names them
 * @param misnamed entries of {@code TOC.txt} that are not names of an SSTable's files, as after
 *     damage to it
 * @param unlisted present, but not named by {@code TOC.txt}, as after its truncation
 * @param ofIndexes as {@code named}, but of a secondary index: Cassandra also names files of an
 *     index without terms, which it did not write, and a node rebuilds a missing index
 * @param empty present without content
 * @param unnamed missing, and not named by {@code TOC.txt}, as a table may have been written
 */
record MissingFiles(
    Set<String> named,
    Set<String> misnamed,
    Set<String> unlisted,
    Set<String> ofIndexes,
    Set<String> empty,
    Set<String> unnamed) {
  private static final Pattern FILE_NAME = Pattern.compile("[\\w+.-]{1,200}");

  /**
   * The components that are always written. The filter is not: there is none if {@code
   * bloom_filter_fp_chance} is 1.
   */
  private static final Set<Component> ALWAYS_WRITTEN =
      Set.of(Component.SUMMARY, Component.DIGEST, Component.TOC);

  static MissingFiles of(SSTableFile table) throws IOException {
    MissingFiles missing =
        new MissingFiles(
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>(),
            new TreeSet<>());
    Set<String> contents = namesInContents(table);
    for (String name : contents) {
      if (!FILE_NAME.matcher(name).matches()) {
        missing.misnamed.add("something that is not a file name");
      } else if (isUnknown(table, name)) {
        missing.misnamed.add(name);
      } else if (!table.directory().exists(file(table, name))) {
        (Component.isOfIndex(name) ? missing.ofIndexes : missing.named).add(name);
      }
    }
    for (Component component : table.descriptor().version().components()) {
      String file = file(table, component.fileName());
      if (table.directory().exists(file)) {
        // Without wide partitions there are no index blocks.
        if (table.directory().length(file) == 0 && component != Component.ROWS) {
          missing.empty.add(component.fileName());
        }
        if (!contents.isEmpty()
            && component != Component.TOC
            && !contents.contains(component.fileName())) {
          missing.unlisted.add(component.fileName());
        }
      } else if (ALWAYS_WRITTEN.contains(component)
          && !missing.named.contains(component.fileName())) {
        missing.unnamed.add(component.fileName());
      }
    }
    return missing;
  }

  /** Returns the names in {@code TOC.txt}, which include files of Cassandra's indexes. */
  private static Set<String> namesInContents(SSTableFile table) throws IOException {
    String contents = file(table, Component.TOC.fileName());
    return table.directory().exists(contents)
        ? TextFile.read(table.directory(), contents)
            .lines()
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toSet())
        : Set.of();
  }

  private static String file(SSTableFile table, String component) {
    String data = table.descriptor().fileName(Component.DATA);
    String prefix = data.substring(0, data.length() - Component.DATA.fileName().length());
    return prefix + component;
  }

  /** Returns whether a file was lost or damaged since the table was written. */
  boolean isIncomplete() {
    return !named.isEmpty() || !misnamed.isEmpty() || !unlisted.isEmpty() || !empty.isEmpty();
  }

  /**
   * Returns whether a rebuild writes what is missing, empty or wrong, which includes a lost {@code
   * TOC.txt}.
   */
  boolean canBeRebuilt() {
    return isIncomplete() || unnamed.contains(Component.TOC.fileName());
  }

  /** Returns whether a name is neither that of a component nor of an existing file. */
  private static boolean isUnknown(SSTableFile table, String name) throws IOException {
    return !Component.isOfIndex(name)
        && table.descriptor().version().components().stream()
            .noneMatch(known -> known.fileName().equals(name))
        && !table.directory().exists(file(table, name));
  }

  /** Returns the end of a line; empty if nothing is missing. */
  @Override
  public String toString() {
    return told("missing, though TOC.txt names it", named)
        + misnamed.stream()
            .map(name -> "; TOC.txt names " + name + ", which is not a file of an SSTable")
            .collect(Collectors.joining())
        + told("not named by TOC.txt", unlisted)
        + told("empty", empty)
        + told("missing", unnamed)
        + told("no files of an index, which may be empty or is rebuilt by a node", ofIndexes);
  }

  /** Writes a field for each kind. */
  void write(JsonGenerator json) throws IOException {
    write(json, "missing_though_named", named);
    write(json, "unknown_in_toc", misnamed);
    write(json, "unlisted_in_toc", unlisted);
    write(json, "empty", empty);
    write(json, "missing", unnamed);
    write(json, "missing_of_indexes", ofIndexes);
  }

  private static void write(JsonGenerator json, String field, Set<String> files)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String file : files) {
      json.writeString(file);
    }
    json.writeEndArray();
  }

  private static String told(String what, Set<String> files) {
    return files.isEmpty() ? "" : "; " + what + ": " + String.join(", ", files);
  }
}
