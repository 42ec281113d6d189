package io.siltstone.sstable.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.io.MemoryDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.offheap.PooledMemory;
import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatheredBitsTest {
  private static final int NEVER_SMALL = 0;

  private final PooledMemory memory = PooledMemory.withLimit(64 << 20);

  @AfterEach
  void allMemoryIsGivenBack() {
    memory.close();
  }

  /** Whatever the size of the filter, and wherever its regions and pieces of memory end. */
  @Test
  void filterIsTheSameAsWithoutGathering() throws IOException {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      int keys = 1 + random.nextInt(1 << random.nextInt(1, 18));
      int added = random.nextInt(2 * keys);
      // Of 8 KiB, so that there are several, or of 1 GiB.
      int segmentShift = random.nextBoolean() ? 13 : 30;
      try (BloomFilter plain = BloomFilter.create(keys, 0.01, memory);
          BloomFilter filled = BloomFilter.create(keys, 0.01, memory, segmentShift);
          GatheredBits gathered = GatheredBits.of(filled, memory, NEVER_SMALL)) {
        add(plain, filled, gathered, added, random);
        gathered.finish();
        assertThat(content(filled))
            .as("seed %d, round %d: %d of %d keys", seed, round, added, keys)
            .isEqualTo(content(plain));
      }
    }
  }

  /** What is gathered after a finish comes with the next one. */
  @Test
  void mayGoOnBehindFinish() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (BloomFilter plain = BloomFilter.create(50_000, 0.01, memory);
        BloomFilter filled = BloomFilter.create(50_000, 0.01, memory);
        GatheredBits gathered = GatheredBits.of(filled, memory, NEVER_SMALL)) {
      add(plain, filled, gathered, 20_000, random);
      gathered.finish();
      add(plain, filled, gathered, 20_000, random);
      assertThat(content(filled)).isNotEqualTo(content(plain));
      gathered.finish();
      assertThat(content(filled)).isEqualTo(content(plain));
    }
  }

  @Test
  void takesAQuarterOfTheFilterAndGivesItBack() {
    try (BloomFilter filter = BloomFilter.create(4_000_000, 0.01, memory)) {
      long before = memory.used();
      GatheredBits gathered = GatheredBits.of(filter, memory);
      assertThat(memory.used() - before)
          .isBetween(filter.memoryBytes() / 5, filter.memoryBytes() / 4 + 4096);
      gathered.close();
      gathered.close();
      assertThat(memory.used()).isEqualTo(before);
    }
  }

  @Test
  void smallFiltersNeedNoMemory() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (BloomFilter plain = BloomFilter.create(10_000, 0.01, memory);
        BloomFilter filled = BloomFilter.create(10_000, 0.01, memory)) {
      long before = memory.used();
      try (GatheredBits gathered = GatheredBits.of(filled, memory)) {
        assertThat(memory.used()).isEqualTo(before);
        add(plain, filled, gathered, 10_000, random);
        assertThat(content(filled)).isEqualTo(content(plain));
        gathered.finish();
      }
      assertThat(content(filled)).isEqualTo(content(plain));
    }
  }

  /** Filters, and limits of which each leaves room for them, just about or more. */
  @Test
  void takesNoMoreThanAnEighthOfWhatIsLeft() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    int gathering = 0;
    for (int spare = 1; spare < 64 << 20; spare *= 3) {
      try (BloomFilter plain = BloomFilter.create(1_000_000, 0.01, memory);
          PooledMemory little = PooledMemory.withLimit(plain.memoryBytes() + spare);
          BloomFilter filled = BloomFilter.create(1_000_000, 0.01, little)) {
        long left = little.limit() - little.used();
        try (GatheredBits gathered = GatheredBits.of(filled, little)) {
          long taken = little.used() - filled.memoryBytes();
          assertThat(taken).as("of %d", left).isBetween(0L, left / 8);
          gathering += taken > 0 ? 1 : 0;
          add(plain, filled, gathered, 30_000, random);
          gathered.finish();
        }
        assertThat(content(filled)).as("of %d", left).isEqualTo(content(plain));
      }
    }
    assertThat(gathering).isBetween(2, 12);
  }

  @Test
  void budgetThatHasNoRoomMeansNoGathering() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    try (BloomFilter plain = BloomFilter.create(2_000_000, 0.01, memory);
        PooledMemory little = PooledMemory.withLimit(2_520_000);
        BloomFilter filled = BloomFilter.create(2_000_000, 0.01, little)) {
      long before = little.used();
      try (GatheredBits gathered = GatheredBits.of(filled, little)) {
        assertThat(little.used()).isEqualTo(before);
        add(plain, filled, gathered, 100_000, random);
        gathered.finish();
      }
      assertThat(content(filled)).isEqualTo(content(plain));
    }
  }

  @Test
  void filterThatLetsAllThroughStaysSo() {
    try (BloomFilter filter = BloomFilter.alwaysPresent();
        GatheredBits gathered = GatheredBits.of(filter, memory, NEVER_SMALL)) {
      gathered.add(new long[0], 0);
      gathered.finish();
      assertThat(filter.isAlwaysPresent()).isTrue();
      assertThat(memory.used()).isZero();
    }
  }

  private static void add(
      BloomFilter plain,
      BloomFilter filled,
      GatheredBits gathered,
      int count,
      SplittableRandom random) {
    int batch = 37;
    long[] bits = new long[batch * filled.bitsPerKey()];
    for (int left = count; left > 0; left -= batch) {
      int size = Math.min(batch, left);
      for (int i = 0; i < size; i++) {
        long h1 = random.nextLong();
        long h2 = random.nextLong();
        plain.add(h1, h2);
        filled.bitsOf(h1, h2, bits, i * filled.bitsPerKey());
      }
      gathered.add(bits, size * filled.bitsPerKey());
    }
  }

  private static byte[] content(BloomFilter filter) throws IOException {
    MemoryDirectory directory = new MemoryDirectory();
    try (WritableFile file = directory.create("filter", WriteIntent.OTHER)) {
      filter.write(file);
    }
    try (ReadableFile file = directory.open("filter", ReadIntent.SCAN)) {
      byte[] bytes = new byte[(int) file.length()];
      assertThat(file.read(0, bytes, 0, bytes.length)).isEqualTo(bytes.length);
      return bytes;
    }
  }
}
