package io.siltstone.table.read;

import io.siltstone.memtable.Memtable;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.partitioner.PartitionRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Samples the keys of a memtable: about one in 256. */
final class MemtableSamples {
  /** Not greater than any key. */
  static final PartitionKey LEAST = PartitionKey.of(new byte[0], Long.MIN_VALUE);

  private MemtableSamples() {}

  /** Returns the sampled keys of a range, in order. */
  static List<PartitionKey> of(Memtable memtable, PartitionRange range) {
    PartitionKey from = range.from();
    List<PartitionKey> samples = new ArrayList<>();
    PartitionKey sample = memtable.sampleBefore(range.to() == null ? afterAll() : range.to());
    while (sample != null && (from == null || sample.compareTo(from) >= 0)) {
      samples.add(sample);
      sample = memtable.sampleBefore(sample);
    }
    Collections.reverse(samples);
    return samples;
  }

  private static PartitionKey afterAll() {
    byte[] bytes = new byte[PartitionKey.MAX_LENGTH + 1];
    Arrays.fill(bytes, (byte) 0xff);
    return PartitionKey.of(bytes, Long.MAX_VALUE);
  }
}
