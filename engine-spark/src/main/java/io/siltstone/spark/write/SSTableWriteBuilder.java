package io.siltstone.spark.write;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.ring.TokenRing;
import io.siltstone.schema.TableSchema;
import io.siltstone.spark.files.Storage;
import io.siltstone.spark.files.TableDirectory;
import io.siltstone.spark.table.SourceOptions;
import io.siltstone.spark.table.SourceTable;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.jspecify.annotations.Nullable;

/** Checks the options and columns of a write before any task begins. Used by one thread. */
public final class SSTableWriteBuilder implements SupportsTruncate {
  private final SourceOptions options;
  private final TableSchema schema;
  private final Storage storage;
  private final Optional<TokenRing> ring;
  private final LogicalWriteInfo info;
  private final Instant now;
  private boolean overwrites;

  /**
   * @param schema of the table, which may be new
   * @param storage of its directory
   * @param ring the token ranges by which SSTables are divided, if there are any
   * @param now the time of rows that have no timestamp of their own
   * @throws IllegalArgumentException if the directory is not of the machine's file system
   */
  public SSTableWriteBuilder(
      SourceOptions options,
      TableSchema schema,
      Storage storage,
      Optional<TokenRing> ring,
      LogicalWriteInfo info,
      Instant now) {
    this.options = options;
    this.schema = schema;
    this.storage = storage;
    this.ring = ring;
    this.info = info;
    this.now = now;
  }

  @Override
  public WriteBuilder truncate() {
    overwrites = true;
    return this;
  }

  @Override
  public Write build() {
    if (options.paths().size() != 1 || !storage.isLocal()) {
      throw new IllegalArgumentException(
          "SSTables are written to one directory that the driver and all executors have in their"
              + " file system, not to "
              + options.paths());
    }
    if (schema.isCounter()) {
      throw new IllegalArgumentException(
          "table " + schema.cqlName() + " has counters, which are not written");
    }
    if (options.keyFile().isPresent()) {
      throw new IllegalArgumentException(
          "option keyFile is for reading: Spark writes SSTables that are not encrypted");
    }
    Optional<SourceTable> present = present();
    Partitioner partitioner = present.map(SourceTable::partitioner).orElse(Partitioner.MURMUR3);
    WritePlan plan =
        new WritePlan(
            options.paths().get(0),
            "attempts-" + info.queryId(),
            schema.toCql(),
            info.schema(),
            new WritePlan.Format(
                version(present),
                partitioner,
                compression(),
                List.copyOf(ring.map(TokenRing::bounds).orElseGet(TreeSet::new)),
                options.sortBytes()),
            new WritePlan.Times(
                options.timestamp().orElse(ChronoUnit.MICROS.between(Instant.EPOCH, now)),
                options.timestampColumn().orElse(null),
                options.ttl().isPresent() ? (int) options.ttl().getAsLong() : null,
                options.ttlColumn().orElse(null)),
            options.operationColumn().orElse(null));
    // The constructor checks the columns, and its exceptions name them.
    var unused = new RowMutations(schema, info.schema(), plan.times(), plan.operationColumn());
    requireRingOf(partitioner);
    return new SSTableWrite(plan, schema, new Publication(storage, overwrites, nodes()));
  }

  private void requireRingOf(Partitioner partitioner) {
    if (ring.isPresent() && partitioner != Partitioner.MURMUR3) {
      throw new IllegalArgumentException(
          "option ring has tokens of "
              + Partitioner.MURMUR3.className()
              + ", the SSTables of the table are of "
              + partitioner.className());
    }
  }

  private Optional<NodeDirectories> nodes() {
    Optional<String> path = options.nodeDirectories();
    try {
      return path.isPresent() && ring.isPresent()
          ? Optional.of(NodeDirectories.of(ring.get(), path.get()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Returns the table as it is; empty if the directory has no SSTables. */
  private Optional<SourceTable> present() {
    try {
      TableDirectory directory = TableDirectory.list(storage, options.paths().get(0));
      return directory.sstables().isEmpty()
          ? Optional.empty()
          : Optional.of(SourceTable.of(storage, schema, List.of(directory), false));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /** Returns the greatest version of the table's SSTables, or the least after it for writing. */
  private static @Nullable String versionOf(SourceTable table) {
    Optional<FormatVersion> greatest =
        table.statistics().stream()
            .map(each -> each.descriptor().version())
            .max(Comparator.naturalOrder());
    return greatest
        .flatMap(
            least ->
                Stream.of(FormatVersion.values())
                    .filter(each -> each.isWritable() && each.compareTo(least) >= 0)
                    .findFirst())
        .map(FormatVersion::text)
        .orElse(null);
  }

  private @Nullable String version(Optional<SourceTable> present) {
    Optional<String> text = options.version();
    if (text.isEmpty()) {
      return present.map(SSTableWriteBuilder::versionOf).orElse(null);
    }
    try {
      if (FormatVersion.of(text.get()).isWritable()) {
        return text.get();
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("option version: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        "option version is '" + text.get() + "', which is read and not written");
  }

  private @Nullable Map<String, String> compression() {
    if (options.compression().isEmpty() && options.chunkLengthKb().isEmpty()) {
      return null;
    }
    Map<String, String> map = new HashMap<>(schema.options().compression().toMap());
    options
        .compression()
        .ifPresent(
            name -> {
              map.clear();
              if (name.equalsIgnoreCase("none")) {
                map.put("enabled", "false");
              } else {
                map.put("class", name);
              }
            });
    options
        .chunkLengthKb()
        .ifPresent(length -> map.put("chunk_length_in_kb", Integer.toString(length)));
    try {
      return CompressionOptions.fromMap(map).toMap();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "options compression and chunkLengthKb: " + e.getMessage(), e);
    }
  }
}
