package io.siltstone.sstable.check;

import io.siltstone.chunk.DataObserver;
import io.siltstone.cursor.DeletionTime;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.OutputVerificationException;
import io.siltstone.io.WritableFile;
import io.siltstone.partitioner.PartitionKey;
import io.siltstone.sstable.filter.BloomFilter;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.Statistics;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.util.function.Function;

/**
 * Verifies that an SSTable which is being written can be read: parses its data while it is written,
 * by independent code, and compares data, index, filter and statistics with each other and with the
 * input of the writer. Subclasses check the index of their format.
 *
 * <p>A difference is thrown as {@link OutputVerificationException}, which names the file and the
 * position. Values, and their order within a collection, are not checked here; {@code
 * SSTableVerifier} reads them.
 *
 * <p>The parsers are called by the threads that store the files; all else by the writer's thread.
 */
public abstract sealed class OutputVerifier permits BigOutputVerifier, TrieOutputVerifier {
  private final FormatVersion version;
  private final BlockStarts blockStarts = new BlockStarts();
  private final DataFileParser data;

  /** The content that the index must have, by the data. */
  final IndexContent content;

  private long keysHash;
  private long deletionsHash;

  /**
   * Counts of the writer's input.
   *
   * @param rows number, including static rows that are not empty
   */
  public record Given(long partitions, long rows, long markers, long cells) {}

  OutputVerifier(
      String dataPath, SerializationHeader header, FormatVersion version, IndexContent content) {
    this.version = version;
    this.content = content;
    this.data = new DataFileParser(dataPath, header, version, blockStarts, content);
  }

  /** Returns the observer that parses the uncompressed bytes of the data file. */
  public DataObserver data() {
    return data::accept;
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

  /**
   * Wraps a file of the index that is about to be written; closes it.
   *
   * @return the file in which the content is written and, if it can be, parsed
   */
  public abstract WritableFile index(WritableFile file);

  /**
   * Verifies the files of the index, after {@link #finish}, and that the filter has keys of it.
   *
   * @param names returns the names of components
   */
  public abstract void index(
      Directory directory, Function<Component, String> names, BloomFilter filter)
      throws IOException;

  /** Compares the data with the writer's input, after data and index were written. */
  public void finish(Given given) throws IOException {
    data.finish();
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
  }

  /** Returns what was found in the data file, complete after {@link #finish}. */
  final DataFigures figures() {
    return data.figures();
  }

  /**
   * Checks that the index has what the data has.
   *
   * @param hash of the content of the index
   * @param entries number of its entries
   */
  final void expectSame(String indexPath, IndexHash hash, long entries)
      throws OutputVerificationException {
    long difference = content.hash.firstDifference(hash);
    if (difference >= 0) {
      throw new OutputVerificationException(
          indexPath,
          OutputVerificationException.WHOLE_FILE,
          CountText.of(entries, "entry", "entries")
              + ", of which one from "
              + difference
              + " to "
              + (difference + IndexHash.STEP - 1)
              + " has another key, position or index block than the data",
          "the keys, positions and blocks of the data's "
              + CountText.of(figures().partitions, "partition"));
    }
  }

  /** Checks that the bloom filter has a key of the index. */
  final void expectInFilter(BloomFilter filter, long first, long second)
      throws OutputVerificationException {
    if (!filter.mightContain(first, second)) {
      throw data.wrong(
          OutputVerificationException.WHOLE_FILE,
          "a key of hash " + second + " that the bloom filter lacks",
          "a filter with all keys");
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

  /** Verifies the file of the statistics, after it was written. */
  public void statistics(Directory directory, String name) throws IOException {
    Statistics read = Statistics.read(directory, name, version);
    new StatisticsFileCheck(directory.path() + "/" + name, read, version).run(data.figures());
  }
}
