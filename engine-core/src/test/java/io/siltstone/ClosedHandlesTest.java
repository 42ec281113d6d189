package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.event.EngineListener;
import io.siltstone.explain.ReadTrace;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.VerificationLevel;
import io.siltstone.mutation.Batch;
import io.siltstone.mutation.Mutation;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ColumnVector;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Query;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What each public method of a database, of its tables and of what they give does when the handle
 * was closed, its table dropped, or its database closed: no method is forgotten.
 */
class ClosedHandlesTest {
  private static final byte[] KEY = {1};
  private static final byte[] VALUE = {2};
  private static final ByteBuffer ROOM = ByteBuffer.allocate(8);
  private static final Read.OfRange ALL = new Read.OfRange(PartitionRange.ALL);
  private static final EngineListener LISTENER = new EngineListener() {};

  @TempDir private Path temporary;
  private Database database;
  private Table table;
  private KeyValueStore store;
  private Query query;
  private Mutation mutation;

  @BeforeEach
  void open() throws IOException {
    DatabaseOptions options =
        History.OPTIONS.toBuilder().partitioner(Partitioner.BYTE_ORDERED).build();
    database = Database.open(new MemoryDirectory(), options);
    table = database.createTable("CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))");
    query = table.query().partition(1).build();
    mutation = table.mutation(1).insert(1).set("v", "x").build();
    var unused = database.createTable("CREATE TABLE w.kv (key blob PRIMARY KEY, value blob)");
    store = KeyValueStore.in(database, "w", "kv");
    for (int i = 0; i < 3; i++) {
      table.write(table.mutation(1).insert(i).set("v", "x").build());
      store.put(new byte[] {(byte) i}, VALUE);
      database.flush();
    }
    table.write(mutation);
    store.put(KEY, VALUE);
  }

  @AfterEach
  void close() throws IOException {
    database.close();
    Leftovers.requireNoThreads();
  }

  /** Calls of all public methods of a class, by their names and the types of their parameters. */
  private static final class Calls {
    private final Set<String> methods = new TreeSet<>();
    private final Map<String, ThrowingCallable> refused = new TreeMap<>();
    private final Map<String, ThrowingCallable> answered = new TreeMap<>();

    Calls(Class<?> of) {
      for (Method method : of.getMethods()) {
        boolean isOfAll =
            method.getDeclaringClass() == Object.class
                || (method.getDeclaringClass() == Iterator.class
                    && method.getName().equals("remove"));
        if (!isOfAll && !Modifier.isStatic(method.getModifiers()) && !method.isBridge()) {
          methods.add(
              Arrays.stream(method.getParameterTypes())
                  .map(Class::getSimpleName)
                  .collect(Collectors.joining(", ", method.getName() + "(", ")")));
        }
      }
    }

    /** One that can do nothing any more. */
    Calls refused(String method, ThrowingCallable call) {
      refused.put(method, call);
      return this;
    }

    /** One that does what it always does. */
    Calls answered(String method, ThrowingCallable call) {
      answered.put(method, call);
      return this;
    }

    void check(String reason) {
      Set<String> named = new TreeSet<>(refused.keySet());
      named.addAll(answered.keySet());
      assertThat(named).isEqualTo(methods);
      SoftAssertions all = new SoftAssertions();
      refused.forEach(
          (method, call) ->
              all.assertThat(catchThrowable(call))
                  .as(method)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessageContaining(reason));
      answered.forEach((method, call) -> all.assertThat(catchThrowable(call)).as(method).isNull());
      all.assertAll();
    }
  }

  private Calls ofDatabase() {
    return new Calls(Database.class)
        .answered("path()", database::path)
        .answered("partitioner()", database::partitioner)
        .answered("isReadOnly()", database::isReadOnly)
        .answered("state()", database::state)
        .answered("stoppedReason()", database::stoppedReason)
        .answered("toString()", database::toString)
        .answered("addListener(EngineListener)", () -> database.addListener(LISTENER))
        .answered("removeListener(EngineListener)", () -> database.removeListener(LISTENER))
        .answered("close()", database::close)
        .refused(
            "createTable(String)",
            () -> database.createTable("CREATE TABLE w.other (k int PRIMARY KEY)"))
        .refused(
            "createTables(String)",
            () -> database.createTables("CREATE TABLE w.other (k int PRIMARY KEY)"))
        .refused(
            "alterTable(String, String, String)",
            () -> database.alterTable("w", "t", "ALTER TABLE w.t ADD x int"))
        .refused("dropTable(String, String)", () -> database.dropTable("w", "t"))
        .refused("table(String, String)", () -> database.table("w", "t"))
        .refused("findTable(String, String)", () -> database.findTable("w", "t"))
        .refused("tables()", database::tables)
        .refused("write(Mutation)", () -> database.write(mutation))
        .refused("write(Batch)", () -> database.write(Batch.of(mutation)))
        .refused("writeAsync(Mutation)", () -> database.writeAsync(mutation))
        .refused("writeAsync(Batch)", () -> database.writeAsync(Batch.of(mutation)))
        .refused("flush()", database::flush)
        .refused("sync()", database::sync)
        .refused("refresh()", database::refresh)
        .refused("checkpoint(Path)", () -> database.checkpoint(temporary.resolve("checkpoint")))
        .refused(
            "checkpoint(Path, LongConsumer)",
            () -> database.checkpoint(temporary.resolve("checkpoint"), bytes -> {}))
        .refused("checkpoint(Directory)", () -> database.checkpoint(new MemoryDirectory()))
        .refused("compactionHistory()", database::compactionHistory)
        .refused("statistics()", database::statistics);
  }

  private Calls ofTable() {
    return new Calls(Table.class)
        .answered("id()", table::id)
        .answered("schema()", table::schema)
        .answered("toString()", table::toString)
        .refused("mutation(Object[])", () -> table.mutation(1))
        .refused("write(Mutation)", () -> table.write(mutation))
        .refused("writeAsync(Mutation)", () -> table.writeAsync(mutation))
        .refused("writeIf(Mutation, List, Condition[])", () -> table.writeIf(mutation, List.of(1)))
        .refused(
            "writeIfAsync(Mutation, List, Condition[])",
            () -> table.writeIfAsync(mutation, List.of(1)))
        .refused("query()", table::query)
        .refused("read(Query)", () -> table.read(query))
        .refused("readColumns(Query)", () -> table.readColumns(query))
        .refused("read(Query, ReadTrace)", () -> table.read(query, new ReadTrace()))
        .refused("get(Query)", () -> table.get(query))
        .refused("multiGet(List)", () -> table.multiGet(List.of(query)))
        .refused("cursor(Read)", () -> table.cursor(ALL))
        .refused("explain(Query, FindingListener)", () -> table.explain(query, finding -> true))
        .refused("flush()", table::flush)
        .refused("truncate()", table::truncate)
        .refused("importTables(Directory)", () -> table.importTables(new MemoryDirectory()))
        .refused(
            "importTables(Directory, VerificationLevel)",
            () -> table.importTables(new MemoryDirectory(), VerificationLevel.FULL))
        .refused(
            "importTables(Path, VerificationLevel)",
            () -> table.importTables(temporary, VerificationLevel.NONE))
        .refused("importTables(Path)", () -> table.importTables(temporary))
        .refused("live()", table::live)
        .refused("sstables()", table::sstables)
        .refused(
            "compact(CompactionRequest)",
            () -> table.compact(CompactionRequest.of(CompactionRequest.Operation.MAJOR)))
        .refused("statistics()", table::statistics)
        .refused("estimate(PartitionRange)", () -> table.estimate(PartitionRange.ALL))
        .refused("raiseRetentionFloor(Object)", () -> table.raiseRetentionFloor(1))
        .refused("retentionFloor()", table::retentionFloor)
        .refused("splits(long)", () -> table.splits(1))
        .refused("storedSummary()", table::storedSummary);
  }

  private Calls ofStore() {
    return new Calls(KeyValueStore.class)
        .answered("database()", store::database)
        .answered("table()", store::table)
        .answered("toString()", store::toString)
        .answered("close()", store::close)
        .refused("put(byte[], byte[])", () -> store.put(KEY, VALUE))
        .refused("put(byte[], byte[], int)", () -> store.put(KEY, VALUE, 1))
        .refused("putIfAbsent(byte[], byte[])", () -> store.putIfAbsent(KEY, VALUE))
        .refused("replace(byte[], byte[], byte[])", () -> store.replace(KEY, VALUE, VALUE))
        .refused("delete(byte[])", () -> store.delete(KEY))
        .refused("deleteRange(byte[], byte[])", () -> store.deleteRange(null, null))
        .refused("write(KeyValueBatch)", () -> store.write(new KeyValueBatch().put(KEY, VALUE)))
        .refused(
            "writeAsync(KeyValueBatch)",
            () -> store.writeAsync(new KeyValueBatch().put(KEY, VALUE)))
        .refused("get(byte[])", () -> store.get(KEY))
        .refused("multiGet(List)", () -> store.multiGet(List.of(KEY)))
        .refused("get(byte[], ByteBuffer)", () -> store.get(KEY, ROOM))
        .refused("get(byte[], int, int, ByteBuffer)", () -> store.get(KEY, 0, 1, ROOM))
        .refused("contains(byte[])", () -> store.contains(KEY))
        .refused("snapshot()", store::snapshot)
        .refused("iterator()", store::iterator)
        .refused("iterator(byte[], byte[])", () -> store.iterator(KEY, null))
        .refused(
            "iterator(byte[], boolean, byte[], boolean)",
            () -> store.iterator(KEY, true, null, true))
        .refused("estimate(byte[], byte[])", () -> store.estimate(KEY, null))
        .refused(
            "deleteRange(byte[], boolean, byte[], boolean)",
            () -> store.deleteRange(null, true, null, true))
        .refused("iteratorOfPrefix(byte[])", () -> store.iteratorOfPrefix(KEY));
  }

  private static Calls of(LiveRows rows) {
    return new Calls(LiveRows.class)
        .answered("cancel()", rows::cancel)
        .answered("close()", rows::close)
        .answered("rows()", rows::rows)
        .answered("tombstones()", rows::tombstones)
        .answered("expired()", rows::expired)
        .refused("hasNext()", rows::hasNext)
        .refused("next()", rows::next)
        .refused("forEach(Consumer)", () -> rows.forEach(row -> {}))
        .refused("forEachRemaining(Consumer)", () -> rows.forEachRemaining(row -> {}))
        .refused("iterator()", rows::iterator)
        .refused("spliterator()", rows::spliterator)
        .refused("stream()", rows::stream)
        .refused("pagingState()", rows::pagingState);
  }

  private static Calls of(ColumnarReader reader) {
    return new Calls(ColumnarReader.class)
        .answered("cancel()", reader::cancel)
        .answered("close()", reader::close)
        .answered("columns()", reader::columns)
        .answered("rows()", reader::rows)
        .answered("tombstones()", reader::tombstones)
        .answered("expired()", reader::expired)
        .refused("fill(ColumnVector[], int)", () -> fill(reader))
        .refused("pagingState()", reader::pagingState);
  }

  private static int fill(ColumnarReader reader) throws IOException {
    return reader.fill(new ColumnVector[reader.columns().size()], 1);
  }

  private ColumnarReader columns() throws IOException {
    ColumnarReader reader = table.readColumns(query);
    assertThat(fill(reader)).isEqualTo(1);
    return reader;
  }

  private static Calls of(PartitionCursor cursor) {
    return new Calls(PartitionCursor.class)
        .answered("close()", cursor::close)
        .refused("encoding()", cursor::encoding)
        .refused("nextPartition()", cursor::nextPartition)
        .refused("key()", cursor::key)
        .refused("deletionTimestamp()", cursor::deletionTimestamp)
        .refused("deletionLocalTime()", cursor::deletionLocalTime)
        .refused("nextUnfiltered()", cursor::nextUnfiltered)
        .refused("unfiltered()", cursor::unfiltered);
  }

  private static Calls of(KeyValueSnapshot snapshot) {
    return new Calls(KeyValueSnapshot.class)
        .answered("close()", snapshot::close)
        .answered("toString()", snapshot::toString)
        .refused("get(byte[])", () -> snapshot.get(KEY))
        .refused("multiGet(List)", () -> snapshot.multiGet(List.of(KEY)))
        .refused("get(byte[], ByteBuffer)", () -> snapshot.get(KEY, ROOM))
        .refused("get(byte[], int, int, ByteBuffer)", () -> snapshot.get(KEY, 0, 1, ROOM))
        .refused("contains(byte[])", () -> snapshot.contains(KEY))
        .refused("iterator()", snapshot::iterator)
        .refused("iterator(byte[], byte[])", () -> snapshot.iterator(KEY, null))
        .refused(
            "iterator(byte[], boolean, byte[], boolean)",
            () -> snapshot.iterator(KEY, true, null, true))
        .refused("iteratorOfPrefix(byte[])", () -> snapshot.iteratorOfPrefix(KEY));
  }

  private static Calls of(KeyValueIterator entries) {
    return new Calls(KeyValueIterator.class)
        .answered("cancel()", entries::cancel)
        .refused("timeout(Duration)", () -> entries.timeout(Duration.ofSeconds(1)))
        .answered("close()", entries::close)
        .answered("toString()", entries::toString)
        .refused("isValid()", entries::isValid)
        .refused("seekToFirst()", entries::seekToFirst)
        .refused("seekToLast()", entries::seekToLast)
        .refused("seek(byte[])", () -> entries.seek(KEY))
        .refused("seekForPrev(byte[])", () -> entries.seekForPrev(KEY))
        .refused("next()", entries::next)
        .refused("prev()", entries::prev)
        .refused("key()", entries::key)
        .refused("value()", entries::value)
        .refused("keyView()", entries::keyView)
        .refused("valueView()", entries::valueView);
  }

  private LiveRows rows() throws IOException {
    LiveRows rows = table.read(query);
    assertThat(rows.next().getInt("c")).isZero();
    assertThat(rows.hasNext()).isTrue();
    return rows;
  }

  private PartitionCursor cursor() throws IOException {
    PartitionCursor cursor = table.cursor(ALL);
    assertThat(cursor.nextPartition()).isTrue();
    assertThat(cursor.nextUnfiltered()).isTrue();
    return cursor;
  }

  private static KeyValueIterator first(KeyValueIterator entries) throws IOException {
    entries.seekToFirst();
    assertThat(entries.isValid()).isTrue();
    return entries;
  }

  private static KeyValueIterator last(KeyValueIterator entries) throws IOException {
    entries.seekToLast();
    assertThat(entries.isValid()).isTrue();
    return entries;
  }

  @Test
  void nothingCanBeDoneOnceTheDatabaseIsClosed() throws IOException {
    LiveRows rows = rows();
    ColumnarReader columns = columns();
    PartitionCursor cursor = cursor();
    KeyValueSnapshot snapshot = store.snapshot();
    KeyValueIterator forward = first(store.iterator());
    KeyValueIterator backward = last(snapshot.iterator());
    database.close();
    ofDatabase().check("closed");
    ofTable().check("closed");
    ofStore().check("closed");
    of(rows).check("closed");
    of(columns).check("closed");
    of(cursor).check("closed");
    of(snapshot).check("closed");
    of(forward).check("closed");
    of(backward).check("closed");
  }

  @Test
  void nothingCanBeDoneWithATableOnceItIsDropped() throws IOException {
    database.dropTable("w", "t");
    database.dropTable("w", "kv");
    ofTable().check("w.t was dropped");
    ofStore().check("w.kv was dropped");
    // A database has changes of any table, and this one is none of its tables.
    assertThat(catchThrowable(() -> database.write(mutation)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("w.t is no table of this database, or was dropped");
  }

  @Test
  void nothingCanBeDoneWithATableThatAnotherHasTakenThePlaceOf() throws IOException {
    database.dropTable("w", "t");
    Table other =
        database.createTable("CREATE TABLE w.t (k int, c int, v text, PRIMARY KEY (k, c))");
    ofTable().check("w.t was dropped");
    assertThat(catchThrowable(() -> other.get(query)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is of another table of that name");
    assertThat(catchThrowable(() -> other.write(mutation)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is of another table of that name");
  }

  @Test
  void handlesCanDoNothingOnceTheyAreClosed() throws IOException {
    LiveRows rows = rows();
    rows.close();
    of(rows).check("closed");
    ColumnarReader columns = columns();
    columns.close();
    of(columns).check("closed");
    PartitionCursor cursor = cursor();
    cursor.close();
    of(cursor).check("closed");
    KeyValueSnapshot snapshot = store.snapshot();
    KeyValueIterator forward = first(snapshot.iterator());
    KeyValueIterator backward = last(snapshot.iterator());
    snapshot.close();
    of(snapshot).check("closed");
    forward.next();
    backward.prev();
    forward.close();
    backward.close();
    of(forward).check("closed");
    of(backward).check("closed");
  }

  @Test
  void handlesGoOnWhenTheirTableIsDropped() throws IOException {
    try (LiveRows rows = rows();
        ColumnarReader columns = columns();
        PartitionCursor cursor = cursor();
        KeyValueSnapshot snapshot = store.snapshot();
        KeyValueIterator entries = first(snapshot.iterator())) {
      database.dropTable("w", "t");
      database.dropTable("w", "kv");
      assertThat(rows.next().getInt("c")).isEqualTo(1);
      assertThat(rows.next().getInt("c")).isEqualTo(2);
      assertThat(rows.hasNext()).isFalse();
      assertThat(fill(columns)).isEqualTo(1);
      assertThat(fill(columns)).isEqualTo(1);
      assertThat(fill(columns)).isZero();
      assertThat(cursor.nextUnfiltered()).isTrue();
      assertThat(cursor.nextUnfiltered()).isTrue();
      assertThat(cursor.nextUnfiltered()).isFalse();
      assertThat(snapshot.get(KEY)).isEqualTo(VALUE);
      entries.seekToLast();
      assertThat(entries.key()).isEqualTo(new byte[] {2});
      entries.prev();
      assertThat(entries.key()).isEqualTo(KEY);
      try (KeyValueIterator again = last(snapshot.iterator())) {
        assertThat(again.value()).isEqualTo(VALUE);
      }
    }
  }
}
