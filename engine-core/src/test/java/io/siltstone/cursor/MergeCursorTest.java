package io.siltstone.cursor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.TableModel;
import io.siltstone.sstable.TableModel.Deletion;
import io.siltstone.sstable.TableModel.Item;
import io.siltstone.sstable.TableModel.Marker;
import io.siltstone.sstable.TableModel.Partition;
import io.siltstone.sstable.TableModel.Row;
import io.siltstone.type.CqlTypes;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergeCursorTest {
  private static final SerializationHeader HEADER =
      new SerializationHeader(
          CqlTypes.INT, List.of(CqlTypes.INT), List.of(), List.of(), EncodingStats.NONE);
  private static final RowEncoding ROWS = new RowEncoding(HEADER, true);
  private static final PartitionKey KEY = PartitionKey.of(new byte[] {0, 0, 0, 1}, 1);

  private static final Deletion OLDER = new Deletion(5, 1_700_000_001);
  private static final Deletion NEWER = new Deletion(5, 1_700_000_002);

  @Test
  void rangesGoOnWhereSlicesOfSeveralSourcesMeet() throws IOException {
    for (List<Deletion> deletions :
        List.of(
            List.of(OLDER, NEWER),
            List.of(NEWER, OLDER),
            List.of(OLDER, NEWER, OLDER),
            List.of(OLDER, OLDER, NEWER, OLDER, OLDER))) {
      for (boolean reversed : new boolean[] {false, true}) {
        List<String> expected = new ArrayList<>();
        twoSlices(NEWER).forEach(item -> expected.add(item.text()));
        if (reversed) {
          Collections.reverse(expected);
        }
        assertThat(merged(deletions, reversed))
            .as("%s%s", deletions, reversed ? ", reversed" : "")
            .isEqualTo(expected);
      }
    }
  }

  /** What a source shows of a range over everything, read in the slices below and from 7 on. */
  private static List<Item> twoSlices(Deletion deletion) {
    return List.of(
        marker(ClusteringKind.INCL_START_BOUND, List.of(), deletion),
        marker(ClusteringKind.EXCL_END_BOUND, List.of(new byte[] {0, 0, 0, 7}), deletion),
        marker(ClusteringKind.INCL_START_BOUND, List.of(new byte[] {0, 0, 0, 7}), deletion),
        marker(ClusteringKind.INCL_END_BOUND, List.of(), deletion));
  }

  @Test
  void afterASourceHasFailedTheNextMergeIsAsGoodAsTheFirst() throws IOException {
    MergeCursor merge = new MergeCursor(new TableEncoding(ROWS, List.of()));
    try (merge) {
      PartitionCursor fails = failingAfterOne(new ModelCursor(oneRow(1), false));
      merge.begin(List.of(fails, new ModelCursor(oneRow(2), false)), false);
      assertThat(merge.nextPartition()).isTrue();
      assertThat(merge.nextUnfiltered()).isTrue();
      assertThatThrownBy(merge::nextUnfiltered).hasMessage("EIO");
    }
    try (merge) {
      merge.begin(
          List.of(new ModelCursor(oneRow(2), false), new ModelCursor(oneRow(1), false)), false);
      assertThat(merge.nextPartition()).isTrue();
      assertThat(merge.nextUnfiltered()).isTrue();
      assertThat(merge.unfiltered().livenessTimestamp()).isEqualTo(2);
      assertThat(merge.nextUnfiltered()).isFalse();
    }
  }

  @Test
  void aStepOverPartitionsOfWhichNothingIsLeftEndsOnceItIsToEnd() throws IOException {
    List<Partition> empty = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      PartitionKey key = PartitionKey.of(new byte[] {0, 0, 0, (byte) i}, i);
      empty.add(new Partition(key, Deletion.NONE, null, List.of()));
    }
    TableModel model = new TableModel(HEADER, Partitioner.MURMUR3, empty);
    CancelSignal cancelSignal = CancelSignal.of("it is closed");
    int[] steps = new int[1];
    PartitionCursor source =
        (PartitionCursor)
            Proxy.newProxyInstance(
                PartitionCursor.class.getClassLoader(),
                new Class<?>[] {PartitionCursor.class},
                beginningAtTheThirdPartition(new ModelCursor(model, false), steps, cancelSignal));
    MergeCursor merge = new MergeCursor(new TableEncoding(ROWS, List.of()));
    try (merge) {
      merge.begin(List.of(source), false, cancelSignal);
      assertThatThrownBy(merge::nextPartition)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("it is closed");
      assertThat(steps[0]).isEqualTo(3);
    }
    try (merge) {
      merge.begin(List.of(new ModelCursor(model, false)), false);
      assertThat(merge.nextPartition()).isFalse();
    }
  }

  private static InvocationHandler beginningAtTheThirdPartition(
      PartitionCursor of, int[] steps, CancelSignal cancelSignal) {
    return (proxy, method, arguments) -> {
      if (method.getName().equals("nextPartition") && ++steps[0] == 3) {
        cancelSignal.cancel();
      }
      return method.invoke(of, arguments);
    };
  }

  @Test
  void allSourcesAreClosedAlsoIfTheyFailWithTheSameError() throws IOException {
    // As the virtual machine does when the heap is full.
    Error full = new OutOfMemoryError("Java heap space");
    List<String> closed = new ArrayList<>();
    MergeCursor merge = new MergeCursor(new TableEncoding(ROWS, List.of()));
    List<PartitionCursor> sources = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sources.add(failingToClose(full, closed));
    }
    merge.begin(sources, false);
    assertThatThrownBy(merge::close).isSameAs(full).hasNoSuppressedExceptions();
    assertThat(closed).hasSize(3);
    // Nothing of them is left.
    merge.close();
    assertThat(closed).hasSize(3);
  }

  private static PartitionCursor failingToClose(Error failure, List<String> closed) {
    return (PartitionCursor)
        Proxy.newProxyInstance(
            PartitionCursor.class.getClassLoader(),
            new Class<?>[] {PartitionCursor.class},
            (proxy, method, arguments) -> {
              closed.add(method.getName());
              throw failure;
            });
  }

  @Test
  void aMergeThatIsClosedKeepsNothingOfItsSources() throws IOException {
    MergeCursor merge = new MergeCursor(new TableEncoding(ROWS, List.of()));
    List<WeakReference<Object>> gone = new ArrayList<>();
    // Encodings of which there are more than a merge needs.
    for (int i = 0; i < 50; i++) {
      List<ModelCursor> sources =
          List.of(new ModelCursor(oneRow(1), false), new ModelCursor(oneRow(2), false));
      merge.begin(sources, false);
      assertThat(merge.nextPartition()).isTrue();
      assertThat(merge.nextUnfiltered()).isTrue();
      merge.close();
      sources.forEach(source -> gone.add(new WeakReference<>(source)));
      sources.forEach(source -> gone.add(new WeakReference<>(source.unfiltered())));
    }
    assertThat(left(gone)).isZero();
    merge.close();
  }

  private static long left(List<WeakReference<Object>> references) {
    long left = references.size();
    for (int i = 0; i < 100 && left > 0; i++) {
      System.gc();
      left = references.stream().filter(each -> !each.refersTo(null)).count();
    }
    return left;
  }

  @Test
  void columnMapsOfFilesThatAreGoneAreForgotten() {
    ColumnMaps maps = new ColumnMaps(new TableEncoding(ROWS, List.of()));
    List<WeakReference<Object>> encodings = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      RowEncoding encoding = new RowEncoding(HEADER, true);
      maps.begin(2);
      maps.of(encoding);
      encodings.add(new WeakReference<>(encoding));
    }
    assertThat(left(encodings.subList(0, 900))).isZero();
    assertThat(maps.of(ROWS).isWhole()).isTrue();
  }

  private static TableModel oneRow(long timestamp) {
    Clustering clustering =
        Clustering.of(ClusteringKind.CLUSTERING, ROWS, List.of(new byte[] {0, 0, 0, 7}));
    Row row = new Row(clustering, timestamp, 0, 0, Deletion.NONE, List.of());
    Partition partition = new Partition(KEY, Deletion.NONE, null, List.of(row));
    return new TableModel(HEADER, Partitioner.MURMUR3, List.of(partition));
  }

  /** Shows the first row of another cursor, and cannot read on. */
  private static PartitionCursor failingAfterOne(PartitionCursor of) {
    return (PartitionCursor)
        Proxy.newProxyInstance(
            PartitionCursor.class.getClassLoader(),
            new Class<?>[] {PartitionCursor.class},
            new InvocationHandler() {
              private int rows;

              @Override
              public @Nullable Object invoke(Object proxy, Method method, Object[] arguments)
                  throws Throwable {
                if (method.getName().equals("nextUnfiltered") && rows++ > 0) {
                  throw new IOException("EIO");
                }
                return method.invoke(of, arguments);
              }
            });
  }

  private static Marker marker(ClusteringKind kind, List<byte[]> values, Deletion deletion) {
    return new Marker(Clustering.of(kind, ROWS, values), deletion, deletion);
  }

  private static List<String> merged(List<Deletion> deletions, boolean reversed)
      throws IOException {
    List<PartitionCursor> sources = new ArrayList<>();
    for (Deletion deletion : deletions) {
      Partition partition = new Partition(KEY, Deletion.NONE, null, twoSlices(deletion));
      TableModel table = new TableModel(HEADER, Partitioner.MURMUR3, List.of(partition));
      sources.add(new ModelCursor(table, reversed));
    }
    List<String> lines = new ArrayList<>();
    try (MergeCursor merge = new MergeCursor(new TableEncoding(ROWS, List.of()))) {
      merge.begin(sources, reversed);
      assertThat(merge.nextPartition()).isTrue();
      while (merge.nextUnfiltered()) {
        lines.add(TableModel.itemOf(merge.unfiltered()).text());
      }
    }
    return lines;
  }
}
