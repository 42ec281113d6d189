package io.siltstone.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.siltstone.cursor.RowEncoding;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.TableSchema;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Changes written directly are those of the builder, and cost no objects. */
class UpdateWriterTest {
  private static final byte[] KEY = "xkeyx".getBytes(StandardCharsets.UTF_8);
  private static final byte[] VALUE = new byte[900];
  private static final int WARM_UP = 1_000;
  private static final int ROUNDS = 10_000;

  private final TestTable table =
      TestTable.of("CREATE TABLE ks.t (k text, c int, v blob, PRIMARY KEY (k, c))");
  private final TableSchema schema = table.factory().schema();
  private final RowEncoding encoding = table.factory().encoding();
  private final UpdateWriter writer = new UpdateWriter(encoding, Partitioner.MURMUR3);

  private void write() {
    writer.begin(KEY, 1, 3);
    writer.times(77, 5, TestTable.NOW);
    writer.beginRow();
    writer.clusteringValue(new byte[] {0, 0, 0, 1}, 0, 4);
    writer.liveness();
    writer.value(0, VALUE, 10, 800);
    writer.endRow();
    writer.beginRow();
    writer.clusteringValue(new byte[] {0, 0, 0, 2}, 0, 4);
    writer.deleteValue(0);
    writer.endRow();
    writer.beginRow();
    writer.clusteringValue(new byte[] {0, 0, 0, 3}, 0, 4);
    writer.deleteRow();
    writer.endRow();
    writer.times(11, 0, TestTable.NOW);
    writer.deletePartition();
  }

  @Test
  void itWritesWhatTheBuilderDoes() {
    write();
    Mutation direct = new Mutation(schema, writer.update(), 0);
    Mutation built =
        table
            .mutation("key")
            .timestamp(77)
            .ttl(5)
            .insert(1)
            .set("v", new byte[800])
            .update(2)
            .delete("v")
            .deleteRow(3)
            .timestamp(11)
            .deletePartition()
            .build();
    assertThat(TestTable.lines(direct)).isEqualTo(TestTable.lines(built));
    assertThat(direct.key()).isEqualTo(built.key());
  }

  @Test
  void aDeletionThatTheFormatVersionCannotHoldIsRefused() {
    RowEncoding signed =
        TestTable.signed("CREATE TABLE ks.t (k text PRIMARY KEY, v blob)").factory().encoding();
    UpdateWriter old = new UpdateWriter(signed, Partitioner.MURMUR3);
    old.begin(KEY, 0, 3);
    old.times(77, 0, signed.latestDeletionTime());
    old.deletePartition();
    old.times(77, 0, signed.latestDeletionTime() + 1);
    assertThatThrownBy(old::deletePartition)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Long.toString(signed.latestDeletionTime()));
  }

  @Test
  void nothingIsAllocatedOnceItsArraysHaveGrown() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] clustering = {0, 0, 0, 1};
    for (int i = 0; i < WARM_UP; i++) {
      writeOne(clustering);
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < ROUNDS; i++) {
      writeOne(clustering);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).as("bytes allocated by %s updates", ROUNDS).isLessThan(ROUNDS);
  }

  private void writeOne(byte[] clustering) {
    writer.begin(KEY, 0, KEY.length);
    writer.times(77, 5, TestTable.NOW);
    writer.beginRow();
    writer.clusteringValue(clustering, 0, clustering.length);
    writer.liveness();
    writer.value(0, VALUE, 0, VALUE.length);
    writer.endRow();
  }

  @Test
  void keysAndTimesOutOfRangeAreRefused() {
    assertThatThrownBy(() -> writer.begin(KEY, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 bytes");
    assertThatThrownBy(() -> writer.begin(new byte[65536], 0, 65536))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("65536 bytes");
    assertThatThrownBy(() -> writer.times(1, -1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> writer.times(Long.MIN_VALUE, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofManyMutationsEachHasItsOwnBytes() {
    byte[][] values = new byte[40][];
    Mutation[] mutations = new Mutation[values.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = new byte[i * 5000];
      Arrays.fill(values[i], (byte) i);
      mutations[i] = table.mutation("key" + i).update(i).set("v", values[i]).build();
    }
    for (int i = 0; i < values.length; i++) {
      String expected = "%02x".formatted(i).repeat(values[i].length);
      assertThat(TestTable.lines(mutations[i]).get(1)).contains("cell =" + expected + "@");
    }
  }
}
