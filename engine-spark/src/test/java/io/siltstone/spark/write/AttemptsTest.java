package io.siltstone.spark.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.OfflineTable;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.rows.LiveRows;
import io.siltstone.rows.Row;
import io.siltstone.spark.files.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts of tasks that end in any order, or do not end. */
final class AttemptsTest {
  private static final StructType ROWS =
      new StructType().add("k", DataTypes.StringType).add("c", DataTypes.IntegerType);

  @TempDir Path directory;

  private WritePlan plan() {
    return new WritePlan(
        directory.toString(),
        "attempts-job",
        "CREATE TABLE ks.t (k text, c int, PRIMARY KEY (k, c))",
        ROWS,
        new WritePlan.Format(null, Partitioner.MURMUR3, null, List.of(), 1 << 20),
        new WritePlan.Times(1000, null, null, null),
        null);
  }

  private SSTableBatchWrite job(boolean overwrites) throws IOException {
    Storage storage = Storage.of(new Configuration(), List.of(directory.toString()));
    SSTableBatchWrite job =
        new SSTableBatchWrite(plan(), new Publication(storage, overwrites, Optional.empty()));
    assertThat(job.createBatchWriterFactory(null)).isNotNull();
    return job;
  }

  private AttemptWriter attempt(String name, String key) throws IOException {
    AttemptWriter writer = new AttemptWriter(plan(), name);
    writer.write(new GenericInternalRow(new Object[] {UTF8String.fromString(key), 1}));
    return writer;
  }

  private static WriterCommitMessage end(AttemptWriter attempt) throws IOException {
    WriterCommitMessage message = attempt.commit();
    attempt.close();
    return message;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    try (OfflineTable table = OfflineTable.openReadOnly(directory);
        LiveRows live = table.read(table.query().build())) {
      for (Row row : live) {
        rows.add(row.getString("k"));
      }
    }
    return rows;
  }

  @Test
  void speculativeAttemptLeavesNothing() throws IOException {
    SSTableBatchWrite job = job(false);
    AttemptWriter slow = attempt("0-1", "a");
    WriterCommitMessage first = end(attempt("0-2", "a"));
    WriterCommitMessage second = end(attempt("1-3", "b"));
    slow.abort();
    slow.close();
    assertThat(directory.resolve("attempts-job")).isDirectoryNotContaining("glob:**0-1");

    job.commit(new WriterCommitMessage[] {first, second});
    assertThat(rows()).containsExactlyInAnyOrder("a", "b");
    assertThat(names()).doesNotContain("attempts-job");
  }

  @Test
  void attemptThatNobodyEndsIsNotPublished() throws IOException {
    SSTableBatchWrite job = job(false);
    AttemptWriter lost = attempt("0-1", "lost");
    end(attempt("0-2", "not chosen"));
    WriterCommitMessage chosen = end(attempt("0-3", "chosen"));

    job.commit(new WriterCommitMessage[] {chosen});
    assertThat(rows()).containsExactly("chosen");
    assertThat(names()).doesNotContain("attempts-job");
    // The attempt that was given up commits after the job, because its executor was slow.
    assertThatThrownBy(lost::commit).isInstanceOf(IOException.class);
    lost.abort();
    assertThat(rows()).containsExactly("chosen");
  }

  @Test
  void attemptThatBeginsAfterTheJobLeavesNothing() throws IOException {
    SSTableBatchWrite job = job(false);
    job.commit(new WriterCommitMessage[] {end(attempt("0-1", "a"))});
    List<String> before = names();

    try {
      AttemptWriter late = attempt("0-2", "late");
      late.abort();
      late.close();
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("attempts-job");
    }
    assertThat(names()).isEqualTo(before);
  }

  @Test
  void jobThatIsAbortedLeavesTheTableAsItWas() throws IOException {
    job(false).commit(new WriterCommitMessage[] {end(attempt("0-1", "old"))});
    List<String> before = names();
    SSTableBatchWrite job = job(true);
    WriterCommitMessage message = end(attempt("0-1", "new"));

    job.abort(new WriterCommitMessage[] {message, null});
    assertThat(names()).isEqualTo(before);
    assertThat(rows()).containsExactly("old");
  }

  @Test
  void publicationThatFailsLeavesTheTableAsItWas() throws IOException {
    job(false).commit(new WriterCommitMessage[] {end(attempt("0-1", "old"))});
    SSTableBatchWrite job = job(true);
    WriterCommitMessage message = end(attempt("0-1", "new"));
    Path attempt = directory.resolve("attempts-job").resolve("0-1");
    Files.delete(attempt.resolve("oa-1-big-Statistics.db"));

    assertThatThrownBy(() -> job.commit(new WriterCommitMessage[] {message}))
        .hasMessageContaining("Statistics.db");
    job.abort(new WriterCommitMessage[] {message});
    assertThat(rows()).containsExactly("old");
    assertThat(names()).noneMatch(name -> name.contains("_txn_") || name.contains("attempts"));
  }
}
