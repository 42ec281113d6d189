package io.siltstone.sstable.check;

import io.siltstone.bytes.Murmur3Hash;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.partitioner.Partitioner;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.function.Function;

/**
 * Verifies an SSTable of the BTI format: {@code Partitions.db} and {@code Rows.db} are read back
 * after they were written, as the nodes of a trie are written before those that lead to them.
 */
public final class TrieOutputVerifier extends OutputVerifier {

  /**
   * Creates the verifier of one SSTable.
   *
   * @param dataPath of the data file, for messages
   */
  public TrieOutputVerifier(
      String dataPath, SerializationHeader header, FormatVersion version, Partitioner partitioner) {
    super(dataPath, header, version, new TrieIndexContent(partitioner, header.clusteringTypes()));
  }

  /** Returns the file: what is written can be parsed only as a whole. */
  @Override
  public WritableFile index(WritableFile file) {
    return file;
  }

  /** Verifies both files, and that the filter has the first and the last key. */
  @Override
  public void index(Directory directory, Function<Component, String> names, BloomFilter filter)
      throws IOException {
    DataFigures data = figures();
    String partitions = names.apply(Component.PARTITIONS);
    try (TrieIndexCheck check =
        new TrieIndexCheck(directory, partitions, names.apply(Component.ROWS))) {
      expectSame(
          directory.path() + "/" + partitions,
          check.run(data.partitions, data.firstKey, data.lastKey),
          data.partitions);
    }
    long[] hash = new long[2];
    for (byte[] key : new byte[][] {data.firstKey, data.lastKey}) {
      Murmur3Hash.hash(key, 0, key.length, hash);
      expectInFilter(filter, hash[0], hash[1]);
    }
  }
}
