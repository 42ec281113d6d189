package io.siltstone.bench.experiment;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.DatabaseStatistics;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.ProfileOptions;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.memory.MemoryKind;
import io.siltstone.schema.TableOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates databases with a table of the profile KeyValue in one SSTable, one for each chunk length,
 * with the same rows.
 *
 * <pre>
 *   directory           parent of the databases, each named as its {@link ChunkVariant}; exists
 *   keys
 *   chunk_lengths       a series, in KiB, for LZ4
 *   dictionary_lengths  a series, in KiB, for Zstandard with a dictionary; optional
 * </pre>
 *
 * Returns for each, after its name and a dot: {@code metadata_bytes} (memory for the chunk
 * offsets), {@code stored_bytes}, {@code data_bytes}.
 */
public final class KeyValueDatabases implements Measurement {
  /** Returns the profile with that many rows. */
  static Profile profile(long keys) {
    return Profile.of("KeyValue", ProfileOptions.DEFAULT.withPartitions(keys));
  }

  @Override
  public NamedValues run(NamedValues parameters) throws IOException {
    Path directory = Path.of(parameters.text("directory"));
    Profile profile = profile(parameters.whole("keys"));
    Path base = directory.resolve("base");
    DatabaseOptions options = DatabaseOptions.builder().memoryBytes(700L << 20).build();
    try (Database database = Database.open(base, options)) {
      Table table = profile.table(database, TableOptions.DEFAULT);
      WorkloadRunner workloadRunner =
          new WorkloadRunner(profile, database, table, WorkloadOptions.builder().build());
      if (!workloadRunner.populate(sample -> {}).isRight()) {
        throw new IOException("rows could not be written");
      }
      database.flush();
      for (ChunkVariant each : variants(parameters)) {
        database.checkpoint(directory.resolve(each.name()));
      }
    }
    NamedValues result = new NamedValues();
    for (ChunkVariant each : variants(parameters)) {
      rewrite(directory.resolve(each.name()), profile, each, options, result);
    }
    ExperimentRunner.remove(base);
    return result;
  }

  private static List<ChunkVariant> variants(NamedValues parameters) {
    List<ChunkVariant> all = new ArrayList<>();
    for (double kib : parameters.series("chunk_lengths")) {
      all.add(ChunkVariant.lz4((int) kib));
    }
    if (parameters.has("dictionary_lengths")) {
      for (double kib : parameters.series("dictionary_lengths")) {
        all.add(ChunkVariant.dictionary((int) kib));
      }
    }
    return all;
  }

  private static void rewrite(
      Path path, Profile profile, ChunkVariant variant, DatabaseOptions options, NamedValues result)
      throws IOException {
    String name = variant.name();
    DatabaseOptions written = options.toBuilder().formatVersion(variant.version()).build();
    try (Database database = Database.open(path, written)) {
      Table present = database.table(Profile.KEYSPACE, profile.schema(TableOptions.DEFAULT).name());
      Table table =
          database.alterTable(
              Profile.KEYSPACE,
              present.schema().name(),
              "ALTER TABLE "
                  + Profile.KEYSPACE
                  + "."
                  + present.schema().name()
                  + " WITH compression = "
                  + variant.option());
      table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join().orThrow();
      TableStatistics statistics = table.statistics();
      DatabaseStatistics memory = database.statistics();
      result.put(
          name + ".metadata_bytes",
          memory.offHeap().bytesByKind().getOrDefault(MemoryKind.CHUNK_OFFSETS, 0L));
      result.put(name + ".stored_bytes", statistics.sstables().onDiskBytes());
      result.put(name + ".data_bytes", statistics.sstables().dataBytes());
    }
  }

  /**
   * Links the files of a closed database into another directory: files that are written once are
   * linked, others are copied.
   */
  static void link(Path from, Path to) throws IOException {
    try (var all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else if (path.toString().endsWith(".db")) {
          Files.createLink(target, path);
        } else {
          Files.copy(path, target);
        }
      }
    }
  }
}
