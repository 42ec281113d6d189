package io.siltstone.spark;

import static io.siltstone.spark.LocalSpark.read;
import static io.siltstone.spark.LocalSpark.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that update or delete what a table has. */
final class OperationsTest {
  private static final String CQL =
      "CREATE TABLE ks.t (k text, c int, v int, l list<int>, s int static, PRIMARY KEY (k, c))";

  @TempDir Path directory;

  @BeforeEach
  void makeTable() throws IOException {
    Tables.add(
        directory,
        Tables.parse(CQL),
        writer ->
            List.of(
                writer
                    .mutation("a")
                    .timestamp(1)
                    .set("s", 5)
                    .insert(1)
                    .set("v", 10)
                    .set("l", List.of(1, 2))
                    .insert(2)
                    .set("v", 20)
                    .build(),
                writer.mutation("b").timestamp(1).set("s", 6).insert(1).set("v", 30).build()));
  }

  private void write(String rows) {
    write(rows, "op");
  }

  private void write(String rows, String column) {
    LocalSpark.session()
        .sql(rows)
        .write()
        .format("sstable")
        .mode(SaveMode.Append)
        .option("operationColumn", column)
        .save(directory.toString());
  }

  @Test
  void rowsAndPartitionsAreDeleted() {
    write(
        "SELECT * FROM VALUES ('a', 2, 'delete'), ('b', NULL, 'DeletePartition'),"
            + " ('c', 1, 'insert'), ('d', 1, NULL) AS t(k, c, op)");
    assertThat(texts(read(directory)))
        .containsExactly(
            "[a,1,5,ArraySeq(1, 2),10]", "[c,1,null,null,null]", "[d,1,null,null,null]");
  }

  @Test
  void nullOfAnUpdateDeletesTheValueAndOneOfAnInsertDoesNot() {
    write(
        "SELECT 'a' k, 1 c, CAST(NULL AS INT) v, array(7) l, 'update' op"
            + " UNION ALL SELECT 'a', 2, CAST(NULL AS INT), NULL, 'insert'");
    assertThat(texts(read(directory)))
        .containsExactly("[a,1,5,ArraySeq(7),null]", "[a,2,5,null,20]", "[b,1,6,null,30]");
    write("SELECT 'a' k, 1 c, CAST(NULL AS array<int>) l, 'update' op");
    assertThat(texts(read(directory).where("k = 'a' and c = 1")))
        .containsExactly("[a,1,5,null,null]");
  }

  @Test
  void updatedRowExistsOnlyAsLongAsItHasValues() {
    write("SELECT 'x' k, 1 c, 1 v, 'update' op UNION ALL SELECT 'y', 1, 1, 'insert'");
    write("SELECT k, 1 c, CAST(NULL AS INT) v, 'update' op FROM VALUES ('x'), ('y') AS t(k)");
    assertThat(texts(read(directory).where("k > 'c'"))).containsExactly("[y,1,null,null,null]");
  }

  @Test
  void updateOfNothingChangesNothing() {
    write("SELECT 'x' k, 1 c, 'update' op");
    assertThat(texts(read(directory).where("k = 'x'"))).isEmpty();
    assertThat(read(directory).count()).isEqualTo(3);
  }

  @Test
  void staticColumnsAreDeletedAlone() {
    write("SELECT 'a' k, CAST(NULL AS INT) c, CAST(NULL AS INT) s, 'update' op");
    assertThat(texts(read(directory).where("k = 'a'").select("c", "s", "v")))
        .containsExactly("[1,null,10]", "[2,null,20]");
  }

  @Test
  void deletionOfTheSameTimestampWins() {
    write("SELECT 'x' k, 1 c, 1 v, 'insert' op UNION ALL SELECT 'x', 1, 1, 'delete'");
    assertThat(texts(read(directory).where("k = 'x'"))).isEmpty();
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThatThrownBy(() -> write("SELECT 'a' k, 1 c, 'drop' op"))
        .hasStackTraceContaining(
            "column op: 'drop' is no operation, allowed [insert, update, delete, deletePartition]");
    assertThatThrownBy(() -> write("SELECT 'a' k, CAST(NULL AS INT) c, 'delete' op"))
        .hasStackTraceContaining("column c is null");
    assertThatThrownBy(() -> write("SELECT 'a' k, 1 c, 1 op"))
        .hasStackTraceContaining(
            "column op of option operationColumn is of type INT, allowed string");
    assertThatThrownBy(() -> write("SELECT 'a' k, 1 c", "what"))
        .hasStackTraceContaining("option operationColumn is 'what'");
    assertThat(read(directory).count()).isEqualTo(3);
  }
}
