package io.siltstone.tools;

import com.fasterxml.jackson.core.JsonGenerator;
import io.siltstone.sstable.format.Component;
import io.siltstone.tools.terminal.TableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Files of an SSTable that it is read without, and should have all the same: less of it can be
 * checked, or it is slower to open or read. The others are missed when it is opened.
 *
 * @param named not there, though {@code TOC.txt} names them
 * @param empty there without content
 * @param unnamed not there, and not named by {@code TOC.txt}; a table may have been written so
 */
record MissingFiles(Set<Component> named, Set<Component> empty, Set<Component> unnamed) {
  /** A filter is not among them: none is written where {@code bloom_filter_fp_chance} is 1. */
  private static final Set<Component> ALWAYS_WRITTEN =
      Set.of(Component.SUMMARY, Component.DIGEST, Component.TOC);

  static MissingFiles of(TableFile table) throws IOException {
    Path contents = file(table, Component.TOC);
    Set<String> names =
        Files.exists(contents)
            ? new String(Files.readAllBytes(contents), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .collect(Collectors.toSet())
            : Set.of();
    MissingFiles missing =
        new MissingFiles(
            EnumSet.noneOf(Component.class),
            EnumSet.noneOf(Component.class),
            EnumSet.noneOf(Component.class));
    for (Component component : Component.values()) {
      Path file = file(table, component);
      if (Files.exists(file)) {
        if (Files.size(file) == 0) {
          missing.empty.add(component);
        }
      } else if (names.contains(component.fileName())) {
        missing.named.add(component);
      } else if (ALWAYS_WRITTEN.contains(component)) {
        missing.unnamed.add(component);
      }
    }
    return missing;
  }

  private static Path file(TableFile table, Component component) {
    return table.path().resolveSibling(table.descriptor().fileName(component));
  }

  /** Whether something has gone since the table was written. */
  boolean isIncomplete() {
    return !named.isEmpty() || !empty.isEmpty();
  }

  /** As the end of a line; empty if nothing is missing. */
  @Override
  public String toString() {
    return told("missing, though TOC.txt names it", named)
        + told("empty", empty)
        + told("missing", unnamed);
  }

  /** Writes a field for each kind. */
  void write(JsonGenerator json) throws IOException {
    write(json, "missing_though_named", named);
    write(json, "empty", empty);
    write(json, "missing", unnamed);
  }

  private static void write(JsonGenerator json, String field, Set<Component> files)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (Component file : files) {
      json.writeString(file.fileName());
    }
    json.writeEndArray();
  }

  private static String told(String what, Set<Component> files) {
    return files.isEmpty()
        ? ""
        : "; "
            + what
            + ": "
            + files.stream().map(Component::fileName).collect(Collectors.joining(", "));
  }
}
