package io.siltstone.liveset;

import io.siltstone.cursor.KeyRangeDeletions;
import io.siltstone.cursor.RetentionFloor;
import io.siltstone.files.FileCopy;
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
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A snapshot of a table: hard links of its files in another directory, or copies on another volume,
 * with {@code schema.cql} and {@code manifest.json} as in Cassandra. The manifest is written last,
 * so that a snapshot with a manifest is complete.
 *
 * <p>Source: Cassandra {@code SnapshotManifest}.
 */
public final class Snapshot {
  private static final Logger LOG = LoggerFactory.getLogger(Snapshot.class);
  private static final String MANIFEST = "manifest.json";
  private static final String SCHEMA = "schema.cql";

  private final Directory source;
  private final Directory target;
  private final LongConsumer progress;
  private final List<String> made = new ArrayList<>();
  // Why files cannot be linked; null as long as they can.
  private @Nullable Exception refusal;

  /**
   * @param progress is called with the number of bytes of each step of a copy
   */
  private Snapshot(Directory source, Directory target, LongConsumer progress) {
    this.source = source;
    this.target = target;
    this.progress = progress;
  }

  /**
   * Writes a snapshot, durably. The result can be opened as a table's directory, here and in
   * Cassandra. After a failure its files are removed.
   *
   * @param source the directory of the view's live set
   * @param view of the SSTables, which the caller has acquired and releases
   * @param target must have no files of the same names; the caller makes its own name durable
   * @param schemaCql for {@code schema.cql}
   * @param createdAt for the manifest
   * @param progress is called with the number of bytes of each step of a copy
   */
  public static void write(
      Directory source,
      View view,
      Directory target,
      String schemaCql,
      Instant createdAt,
      LongConsumer progress)
      throws IOException {
    new Snapshot(source, target, progress).write(view, schemaCql, createdAt);
  }

  /**
   * Returns the names of an SSTable's files, including those of indexes, which its table of
   * contents names.
   *
   * @param source the directory of the SSTable
   */
  public static List<String> filesOf(SSTable table, Directory source) throws IOException {
    return SSTableComponents.committed(table.descriptor(), source);
  }

  private void write(View view, String schemaCql, Instant createdAt) throws IOException {
    List<SSTable> tables = view.byFirstKey();
    RetentionFloor floor = view.floor();
    requireFree(tables);
    try {
      for (SSTable table : tables) {
        for (String name : filesOf(table, source)) {
          take(name);
        }
      }
      create(SCHEMA, schemaCql);
      if (floor != null) {
        create(RetentionFloorStore.FILE, RetentionFloorStore.textOf(floor));
      }
      KeyRangeDeletions keyRanges = view.keyRanges();
      if (keyRanges != null) {
        create(KeyRangeDeletionStore.FILE, KeyRangeDeletionStore.textOf(keyRanges));
      }
      if (source.exists(DictionaryFile.FILE)) {
        // It is replaced by another file, and never changed.
        take(DictionaryFile.FILE);
      }
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

  /** Links or copies a file. The first file decides whether all can be linked. */
  private void take(String name) throws IOException {
    boolean isFirst = made.isEmpty();
    made.add(name);
    if (refusal == null) {
      try {
        source.link(name, target, name);
        return;
      } catch (IllegalArgumentException | UnsupportedOperationException | IOException e) {
        if (!isFirst) {
          throw e;
        }
        LOG.info(
            "{} cannot have links of the files of {}, which are copied: {}",
            target.path(),
            source.path(),
            e.getMessage());
        refusal = e;
        SSTableComponents.deleteIfThere(target, name);
      }
    }
    try {
      FileCopy.copy(source, name, target, name, progress);
    } catch (IOException e) {
      e.addSuppressed(refusal);
      throw e;
    }
  }

  /**
   * Checks that no file of the snapshot exists. So after a failure all files of these names can be
   * removed, even those whose creation was reported as failed.
   */
  private void requireFree(List<SSTable> tables) throws IOException {
    for (String name : target.files()) {
      String prefix = SSTableComponents.prefixOf(name);
      boolean isTaken =
          name.startsWith(MANIFEST)
              || name.equals(SCHEMA)
              || name.equals(RetentionFloorStore.FILE)
              || name.equals(KeyRangeDeletionStore.FILE)
              || name.equals(DictionaryFile.FILE)
              || tables.stream()
                  .anyMatch(table -> SSTableComponents.prefix(table.descriptor()).equals(prefix));
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
        SSTableComponents.deleteIfThere(target, name);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }
}
