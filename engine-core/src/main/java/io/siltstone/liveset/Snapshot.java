package io.siltstone.liveset;

import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Hard links of a table's files in another directory, with {@code schema.cql} and {@code
 * manifest.json} as Cassandra has them. The manifest is made last: with it the snapshot is whole.
 *
 * <p>Source: Cassandra {@code SnapshotManifest}.
 */
final class Snapshot {
  private static final String MANIFEST = "manifest.json";
  private static final String SCHEMA = "schema.cql";

  private final Directory source;
  private final Directory target;
  private final List<String> made = new ArrayList<>();

  Snapshot(Directory source, Directory target) {
    this.source = source;
    this.target = target;
  }

  void write(List<SSTable> tables, String schemaCql, Instant createdAt) throws IOException {
    requireFree(tables);
    try {
      for (SSTable table : tables) {
        for (Component component : table.components()) {
          String name = table.descriptor().fileName(component);
          made.add(name);
          source.link(name, target, name);
        }
      }
      create(SCHEMA, schemaCql);
      String temporary = MANIFEST + Descriptor.TEMPORARY_SUFFIX;
      create(temporary, manifest(tables, createdAt));
      target.sync();
      made.add(MANIFEST);
      target.rename(temporary, MANIFEST);
      target.sync();
    } catch (Throwable e) {
      remove(e);
      throw e;
    }
  }

  /** After this, all files of these names are ours, also those whose making was told to fail. */
  private void requireFree(List<SSTable> tables) throws IOException {
    for (String name : target.files()) {
      String prefix = TableFiles.prefixOf(name);
      boolean isTaken =
          name.startsWith(MANIFEST)
              || name.equals(SCHEMA)
              || tables.stream()
                  .anyMatch(table -> TableFiles.prefix(table.descriptor()).equals(prefix));
      if (isTaken) {
        throw new FileAlreadyExistsException(target.path() + "/" + name);
      }
    }
  }

  private void create(String name, String text) throws IOException {
    made.add(name);
    try (WritableFile file = target.create(name, WriteIntent.OTHER)) {
      file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      file.sync();
    }
  }

  private static String manifest(List<SSTable> tables, Instant createdAt) {
    String files =
        tables.stream()
            .map(table -> '"' + table.descriptor().fileName(Component.DATA) + '"')
            .sorted()
            .collect(Collectors.joining(", "));
    return "{\"files\": ["
        + files
        + "], \"created_at\": \""
        + createdAt
        + "\", \"expires_at\": null, \"ephemeral\": false}\n";
  }

  private void remove(Throwable failure) {
    for (String name : made) {
      try {
        TableFiles.deleteIfThere(target, name);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
