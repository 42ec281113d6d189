package io.siltstone.compaction;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.maintenance.CompactionReport;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * The process with a small heap of {@link WidePartitionTest}: fills one partition through memtables
 * that are flushed meanwhile, writes each row a second time much later, compacts the partition, and
 * reads it. Fails if a row is missing or out of place.
 */
final class WidePartitionProcess {
  static final String DONE = "done";

  private static final int SLICE = 100;
  private static final int READS = 300;

  private final Table table;
  private final int rows;
  private final String filler;

  private WidePartitionProcess(Table table, int rows) {
    this.table = table;
    this.rows = rows;
    this.filler = "of a partition that is far larger than the heap; ".repeat(16);
  }

  /** {@code directory rows seed}. */
  public static void main(String[] args) throws IOException {
    CompactionService service =
        new CompactionService(CompactionOptions.builder().bytesPerSecond(0).build());
    DatabaseOptions options =
        DatabaseOptions.builder()
            .compaction(service)
            .memtableBytes(24 << 20)
            .chunkCacheBytes(8 << 20)
            .keyCacheBytes(1 << 20)
            .build();
    try (Database database = Database.open(Path.of(args[0]), options)) {
      Table table =
          database.createTable(
              "CREATE TABLE ks.wide (pk text, ck bigint, v text, PRIMARY KEY (pk, ck)) WITH"
                  + " compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}");
      WidePartitionProcess process = new WidePartitionProcess(table, Integer.parseInt(args[1]));
      process.write();
      process.compact();
      process.readAll();
      process.readSome(new Random(Long.parseLong(args[2])));
    }
    System.out.println(DONE);
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /** Every third row has an older value in another SSTable, written some time later. */
  private void write() throws IOException {
    int behind = rows / 3;
    for (int i = 0; i < rows + behind; i++) {
      if (i < rows) {
        put(i, i % 3 == 0 ? "old" : value(i));
      }
      int again = i - behind;
      if (again >= 0 && again % 3 == 0) {
        put(again, value(again));
      }
    }
    table.flush();
  }

  private void put(long row, String value) throws IOException {
    table.write(table.mutation("wide").insert(row).set("v", value).build());
  }

  private String value(long row) {
    return row + " " + filler;
  }

  private void compact() throws IOException {
    require(table.statistics().sstables().count() > 2, "there is something to merge");
    CompactionReport report =
        table.compact(CompactionRequest.of(Operation.MAJOR)).toCompletableFuture().join();
    require(report.failed().isEmpty(), report.toString());
    require(table.statistics().sstables().count() == 1, "all is in one SSTable");
    require(
        table.statistics().sstables().dataBytes() > 4 * Runtime.getRuntime().maxMemory(),
        "the partition is far larger than the heap");
  }

  private void readAll() throws IOException {
    requireRows(table.query().partition("wide").build(), 0, rows, 1);
    requireRows(table.query().partition("wide").reversed().build(), rows - 1, rows, -1);
  }

  private void readSome(Random random) throws IOException {
    for (int i = 0; i < READS; i++) {
      long from = SLICE + (long) random.nextInt(rows - 2 * SLICE);
      requireRows(table.query().partition("wide").row(from).build(), from, 1, 1);
      Query.Builder forward =
          table.query().partition("wide").rows(ClusteringRange.all().from(from)).limit(SLICE);
      requireRows(forward.build(), from, SLICE, 1);
      Query.Builder reversed =
          table.query().partition("wide").rows(ClusteringRange.all().to(from)).limit(SLICE);
      requireRows(reversed.reversed().build(), from, SLICE, -1);
    }
  }

  private void requireRows(Query query, long first, int count, int step) throws IOException {
    long expected = first;
    int found = 0;
    try (LiveRows all = table.read(query)) {
      while (all.hasNext()) {
        Row row = all.next();
        require(row.getLong("ck") == expected, row.getLong("ck") + ", expected " + expected);
        require(value(expected).equals(row.getString("v")), "value of " + expected + ": " + row);
        expected += step;
        found++;
      }
    }
    require(found == count, found + " rows from " + first + ", expected " + count);
  }
}
