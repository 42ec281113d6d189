package io.siltstone.sstable.check;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.text.CountText;
import java.io.IOException;

/**
 * Parses {@code Index.db} while it is written: entries, positions of partitions, index blocks with
 * their first and last clusterings, offsets, widths and open range tombstones.
 *
 * <p>Hashes its content in the same way as {@link DataFileParser} hashes the data, so that the two
 * can be compared. Confined to one thread at a time. Source of the form: Cassandra {@code
 * RowIndexEntry}, {@code IndexInfo.Serializer}.
 */
final class IndexFileParser extends StreamParser {
  private static final int WIDTH_BASE = 64 * 1024;

  private enum State {
    ENTRY,
    BLOCK,
    OFFSET
  }

  private final boolean unsignedTimes;
  private final int clusteringColumns;
  private final int summaryInterval;
  private final Prefix first;
  private final Prefix last;

  private State state = State.ENTRY;
  private long entries;
  private final IndexHash hash = new IndexHash();
  private long samplesHash;
  private int keysToSample;

  // The index blocks of the current entry.
  private long bodyEnd;
  private long blocks;
  private long done;
  private long blocksPosition;
  private long blocksHash;
  private long startsHash;
  private long nextOffset;

  /**
   * Creates a parser.
   *
   * @param path of the file, for messages
   * @param summaryInterval number of keys from one sample of the summary to the next
   */
  IndexFileParser(
      String path, SerializationHeader header, FormatVersion version, int summaryInterval) {
    super(path);
    this.unsignedTimes = version.hasUnsignedDeletionTimes();
    this.clusteringColumns = header.clusteringTypes().size();
    this.summaryInterval = summaryInterval;
    this.first = new Prefix(header.clusteringTypes());
    this.last = new Prefix(header.clusteringTypes());
  }

  @Override
  void parse() throws IOException {
    boolean more = true;
    while (more && at < limit) {
      more =
          switch (state) {
            case ENTRY -> parseEntry();
            case BLOCK -> parseBlock();
            case OFFSET -> parseOffset();
          };
    }
  }

  @Override
  void parsedAll() throws IOException {
    if (state != State.ENTRY) {
      throw wrong(accepted(), "the end of the file within index blocks", "all of them");
    }
  }

  private boolean parseEntry() throws IOException {
    byte[] b = buf;
    int p = at;
    int length = BigEndian.getUnsignedShort(b, p);
    int keyAt = p + Short.BYTES;
    p = keyAt + length;
    if (p > limit) {
      return false;
    }
    long position = vint(b, p);
    p += vintLength(b, p);
    long size = vint(b, p);
    p += vintLength(b, p);
    long bodyAt = base + p;
    if (p > end) {
      return false;
    }
    long blocksOfEntry = 0;
    long headHash = 0;
    if (size != 0) {
      long headerLength = vint(b, p);
      p += vintLength(b, p);
      headHash = RunningHash.mixed(0, headerLength);
      nextOffset = headerLength;
      headHash = RunningHash.mixed(headHash, deletionHash(b, p));
      p += deletionLength(b, p);
      blocksOfEntry = vint(b, p);
      p += vintLength(b, p);
      if (p > end) {
        return false;
      }
      if (blocksOfEntry < 2) {
        throw wrong(base + at, "an entry with " + blocksOfEntry + " index blocks", "2 or more");
      }
    }
    if (keysToSample == 0) {
      samplesHash =
          RunningHash.mixed(samplesHash, RunningHash.mixed(base + at, b, keyAt, keyAt + length));
      keysToSample = summaryInterval;
    }
    keysToSample--;
    entries++;
    hash.partition(RunningHash.mixed(0, b, keyAt, keyAt + length), position);
    if (size != 0) {
      bodyEnd = bodyAt + size;
      blocks = blocksOfEntry;
      blocksHash = headHash;
      startsHash = 0;
      done = 0;
      blocksPosition = base + p;
      state = State.BLOCK;
    }
    at = p;
    return true;
  }

  private boolean parseBlock() throws IOException {
    byte[] b = buf;
    int p = parsePrefix(first, b, at);
    if (p < 0) {
      return false;
    }
    p = parsePrefix(last, b, p);
    if (p < 0 || p > limit) {
      return false;
    }
    long offset = vint(b, p);
    p += vintLength(b, p);
    long zigZag = vint(b, p);
    p += vintLength(b, p);
    long width = (zigZag >>> 1 ^ -(zigZag & 1)) + WIDTH_BASE;
    int open = b[p++];
    long openHash = 0;
    if (open != 0) {
      openHash = deletionHash(b, p);
      p += deletionLength(b, p);
    }
    if (p > end) {
      return false;
    }
    if (open != (open & 1)) {
      throw wrong(base + at, "flag " + open + " of an open range tombstone", "0 or 1");
    }
    if (offset != nextOffset || width <= 0) {
      throw wrong(
          base + at,
          "index block " + done + " of " + CountText.of(width, "byte") + " at " + offset,
          "one at " + nextOffset + ", where the one before ends");
    }
    nextOffset = offset + width;
    long next = last.hash(first.hash(blocksHash));
    next = RunningHash.mixed(RunningHash.mixed(next, offset), nextOffset);
    blocksHash = RunningHash.mixed(next, openHash);
    startsHash = RunningHash.mixed(startsHash, base + at - blocksPosition);
    done++;
    if (done == blocks) {
      hash.blocks(RunningHash.mixed(blocksHash, blocks));
      blocksHash = 0;
      done = 0;
      state = State.OFFSET;
    }
    at = p;
    return true;
  }

  /** Returns the index after a clustering with its kind, -1 if more bytes are needed. */
  private int parsePrefix(Prefix prefix, byte[] b, int from) throws IOException {
    if (from > limit) {
      return -1;
    }
    int kind = b[from];
    int p = from + 1;
    int count = clusteringColumns;
    if (kind != Prefix.ROW) {
      count = BigEndian.getUnsignedShort(b, p);
      p += Short.BYTES;
      if (!Prefix.isMarker(kind) || count > clusteringColumns) {
        throw wrong(
            base + from,
            "a clustering of kind " + kind + " with " + CountText.of(count, "value"),
            "a kind from 0 to 7 and up to " + CountText.of(clusteringColumns, "value"));
      }
    }
    int behind = prefix.parse(kind, count, b, p, limit);
    if (behind == -2) {
      throw wrong(base + from, "a clustering value of impossible length", "one that fits");
    }
    return behind;
  }

  /** Parses the offset of a block, which is listed after the blocks. */
  private boolean parseOffset() throws IOException {
    if (at + Integer.BYTES > end) {
      return false;
    }
    blocksHash = RunningHash.mixed(blocksHash, BigEndian.getInt(buf, at));
    done++;
    at += Integer.BYTES;
    if (done == blocks) {
      if (blocksHash != startsHash || base + at != bodyEnd) {
        throw wrong(
            base + at,
            "offsets of index blocks in an entry that ends at " + (base + at),
            "where its " + CountText.of(blocks, "block") + " begin, and its end at " + bodyEnd);
      }
      state = State.ENTRY;
    }
    return true;
  }

  private int deletionLength(byte[] b, int p) {
    return unsignedTimes && b[p] < 0 ? 1 : Long.BYTES + Integer.BYTES;
  }

  private long deletionHash(byte[] b, int p) {
    if (!unsignedTimes) {
      return RunningHash.ofDeletion(BigEndian.getLong(b, p + 4), BigEndian.getInt(b, p));
    }
    return b[p] < 0
        ? RunningHash.ofDeletion(Long.MIN_VALUE, Integer.MAX_VALUE)
        : RunningHash.ofDeletion(BigEndian.getLong(b, p), BigEndian.getInt(b, p + Long.BYTES));
  }

  /** Returns the number of entries found. */
  long entries() {
    return entries;
  }

  /** Returns the hash of all partitions and index blocks. */
  IndexHash hash() {
    return hash;
  }

  /**
   * Returns the running hash of the keys that the summary must have, with the positions of their
   * entries.
   */
  long samplesHash() {
    return samplesHash;
  }
}
