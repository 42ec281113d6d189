package io.siltstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.rows.ClusteringRange;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.PagingState;
import io.siltstone.rows.Query;
import io.siltstone.rows.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A query continues from the paging state of a query with other columns, limits and page size. */
class OtherPagesTest {
  private Database database;
  private Table table;

  @BeforeEach
  void twoPartitionsOfFiveRows() throws IOException {
    database =
        Database.open(
            new MemoryDirectory(), DatabaseOptions.builder().compaction(Compaction.none()).build());
    table =
        database.createTable("CREATE TABLE ks.t (k int, c int, v int, w int, PRIMARY KEY (k, c))");
    for (int k = 1; k <= 2; k++) {
      for (int c = 0; c < 5; c++) {
        table.write(table.mutation(k).insert(c).set("v", 10 * k + c).set("w", c).build());
      }
    }
  }

  @AfterEach
  void close() throws IOException {
    database.close();
  }

  /** Returns the paging state after the first page. */
  private PagingState firstPage(Query.Builder query, int rows) throws IOException {
    try (LiveRows page = table.read(query.pageSize(rows).build())) {
      page.forEachRemaining(row -> {});
      assertThat(page.rows()).isEqualTo(rows);
      return page.pagingState().orElseThrow();
    }
  }

  private List<Integer> rest(Query.Builder query, PagingState after) throws IOException {
    List<Integer> values = new ArrayList<>();
    try (LiveRows rows = table.read(query.build().after(after))) {
      for (Row row : rows) {
        values.add(row.getInt("v"));
      }
    }
    return values;
  }

  @Test
  void columnsAndPageSizeAreThoseOfTheLaterQuery() throws IOException {
    PagingState after = firstPage(table.query().select("w"), 3);
    assertThat(rest(table.query().select("v"), after)).containsExactly(13, 14, 20, 21, 22, 23, 24);
    assertThat(rest(table.query().select("v").pageSize(2), after)).containsExactly(13, 14);
  }

  @Test
  void theLesserOfTheLimitAndOfWhatIsLeftOfTheEarlierEndsTheResult() throws IOException {
    PagingState limited = firstPage(table.query().limit(5), 3);
    assertThat(rest(table.query(), limited)).containsExactly(13, 14);
    assertThat(rest(table.query().limit(1), limited)).containsExactly(13);
    assertThat(rest(table.query().limit(100), limited)).containsExactly(13, 14);
    PagingState unlimited = firstPage(table.query(), 3);
    assertThat(rest(table.query().limit(4), unlimited)).containsExactly(13, 14, 20, 21);
  }

  @Test
  void theLimitPerPartitionCountsRowsOfEarlierPages() throws IOException {
    PagingState after = firstPage(table.query(), 3);
    assertThat(rest(table.query().perPartitionLimit(4), after)).containsExactly(13, 20, 21, 22, 23);
    assertThat(rest(table.query().perPartitionLimit(2), after)).containsExactly(20, 21);
    PagingState limited = firstPage(table.query().perPartitionLimit(1), 1);
    assertThat(rest(table.query().perPartitionLimit(2), limited)).containsExactly(11, 20, 21);
  }

  @Test
  void otherRestrictionsAndAnotherOrderAreRefused() throws IOException {
    PagingState after = firstPage(table.query().partition(1), 3);
    for (Query other :
        List.of(
            table.query().build(),
            table.query().partition(2).build(),
            table.query().partition(1).reversed().build(),
            table.query().partition(1).rows(ClusteringRange.all().from(1)).build())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> other.after(after))
          .withMessageContaining("paging state of another query");
    }
  }
}
