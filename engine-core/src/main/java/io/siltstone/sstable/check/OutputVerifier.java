package io.siltstone.sstable.check;

import io.siltstone.chunk.DataObserver;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.text.CountText;
import java.io.IOException;

/**
 * Verifies that an SSTable which is being written can be read: parses its data and its index while
 * they are written, by independent code, and compares data, index, summary, filter and statistics
 * with each other and with the input of the writer.
 *
 * <p>A difference is thrown as {@link OutputVerificationException}, which names the file and the
 * position. Values, and their order within a collection, are not checked here; {@code
 * SSTableVerifier} reads them.
 *
 * <p>The parsers are called by the threads that store the files; all else by the writer's thread.
 */
public final class OutputVerifier {
  private final String indexPath;
  private final FormatVersion version;
  private final int summaryInterval;
  private final BlockStarts blockStarts = new BlockStarts();
  private final DataFileParser data;
  private final IndexFileParser index;
  private long keysHash;
  private long deletionsHash;

  /**
   * Counts of the writer's input.
   *
   * @param rows number, including static rows that are not empty
   */
  public record Given(long partitions, long rows, long markers, long cells) {}

  /**
   * Creates the verifier of one SSTable.
   *
   * @param dataPath of the data file, for messages
   * @param indexPath of the index file, for messages
   * @param summaryInterval number of keys from one sample of the summary to the next
   */
  public OutputVerifier(
      String dataPath,
      String indexPath,
      SerializationHeader header,
      FormatVersion version,
      int summaryInterval) {
    this.indexPath = indexPath;
    this.version = version;
    this.summaryInterval = summaryInterval;
    this.data = new DataFileParser(dataPath, header, version, blockStarts);
    this.index = new IndexFileParser(indexPath, header, version, summaryInterval);
  }

  /** Returns the observer that parses the uncompressed bytes of the data file. */
  public DataObserver data() {
    return data::accept;
  }

  /** Wraps an index file so that its bytes are parsed before they are written; closes it. */
  public WritableFile index(WritableFile file) {
    return new ObservedFile(file, index);
  }

  /**
   * Records key and deletion of the partition that begins, as the writer was given them. The writer
   * has checked that the key follows the one before.
   */
  public void startPartition(PartitionKey key, long timestamp, long localDeletionTime) {
    long hash = RunningHash.mixed(0, key.bytes(), key.offset(), key.offset() + key.length());
    keysHash = RunningHash.mixed(keysHash, hash);
    if (!DeletionTime.isLive(timestamp)) {
      deletionsHash += RunningHash.ofDeletion(timestamp, localDeletionTime);
    }
  }

  /**
   * Records that the index begins another block of the current partition; called before the row or
   * marker, or the end mark, at its beginning is written.
   *
   * @param position of the block in the uncompressed data file
   */
  public void startBlock(long position) {
    blockStarts.add(position);
  }

  /** Compares data and index with the writer's input, after both were written. */
  public void finish(Given given) throws IOException {
    data.finish();
    index.finish();
    DataFigures found = data.figures();
    expect("partitions", found.partitions, given.partitions);
    expect("rows", found.rows, given.rows);
    expect("markers", found.markers, given.markers);
    expect("cells", found.cells, given.cells);
    expect("as the hash of the keys in their order", found.keysHash, keysHash);
    expect(
        "as the sum of the hashes of the partitions' deletions",
        found.deletionsHash,
        deletionsHash);
    data.noteLastKey();
    long difference = found.indexHash.firstDifference(index.hash());
    if (difference >= 0) {
      throw new OutputVerificationException(
          indexPath,
          OutputVerificationException.WHOLE_FILE,
          CountText.of(index.entries(), "entry", "entries")
              + ", of which one from "
              + difference
              + " to "
              + (difference + IndexHash.STEP - 1)
              + " has another key, position or index block than the data",
          "the keys, positions and blocks of the data's "
              + CountText.of(found.partitions, "partition"));
    }
  }

  private void expect(String what, long found, long expected) throws OutputVerificationException {
    if (found != expected) {
      throw data.wrong(
          OutputVerificationException.WHOLE_FILE, found + " " + what, String.valueOf(expected));
    }
  }

  /**
   * Verifies the file of the bloom filter, after it was written.
   *
   * @param filter whose content was written
   */
  public void filter(Directory directory, String name, BloomFilter filter) throws IOException {
    FilterCheck.run(directory, name, filter, data.figures().partitions);
  }

  /**
   * Verifies the file of the index summary, after it was written, and that the filter has the
   * summary's keys.
   */
  public void summary(Directory directory, String name, BloomFilter filter) throws IOException {
    try (SummaryCheck check = new SummaryCheck(directory, name)) {
      check.run(
          index,
          data.figures(),
          summaryInterval,
          (first, second) -> {
            if (!filter.mightContain(first, second)) {
              throw data.wrong(
                  OutputVerificationException.WHOLE_FILE,
                  "a key of hash " + second + " that the bloom filter lacks",
                  "a filter with all keys");
            }
          });
    }
  }

  /** Verifies the file of the statistics, after it was written. */
  public void statistics(Directory directory, String name) throws IOException {
    Statistics read = Statistics.read(directory, name, version);
    new StatisticsFileCheck(directory.path() + "/" + name, read, version).run(data.figures());
  }
}
