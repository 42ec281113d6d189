package io.siltstone.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.cache.ChunkCache;
import io.siltstone.cache.KeyCache;
import io.siltstone.cache.ReadCaches;
import io.siltstone.cursor.PartitionCursor;
import io.siltstone.cursor.Read;
import io.siltstone.cursor.Slice;
import io.siltstone.io.MemoryDirectory;
import io.siltstone.memory.MemoryKind;
import io.siltstone.memory.OutOfBudgetException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.OffHeapBuffer;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.schema.SchemaParser;
import io.siltstone.testkit.ForwardingMemory;
import io.siltstone.testkit.LeakChecking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads that are refused memory at any one place: they say so, hold nothing afterwards, and the
 * next one shows what there is.
 */
class ReadsWithoutMemoryTest {
  private static final String CQL =
      "CREATE TABLE ks.t (k int, c int, v blob, PRIMARY KEY (k, c))"
          + " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': 4}";
  private static final long NOW = TestedTable.NOW;

  @RegisterExtension final LeakChecking leaks = new LeakChecking();
  private final ScarceMemory memory = new ScarceMemory(leaks.memory());
  private @Nullable ChunkCache chunks;
  private @Nullable TestedTable opened;

  /** Refuses one allocation for a reader. */
  private static final class ScarceMemory extends ForwardingMemory {
    private long calls;
    private long refused;

    ScarceMemory(MemoryBudget inner) {
      super(inner);
    }

    /** Counts from 1 on, and refuses the call of that number; none with 0. */
    void refuse(long call) {
      calls = 0;
      refused = call;
    }

    private void look(MemoryKind kind) {
      if (kind != MemoryKind.MEMTABLE && ++calls == refused) {
        throw new OutOfBudgetException("no memory for " + kind);
      }
    }

    @Override
    public OffHeapBuffer allocate(MemoryKind kind, int bytes) {
      look(kind);
      return super.allocate(kind, bytes);
    }

    @Override
    public OffHeapBuffer allocateAligned(MemoryKind kind, int bytes, int alignment) {
      look(kind);
      return super.allocateAligned(kind, bytes, alignment);
    }
  }

  /** Three overlapping SSTables, and a memtable: more than is read through the caches. */
  private TestedTable open(boolean cached) throws IOException {
    ChunkCache cache =
        cached ? ChunkCache.withCapacity(64 << 10, leaks.memory()) : ChunkCache.off();
    chunks = cache;
    TestedTable table =
        new TestedTable(
            SchemaParser.parse(CQL).onlyTable(),
            Partitioner.MURMUR3,
            leaks.watch(new MemoryDirectory()),
            new ReadCaches(cache, KeyCache.off()),
            memory);
    opened = table;
    Random random = new Random(17);
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 600; i++) {
        byte[] value = new byte[300 + random.nextInt(400)];
        random.nextBytes(value);
        int k = i < 300 ? 0 : i;
        if (random.nextInt(3) > 0) {
          table.write(table.mutation(k).timestamp(round).insert(i).set("v", value).build());
        }
      }
      if (round < 3) {
        table.flush();
      }
    }
    return table;
  }

  @AfterEach
  void close() throws IOException {
    memory.refuse(0);
    if (opened != null) {
      opened.close();
    }
    if (chunks != null) {
      chunks.close();
    }
  }

  /** A read, and all that it shows. */
  @FunctionalInterface
  private interface Reading {
    List<String> run() throws IOException;
  }

  private static List<String> snapshot(TestedTable table, Read read) throws IOException {
    try (TableSnapshot snapshot = table.sources().snapshot();
        PartitionCursor cursor = snapshot.open(read)) {
      return LiveLines.of(cursor, NOW);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadThatIsRefusedMemoryHoldsNone(boolean cached) throws IOException {
    TestedTable table = open(cached);
    byte[] zero = new byte[Integer.BYTES];
    PartitionKey wide = PartitionKey.of(zero, Partitioner.MURMUR3.token(zero, 0, zero.length));
    List<Slice> all = List.of(Slice.all(table.encoding()));
    List<Reading> readings = new ArrayList<>();
    for (boolean reversed : new boolean[] {false, true}) {
      Read.OfPartition read = new Read.OfPartition(wide, all, reversed);
      readings.add(() -> table.read(read, NOW));
      readings.add(() -> snapshot(table, read));
    }
    readings.add(() -> snapshot(table, new Read.OfRange(PartitionRange.ALL)));
    readings.add(() -> snapshot(table, new Read.OfRange(PartitionRange.ALL, true)));
    for (int i = 0; i < readings.size(); i++) {
      Reading reading = readings.get(i);
      memory.refuse(0);
      List<String> expected = reading.run();
      assertThat(expected).hasSizeGreaterThan(200);
      boolean wasRefused = true;
      long call = 0;
      while (wasRefused) {
        call++;
        table.restReaders();
        memory.refuse(call);
        long used = memory.used();
        wasRefused = isRefused(reading, expected, "reading " + i + ", call " + call);
        memory.refuse(0);
        table.restReaders();
        assertThat(memory.used()).as("reading %s, call %s", i, call).isLessThanOrEqualTo(used);
        assertThat(reading.run()).as("reading %s, call %s", i, call).isEqualTo(expected);
      }
      assertThat(call).as("reading %s", i).isGreaterThan(3);
    }
  }

  private boolean isRefused(Reading reading, List<String> expected, String what)
      throws IOException {
    try {
      assertThat(reading.run()).as(what).isEqualTo(expected);
      return memory.calls >= memory.refused;
    } catch (OutOfBudgetException e) {
      return true;
    }
  }
}
