package io.siltstone.bench.experiment;

import io.siltstone.Compaction;
import io.siltstone.DatabaseOptions;
import io.siltstone.KeyValueStore;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.peers.TextEntries;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.schema.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Makes SSTables of {@link TextEntries} in a directory, with their {@code schema.cql}: several,
 * with the same number of keys, of which a share is in the next one too.
 *
 * <pre>
 *   directory  of the files; created, the parent exists
 *   tables, keys, shared, chunk_length_kib
 * </pre>
 */
public final class TextTables implements Measurement {
  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path directory = Path.of(parameters.text("directory"));
    Path database = directory.resolveSibling(directory.getFileName() + "-database");
    long keys = parameters.whole("keys");
    long step = Math.round(keys * (1 - parameters.number("shared")));
    TextEntries entries = new TextEntries();
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(Compaction.none())
            .memoryBytes(400L << 20)
            .memtableBytes(300L << 20)
            .chunkCacheBytes(0)
            .build();
    TableOptions table =
        TableOptions.builder()
            .compression(
                CompressionOptions.DEFAULT.withChunkLengthInKb(
                    (int) parameters.whole("chunk_length_kib")))
            .build();
    try (KeyValueStore store = KeyValueStore.open(database, options, table)) {
      for (long i = 0; i < parameters.whole("tables"); i++) {
        for (long key = i * step; key < i * step + keys; key++) {
          store.put(entries.key(key), entries.value(key, i));
        }
        store.database().flush();
      }
    }
    try (Stream<Path> all = Files.walk(database)) {
      Path schema =
          all.filter(file -> file.endsWith("schema.cql"))
              .findFirst()
              .orElseThrow(() -> new IOException("no table in " + database));
      Files.move(Objects.requireNonNull(schema.getParent()), directory);
    }
    ExperimentRunner.remove(database);
    return new NamedValues();
  }
}
