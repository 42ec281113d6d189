package io.siltstone.sstable;

import static io.siltstone.sstable.SimpleTable.key;

import io.siltstone.cursor.Clustering;
import io.siltstone.cursor.ClusteringKind;
import io.siltstone.cursor.EncodingStats;
import io.siltstone.cursor.HeaderColumn;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.sstable.TableModel.Column;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.sstable.format.Descriptor;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.testkit.LeakChecking;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables with numbers of columns around every threshold of the encoding: of the vints and bitmaps
 * that say which columns a row has, and of the writer's own arrays.
 */
class ColumnCountsTest {
  private static final Descriptor DESCRIPTOR = Descriptor.of(FormatVersion.OA, 1);

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final MemoryBudget memory = leaks.memory();
  private final MemoryDirectory disk = new MemoryDirectory();

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 2, 7, 8, 62, 63, 64, 65, 66, 100, 101, 102, 103, 127, 128, 129, 130, 204, 205, 255, 256,
        257, 511, 512, 513, 1023, 1024, 1025, 5000
      })
  void rowsWithNoneSomeAndAllOfTheStaticAndRegularColumnsReadBack(int count) throws IOException {
    SerializationHeader header =
        new SerializationHeader(
            CqlTypes.BLOB,
            List.of(CqlTypes.INT),
            columns("s", count),
            columns("v", count),
            EncodingStats.NONE);
    SimpleTable table = new SimpleTable(FormatVersion.OA, header);
    int partition = 0;
    // A partition whose static row is missing comes before the writer has met any large row.
    table.partition(key((byte) partition++), row(table, 1, 0, count));
    for (int present : List.of(0, 1, count / 2 - 1, count / 2, count / 2 + 1, count - 1, count)) {
      if (present >= 0 && present <= count) {
        table.partitionWithStatic(
            key((byte) partition++),
            present == 0 ? null : SimpleTable.staticRow(present(present, count)),
            row(table, 1, 0, count),
            row(table, 2, present, count));
      }
    }
    SSTableWriterOptions options = SSTableWriterOptions.builder().expectedPartitions(10).build();
    ModelTables.write(table.model(), disk, DESCRIPTOR, options, memory);
    ModelTables.assertHolds(table.model(), disk, DESCRIPTOR, memory);
  }

  private static List<HeaderColumn> columns(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new HeaderColumn(String.format("%s%06d", prefix, i), CqlTypes.INT))
        .toList();
  }

  private static Row row(SimpleTable table, int clustering, int present, int count) {
    Clustering place = table.at(ClusteringKind.CLUSTERING, clustering);
    return SimpleTable.row(place, present(present, count));
  }

  /** So many of the columns, spread over all of them. */
  private static Column[] present(int present, int count) {
    return IntStream.range(0, present)
        .mapToObj(
            i ->
                SimpleTable.column(
                    (int) ((long) i * count / present), SimpleTable.live(SimpleTable.intBytes(i))))
        .toArray(Column[]::new);
  }
}
