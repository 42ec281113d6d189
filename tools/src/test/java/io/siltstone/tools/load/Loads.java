package io.siltstone.tools.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.Directory;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Loads and exports with plain settings, for tests. */
final class Loads {
  static final long NOW = 1_700_000_000L;
  static final CellTimes TIMES = new CellTimes(1_700_000_000_123_456L, 0, NOW);

  /**
   * A budget shared by all tests, because its pool is returned to the system only by garbage
   * collection.
   */
  static final MemoryBudget MEMORY = PooledMemory.unlimited();

  private Loads() {}

  static TableSchema schema(String cql) {
    return SchemaParser.parse(cql).onlyTable();
  }

  static LoadPlan plan(TableSchema table, InputFormat format) {
    return new LoadPlan(
        table,
        "rows.txt",
        format,
        TIMES,
        new LoadPlan.Output(FormatVersion.OA, Partitioner.MURMUR3, OutputVerification.STRUCTURE),
        64 << 20,
        LoadPlan.DEFAULT_MAX_LINE_BYTES,
        0);
  }

  static LoadResult load(LoadPlan plan, Directory directory, String text) throws IOException {
    return load(plan, directory, text.getBytes(StandardCharsets.UTF_8));
  }

  static LoadResult load(LoadPlan plan, Directory directory, byte[] text) throws IOException {
    try {
      return new Loader(
              plan, directory, LoadProgress.NONE, new CancelFlag("interrupted, nothing was loaded"))
          .load(new ByteArrayInputStream(text));
    } finally {
      assertThat(MEMORY.used()).isZero();
    }
  }

  /** Loads JSON lines into a new table. */
  static String roundTrip(TableSchema table, Directory directory, String jsonl) throws IOException {
    load(plan(table, InputFormat.JSONL), directory, jsonl);
    return export(table, directory, "oa-1-big", InputFormat.JSONL, NOW);
  }

  static String export(
      TableSchema table, Directory directory, String descriptor, InputFormat format, long now)
      throws IOException {
    return export(table, directory, descriptor, RowText.of(format), now);
  }

  static String export(
      TableSchema table, Directory directory, String descriptor, RowText format, long now)
      throws IOException {
    return export(table, directory, descriptor, format, now, new CancelFlag("stopped"));
  }

  static String export(
      TableSchema table,
      Directory directory,
      String descriptor,
      RowText format,
      long now,
      CancelFlag stop)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SSTable opened =
        SSTable.open(
            directory, Descriptor.parse(descriptor + "-Data.db"), SSTableOptions.DEFAULT, MEMORY)) {
      ExportedRows rows = ExportedRows.of(opened, table);
      Exporter exporter = new Exporter(format, now, stop);
      exporter.begin(rows.columns(), out);
      exporter.export(rows, PartitionRange.ALL, out);
      exporter.end(out);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
