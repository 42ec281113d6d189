package io.siltstone.sstable.bti;

import io.siltstone.cursor.RowEncoding;
import io.siltstone.io.Directory;
import io.siltstone.io.NioDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.data.FileReads;
import io.siltstone.sstable.format.Component;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes an index of many partitions and one of a partition of as many rows, and reads both. The
 * arguments are the directory, the number, and the seed of what is looked up.
 */
final class TrieProcess {
  static final String DONE = "done";

  private static final int SEARCHES = 20_000;
  private static final Component COMPONENT = Component.PRIMARY_INDEX;

  private TrieProcess() {}

  public static void main(String[] arguments) throws IOException {
    Directory directory = NioDirectory.open(Path.of(arguments[0]));
    long count = Long.parseLong(arguments[1]);
    Random random = new Random(Long.parseLong(arguments[2]));
    BtiFiles files = new BtiFiles(directory);
    files.writePartitions(count);
    try (ReadableFile file = directory.open(BtiFiles.PARTITIONS, ReadIntent.INDEX)) {
      readPartitions(file, files, count, random);
    }
    long entry = files.writeRows(count);
    try (ReadableFile file = directory.open(BtiFiles.ROWS, ReadIntent.INDEX)) {
      readRows(file, entry, count, random);
    }
    System.out.println(DONE);
  }

  private static void readPartitions(ReadableFile file, BtiFiles files, long count, Random random)
      throws IOException {
    PartitionTrie index = PartitionTrie.open(file, COMPONENT, BtiFiles.PARTITIONER);
    require(index.count() == count, "count", index.count());
    PartitionTrieCursor cursor = new PartitionTrieCursor(index);
    for (int i = 0; i < SEARCHES; i++) {
      long number = random.nextLong(count);
      PartitionKey key = files.key(number, count);
      require(cursor.find(key, key.longHash()), "find", number);
      require(cursor.position() == BtiFiles.dataPosition(number), "position", number);
      require(cursor.seekFloor(key) && cursor.mayBeGreater(), "floor", number);
      require(cursor.previous() == number > 0, "previous", number);
    }
    require(cursor.toFirst(), "first", 0);
    for (long i = 0; i < count; i++) {
      require(cursor.position() == BtiFiles.dataPosition(i), "walk", i);
      require(cursor.next() == (i + 1 < count), "next", i);
    }
  }

  private static void readRows(ReadableFile file, long entry, long count, Random random)
      throws IOException {
    RowEncoding encoding = BtiFiles.encoding();
    RowTrieCursor cursor =
        new RowTrieCursor(
            file,
            COMPONENT,
            new ComparableClusterings(BtiFiles.clusteringTypes()),
            new FileReads());
    cursor.open(entry);
    require(cursor.count() == count, "blocks", cursor.count());
    for (int i = 0; i < SEARCHES; i++) {
      long number = random.nextLong(count);
      cursor.seek(BtiFiles.clustering(encoding, BtiFiles.kind(number), number));
      require(cursor.offset() == BtiFiles.offset(number), "row", number);
    }
    cursor.toFirst();
    for (long i = 0; i < count; i++) {
      require(cursor.offset() == BtiFiles.offset(i), "block", i);
      boolean open = cursor.openTimestamp() == BtiFiles.OPEN_TIMESTAMP;
      require(open == (i % 3 == 2), "open", i);
      require(cursor.next(), "next block", i);
    }
    require(cursor.offset() == BtiFiles.offset(count), "end", count);
    for (long i = count - 1; i >= 0; i--) {
      require(cursor.previous() && cursor.offset() == BtiFiles.offset(i), "block before", i);
    }
    require(!cursor.previous(), "before all", 0);
  }

  private static void require(boolean holds, String what, long number) {
    if (!holds) {
      throw new IllegalStateException(what + " " + number);
    }
  }
}
