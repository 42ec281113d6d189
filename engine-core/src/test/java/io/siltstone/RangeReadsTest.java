package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.testkit.CountingDirectory;
import io.siltstone.testkit.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries of ranges of partitions: few rows cost little, and are the first of all. */
class RangeReadsTest {
  private static final int KEYS = 2000;

  private final CountingDirectory disk = new CountingDirectory(new MemoryDirectory());
  private final Random random = new Random(5);

  /** 2 MB in two overlapping SSTables, and a memtable; some keys are deleted. */
  private Database database(Partitioner partitioner) throws IOException {
    Database db =
        Database.open(
            disk,
            DatabaseOptions.builder()
                .compaction(Compaction.none())
                .partitioner(partitioner)
                .build());
    Table table = db.createTable("CREATE TABLE ks.t (k text PRIMARY KEY, v blob)");
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < KEYS; i++) {
        String key = "key-%05d".formatted(i);
        if (random.nextInt(3) > 0) {
          byte[] value = new byte[500 + random.nextInt(200)];
          random.nextBytes(value);
          table.write(table.mutation(key).insert().set("v", value).build());
        } else if (random.nextInt(4) == 0) {
          table.write(table.mutation(key).deletePartition().build());
        }
      }
      if (round < 2) {
        table.flush();
      }
    }
    return db;
  }

  private static List<String> keys(Table table, Query query) throws IOException {
    List<String> keys = new ArrayList<>();
    try (LiveRows rows = table.read(query)) {
      rows.forEachRemaining(row -> keys.add(row.toString()));
    }
    return keys;
  }

  @ParameterizedTest
  @EnumSource
  void aFewRowsAreTheFirstOfAll(Partitioner partitioner) throws IOException {
    try (Database db = database(partitioner)) {
      Table table = db.table("ks", "t");
      List<String> all = keys(table, table.query().build());
      assertThat(all).hasSizeBetween(KEYS / 2, KEYS);
      // The last passes far more bytes than are read through the caches.
      for (int limit : new int[] {1, 2, 10, 100, 1000}) {
        assertThat(keys(table, table.query().limit(limit).build()))
            .isEqualTo(all.subList(0, limit));
      }
    }
  }

  @Test
  void aRangeEndsWhereItShould() throws IOException {
    try (Database db = database(Partitioner.BYTE_ORDERED)) {
      Table table = db.table("ks", "t");
      for (int from : new int[] {0, 17, 1000, 1990}) {
        for (int length : new int[] {1, 5, 700}) {
          String first = "key-%05d".formatted(from);
          String end = "key-%05d".formatted(from + length);
          List<String> all = keys(table, table.query().keysFrom(first).keysBefore(end).build());
          assertThat(all).hasSizeLessThanOrEqualTo(length);
          assertThat(keys(table, table.query().keysFrom(first).keysBefore(end).limit(900).build()))
              .isEqualTo(all);
        }
      }
    }
  }

  @Test
  void aRangeBetweenAKeyAndItselfIsEmptyAndOneThatEndsFirstIsRefused() throws IOException {
    try (Database db = database(Partitioner.BYTE_ORDERED)) {
      Table table = db.table("ks", "t");
      String key =
          Objects.requireNonNull(
              table.get(table.query().limit(1).build()).orElseThrow().getString("k"));
      assertThat(keys(table, table.query().keysFrom(key).keysTo(key).build())).hasSize(1);
      assertThat(keys(table, table.query().keysFrom(key).keysBefore(key).build())).isEmpty();
      assertThat(keys(table, table.query().keysAfter(key).keysTo(key).build())).isEmpty();
      assertThat(keys(table, table.query().keysAfter(key).keysBefore(key).build())).isEmpty();
      assertThatThrownBy(() -> table.query().keysFrom(key + "x").keysBefore(key).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("before they begin");
    }
  }

  @ParameterizedTest
  @EnumSource
  void pagesAreAllRows(Partitioner partitioner) throws IOException {
    try (Database db = database(partitioner)) {
      Table table = db.table("ks", "t");
      for (int pageSize : new int[] {37, 999}) {
        Query query = table.query().pageSize(pageSize).build();
        List<String> found = new ArrayList<>();
        Optional<PagingState> token;
        do {
          try (LiveRows rows = table.read(query)) {
            rows.forEachRemaining(row -> found.add(row.toString()));
            token = rows.pagingState();
          }
          query = token.isPresent() ? query.after(token.get()) : query;
        } while (token.isPresent());
        assertThat(found).isEqualTo(keys(table, table.query().build()));
      }
    }
  }

  @Test
  void aFewRowsCostFewChunksAndTheSameAgainNone() throws IOException {
    try (Database db = database(Partitioner.MURMUR3)) {
      Table table = db.table("ks", "t");
      Query query = table.query().limit(10).build();
      disk.reset();
      assertThat(keys(table, query)).hasSize(10);
      // Two chunks at most of each of the two SSTables.
      assertThat(disk.bytes(Operation.READ, "*-Data.db"))
          .as(disk.report())
          .isBetween(1L, 4 * 17_000L);
      disk.reset();
      assertThat(keys(table, query)).hasSize(10);
      assertThat(disk.bytes(Operation.READ, "*-Data.db")).isZero();
    }
  }
}
