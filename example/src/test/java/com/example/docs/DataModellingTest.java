package com.example.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.TableStatistics;
import io.siltstone.mutation.Condition;
import io.siltstone.mutation.Mutation;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.ColumnVector;
import io.siltstone.rows.ColumnarReader;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.LiveRows.QueryCancelledException;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import io.siltstone.rows.Split;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of docs/data-modelling.md. */
class DataModellingTest {
  private static final Instant MORNING = Instant.parse("2026-06-15T08:00:00Z");

  @TempDir private Path directory;

  private Database db;
  private Table orders;

  @BeforeEach
  void open() throws Exception {
    db = Database.open(directory.resolve("db"));
    orders =
        db.createTable(
            """
            CREATE TABLE shop.orders (
                customer text,
                placed timestamp,
                line int,
                name text STATIC,
                article text,
                price decimal,
                tags set<text>,
                notes map<text, text>,
                PRIMARY KEY (customer, placed, line)
            ) WITH CLUSTERING ORDER BY (placed DESC, line ASC)
            """);
    orders.write(
        orders
            .mutation("ada")
            .set("name", "Ada L.")
            .insert(MORNING, 1)
            .set("article", "lamp")
            .set("price", "19.90")
            .insert(MORNING, 2)
            .set("article", "bulb")
            .set("price", "2.50")
            .insert(MORNING.plusSeconds(60), 1)
            .set("article", "desk")
            .set("price", "120")
            .build());
  }

  @AfterEach
  void close() throws Exception {
    db.close();
  }

  private final List<Row> shown = new ArrayList<>();

  private void show(Row row) {
    shown.add(row);
  }

  @Test
  void timeouts() throws Exception {
    Query inTime = orders.query().timeout(Duration.ofSeconds(2)).build();
    try (LiveRows rows = orders.read(inTime)) {
      rows.forEachRemaining(this::show);
    } catch (QueryCancelledException e) {
      System.out.println(e.getMessage()); // table, partition reached, limit
    }
    assertEquals(3, shown.size());
    try (LiveRows rows = orders.read(inTime)) {
      rows.cancel();
      QueryCancelledException e = assertThrows(QueryCancelledException.class, rows::next);
      assertEquals("shop.orders", e.table());
      assertTrue(rows.pagingState().isPresent());
    }
  }

  @Test
  void retentionByEventTime() throws Exception {
    Instant oldest = MORNING.plusSeconds(60);
    boolean raised = orders.raiseRetentionFloor(oldest); // orders before it are hidden
    Optional<Object> floor = orders.retentionFloor();
    assertTrue(raised);
    assertEquals(Optional.of(oldest), floor);
    assertEquals(1, all(orders, orders.query().build()).size());
  }

  @Test
  void splitsAndEstimates() throws Exception {
    db.flush();
    TableStatistics.Estimate size = orders.estimate(PartitionRange.ALL);
    List<Split> splits = orders.splits(Math.max(1, size.dataBytes() / 8)); // about eight
    long count = 0;
    for (Split split : splits) { // by as many threads or processes as you like
      try (LiveRows rows = orders.read(orders.query().split(split).build())) {
        count += rows.stream().count();
      }
    }
    assertEquals(3, count);
    assertEquals(1, size.partitions());
  }

  static final class Prices implements ColumnVector {
    final BigDecimal[] values = new BigDecimal[1024];

    @Override
    public void putNull(int row) {
      values[row] = null;
    }

    @Override
    public void putBytes(int row, byte[] from, int offset, int length) {
      values[row] = (BigDecimal) CqlTypes.DECIMAL.decode(from, offset, length);
    }
  }

  @Test
  void columns() throws Exception {
    Prices prices = new Prices();
    BigDecimal sum = BigDecimal.ZERO;
    try (ColumnarReader reader = orders.readColumns(orders.query().select("price").build())) {
      ColumnVector[] vectors = new ColumnVector[reader.columns().size()]; // null: not needed
      vectors[reader.columns().indexOf("price")] = prices;
      for (int rows = reader.fill(vectors, 1024); rows > 0; rows = reader.fill(vectors, 1024)) {
        for (int row = 0; row < rows; row++) {
          sum = prices.values[row] == null ? sum : sum.add(prices.values[row]);
        }
      }
    }
    assertEquals(new BigDecimal("142.40"), sum);
  }

  private static List<Row> all(Table table, Query query) throws IOException {
    List<Row> found = new ArrayList<>();
    try (LiveRows rows = table.read(query)) {
      rows.forEachRemaining(found::add);
    }
    return found;
  }

  @Test
  void rowsOfAPartition() throws Exception {
    Query order = orders.query().partition("ada").rows(ClusteringRange.of(MORNING)).build();
    Query line2 = orders.query().partition("ada").row(MORNING, 2).select("article").build();
    Query oldestFirst = orders.query().partition("ada").reversed().limit(1).build();

    assertEquals(2, all(orders, order).size());
    assertEquals("bulb", orders.get(line2).orElseThrow().getString("article"));
    assertEquals(2, orders.get(oldestFirst).orElseThrow().getInt("line"));
    assertEquals("Ada L.", all(orders, order).get(0).getString("name"));
  }

  @Test
  void insertAndUpdate() throws Exception {
    orders.write(orders.mutation("bob").insert(MORNING, 1).set("article", "lamp").build());
    orders.write(orders.mutation("bob").update(MORNING, 2).set("article", "bulb").build());

    orders.write(orders.mutation("bob").update(MORNING, 1).set("article", null).build());
    orders.write(orders.mutation("bob").update(MORNING, 2).set("article", null).build());

    // The row that was inserted is still there, without an article; the other is gone.
    assertEquals(1, all(orders, orders.query().partition("bob").build()).size());
  }

  @Test
  void collections() throws Exception {
    orders.write(
        orders
            .mutation("ada")
            .update(MORNING, 1)
            .add("tags", Set.of("gift"))
            .put("notes", "colour", "red")
            .build());
    orders.write(
        orders.mutation("ada").update(MORNING, 1).remove("notes", List.of("colour")).build());
    orders.write(
        orders.mutation("ada").update(MORNING, 1).set("notes", Map.of("wrap", "yes")).build());

    Row row = orders.get(orders.query().partition("ada").row(MORNING, 1).build()).orElseThrow();
    assertEquals(Set.of("gift"), row.getSet("tags", String.class));
    assertEquals(Map.of("wrap", "yes"), row.getMap("notes", String.class, String.class));
  }

  @Test
  void conditions() throws Exception {
    Mutation mutation = orders.mutation("ada").update(MORNING, 1).set("price", "17.90").build();
    boolean cheaper =
        orders.writeIf(
            mutation,
            List.of(MORNING, 1),
            Condition.equal("article", "lamp"),
            Condition.greater("price", "17.90"));

    assertTrue(cheaper);
  }

  @Test
  void deletions() throws Exception {
    orders.write(orders.mutation("ada").deleteRange(ClusteringRange.of(MORNING)).build());

    assertEquals(1, all(orders, orders.query().partition("ada").build()).size());
  }

  @Test
  void rangesOfKeys() throws Exception {
    DatabaseOptions ordered =
        DatabaseOptions.builder().partitioner(Partitioner.BYTE_ORDERED).build();
    try (Database sorted = Database.open(directory.resolve("sorted"), ordered)) {
      Table words =
          sorted.createTable("CREATE TABLE d.words (word text PRIMARY KEY, meaning text)");
      for (String word : List.of("ant", "bee", "cat", "dog")) {
        words.write(words.mutation(word).insert().set("meaning", "animal").build());
      }

      Query bToC = words.query().keysFrom("b").keysBefore("d").build();

      assertEquals(
          List.of("bee", "cat"),
          all(words, bToC).stream().map(row -> row.getString("word")).toList());
    }
  }
}
