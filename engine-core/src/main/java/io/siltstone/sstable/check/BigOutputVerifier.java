package io.siltstone.sstable.check;

import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.WritableFile;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.FormatVersion;
import java.io.IOException;
import java.util.function.Function;

/**
 * Verifies an SSTable of the BIG format: {@code Index.db} is parsed while it is written, and {@code
 * Summary.db} is read back.
 */
public final class BigOutputVerifier extends OutputVerifier {
  private final String indexPath;
  private final int summaryInterval;
  private final IndexFileParser index;

  /**
   * Creates the verifier of one SSTable.
   *
   * @param dataPath of the data file, for messages
   * @param indexPath of the index file, for messages
   * @param summaryInterval number of keys from one sample of the summary to the next
   */
  public BigOutputVerifier(
      String dataPath,
      String indexPath,
      SerializationHeader header,
      FormatVersion version,
      int summaryInterval) {
    super(dataPath, header, version, new BigIndexContent());
    this.indexPath = indexPath;
    this.summaryInterval = summaryInterval;
    this.index = new IndexFileParser(indexPath, header, version, summaryInterval);
  }

  /** Wraps the file so that its bytes are parsed before they are written. */
  @Override
  public WritableFile index(WritableFile file) {
    return new ObservedFile(file, index);
  }

  /** Compares data and index with each other and with the writer's input. */
  @Override
  public void finish(Given given) throws IOException {
    super.finish(given);
    index.finish();
    expectSame(indexPath, index.hash(), index.entries());
  }

  /** Verifies the file of the index summary, and that the filter has the summary's keys. */
  @Override
  public void index(Directory directory, Function<Component, String> names, BloomFilter filter)
      throws IOException {
    try (SummaryCheck check = new SummaryCheck(directory, names.apply(Component.SUMMARY))) {
      check.run(
          index,
          figures(),
          summaryInterval,
          (first, second) -> expectInFilter(filter, first, second));
    }
  }
}
