package io.siltstone.rows;

import static io.siltstone.rows.Example.WRITTEN_SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.siltstone.cursor.CancelSignal;
import io.siltstone.cursor.CursorSource;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.MergeCursor;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.cursor.TableEncoding;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Timeouts of queries, by a clock that goes on with each row that is passed over. */
class QueryTimeoutTest {
  private static final int DELETED = 20_000;
  private static final Duration LIMIT = Duration.ofNanos(1000);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();

  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 500);
  private boolean isClosed;
  private final List<Boolean> ended = new ArrayList<>();

  /** Merges two SSTables, and lets a nanosecond pass with each row of the first. */
  private final class Merged implements CursorSource {
    private final StoredTable first;
    private final StoredTable second;
    private final TableEncoding encoding;

    Merged(Example table) throws IOException {
      first = new StoredTable(table.model(), FormatVersion.OA, leaks.memory());
      second = new StoredTable(table.model(), FormatVersion.OA, leaks.memory());
      encoding =
          new TableEncoding(RowEncoding.of(table.schema(), EncodingStats.NONE, true), List.of());
    }

    @Override
    public PartitionCursor open(Read read, CancelSignal cancelSignal) throws IOException {
      MergeCursor merge = new MergeCursor(encoding);
      merge.begin(List.of(timed(first.open(read)), second.open(read)), false, cancelSignal);
      return merge;
    }

    private PartitionCursor timed(PartitionCursor cursor) {
      return (PartitionCursor)
          Proxy.newProxyInstance(
              PartitionCursor.class.getClassLoader(),
              new Class<?>[] {PartitionCursor.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("nextUnfiltered")) {
                  clock.incrementAndGet();
                }
                try {
                  return method.invoke(cursor, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    @Override
    public void ended(boolean isTimeout) {
      ended.add(isTimeout);
    }

    @Override
    public void close() throws IOException {
      isClosed = true;
      assertThat(first.open() + second.open()).isZero();
      first.close();
      second.close();
    }
  }

  private static Example deletedRows() {
    Example table = new Example("CREATE TABLE ks.t (k int, c int, v int, PRIMARY KEY (k, c))");
    table.partition(1);
    for (int i = 0; i < DELETED; i++) {
      table.update(i).delete("v");
    }
    table.insert(DELETED).set("v", "1", 0);
    return table;
  }

  private LiveRows read(Query query, Merged from) {
    return LiveRows.open(query, WRITTEN_SECONDS, from, clock::get);
  }

  @Test
  void aStepOverVeryManyDeletedRowsEndsSoonAfterTheDeadline() throws IOException {
    Example table = deletedRows();
    Query query = table.query().timeout(LIMIT).build();
    long began = clock.get();
    try (LiveRows rows = read(query, new Merged(table))) {
      QueryCancelledException thrown =
          catchThrowableOfType(QueryCancelledException.class, rows::hasNext);
      assertThat(clock.get() - began).isBetween(LIMIT.toNanos(), LIMIT.toNanos() + 100);
      assertThat(thrown)
          .hasMessage(
              "a read of ks.t has taken more than its timeout of PT0.000001S; it has reached "
                  + "key 0x00000001 (token -4069959284402364209): it has returned 0 rows of the "
                  + query);
      assertThat(thrown.timeout()).contains(LIMIT);
      assertThat(thrown.table()).isEqualTo("ks.t");
      assertThat(thrown.reached().orElseThrow().token()).isEqualTo(-4069959284402364209L);
      // All that it held has been released, although nobody has closed it.
      assertThat(isClosed).isTrue();
      assertThat(ended).containsExactly(true);
      assertThat(rows.tombstones()).isBetween(900L, 1100L);
      assertThatThrownBy(rows::next).isSameAs(thrown);
      rows.cancel();
      assertThatThrownBy(rows::hasNext).isSameAs(thrown);
      // From where it stopped it can be read on.
      assertThat(rows.pagingState()).isPresent();
    }
    assertThat(ended).containsExactly(true);
  }

  @Test
  void aReadThatEndsInTimeIsNotDisturbed() throws IOException {
    Example table = deletedRows();
    Query query = table.query().timeout(Duration.ofNanos(2L * DELETED)).build();
    try (LiveRows rows = read(query, new Merged(table))) {
      assertThat(rows.next().getInt("c")).isEqualTo(DELETED);
      assertThat(rows.hasNext()).isFalse();
      rows.cancel();
    }
    assertThat(ended).isEmpty();
  }

  @Test
  void aPageThatWasCancelledIsReadOnFromItsLastRow() throws IOException {
    Example table = new Example("CREATE TABLE ks.t (k int, c int, PRIMARY KEY (k, c))");
    for (int i = 0; i < 100; i++) {
      table.partition(i / 10).insert(i);
    }
    Query query = table.query().build();
    List<String> all = new ArrayList<>();
    Query next = query;
    for (int i = 1; next != null; i += 7) {
      try (LiveRows rows = read(next, new Merged(table))) {
        try {
          for (int k = 0; k < i && rows.hasNext(); k++) {
            all.add(rows.next().toString());
          }
          if (rows.hasNext()) {
            rows.cancel();
            assertThatThrownBy(rows::next).isInstanceOf(QueryCancelledException.class);
          }
        } finally {
          next = rows.pagingState().map(query::after).orElse(null);
        }
      }
    }
    try (LiveRows rows = read(query, new Merged(table))) {
      assertThat(all).containsExactlyElementsOf(rows.stream().map(Row::toString).toList());
    }
    assertThat(all).hasSize(100);
    assertThat(ended).hasSizeGreaterThan(2).containsOnly(false);
  }

  @Test
  void timeoutsOutOfRangeAreRefused() {
    Example table = deletedRows();
    for (Duration limit : List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(366))) {
      assertThatThrownBy(() -> table.query().timeout(limit))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("timeout of " + limit + ", allowed more than 0, at most PT8760H");
    }
    Query query = table.query().timeout(LIMIT).nowSeconds(5).build();
    assertThat(query.timeout()).contains(LIMIT);
    assertThat(query.nowSeconds()).isEqualTo(OptionalLong.of(5));
    assertThat(query.toString()).endsWith(", timeout PT0.000001S");
  }
}
