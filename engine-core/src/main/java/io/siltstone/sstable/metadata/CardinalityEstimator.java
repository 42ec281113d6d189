package io.siltstone.sstable.metadata;

import io.siltstone.sstable.format.CorruptSSTableException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Estimates the cardinality of partition keys: the number of different keys in one SSTable or
 * several together. The algorithm is HyperLogLog++ of 2^13 registers, and a list of hashes of 25
 * bits while there are few.
 *
 * <pre>
 *   version    int       -2
 *   p, sp      varint    13, 25
 *   form       varint    0: registers, 1: sparse
 *   registers: bytes     varint, then 1366 ints of six 5-bit registers each
 *   sparse:    count     varint, then the encoded hashes, each a varint of the difference to the one before
 * </pre>
 *
 * The varints here are LEB128. A sparse hash is 25 bits of the hash and a zero bit; or, if the last
 * 12 of these are zero, with 6 bits of inverted run length and a one bit behind them. Source: the
 * form that Cassandra's {@code CompactionMetadata} has from stream-lib's {@code HyperLogLogPlus};
 * the estimate from registers is Ertl's, which needs no tables of corrections (arXiv 1702.01284).
 *
 * <p>Mutable, confined to one thread; adding allocates only while the sparse list grows.
 */
public final class CardinalityEstimator {
  private static final int VERSION = -2;
  private static final int PRECISION = 13;
  private static final int SPARSE_PRECISION = 25;
  private static final int SPARSE_HASHES = 1 << SPARSE_PRECISION;
  private static final int FORM_REGISTERS = 0;
  private static final int FORM_SPARSE = 1;

  private static final int REGISTERS = 1 << PRECISION;
  private static final int REGISTERS_PER_WORD = 6;
  private static final int REGISTER_BITS = 5;
  private static final int REGISTER_MASK = (1 << REGISTER_BITS) - 1;
  // 8192 registers need 1366 words, as the format has it.
  private static final int WORDS = REGISTERS / REGISTERS_PER_WORD + 1;

  private static final int MAX_SPARSE = REGISTERS * 3 / 4;
  private static final int MAX_UNMERGED = MAX_SPARSE / 4;
  private static final int[] NOTHING = {};
  private static final long[] NO_HASHES = {};

  private int @Nullable [] registers;

  // Sorted in the order in which stream-lib merges them, which is not quite ascending: see
  // mergeUnmerged.
  private int[] sparse = NOTHING;
  private int sparseCount;
  private int[] spare = NOTHING;
  private long[] unmerged = NO_HASHES;
  private int unmergedCount;

  /** Creates an estimator without keys. */
  public CardinalityEstimator() {}

  /** Adds a key by a well-distributed hash of 64 bits; see {@link Murmur2Hash}. */
  void add(long hash) {
    int[] words = registers;
    if (words != null) {
      raise(words, (int) (hash >>> (64 - PRECISION)), runLength(hash));
      return;
    }
    addToSparse(encode(hash));
  }

  /** Adds the keys of another estimator. */
  public void add(CardinalityEstimator other) {
    other.mergeUnmerged();
    int[] otherWords = other.registers;
    if (otherWords == null) {
      for (int i = 0; i < other.sparseCount; i++) {
        addEncoded(other.sparse[i]);
      }
      return;
    }
    int[] words = toRegisters();
    for (int i = 0; i < REGISTERS; i++) {
      raise(words, i, register(otherWords, i));
    }
  }

  private void addEncoded(int encoded) {
    int[] words = registers;
    if (words != null) {
      raise(words, registerOf(encoded), runLengthOf(encoded));
      return;
    }
    addToSparse(encoded);
  }

  private void addToSparse(int encoded) {
    if (unmerged.length == 0) {
      unmerged = new long[MAX_UNMERGED + 1];
    }
    unmerged[unmergedCount++] = sortable(encoded);
    if (unmergedCount == unmerged.length) {
      mergeUnmerged();
      if (sparseCount > MAX_SPARSE) {
        toRegisters();
      }
    }
  }

  /**
   * Returns the estimated number of different keys; the error is about a percent for large numbers.
   */
  public long estimate() {
    mergeUnmerged();
    int[] words = registers;
    if (words == null) {
      double cells = SPARSE_HASHES;
      return Math.round(cells * Math.log(cells / (cells - sparseCount)));
    }
    int[] registersOfValue = new int[REGISTER_MASK + 1];
    for (int i = 0; i < REGISTERS; i++) {
      registersOfValue[register(words, i)]++;
    }
    double m = REGISTERS;
    double z = 0;
    for (int value = REGISTER_MASK; value >= 1; value--) {
      z = 0.5 * (z + registersOfValue[value]);
    }
    z += m * sigma(registersOfValue[0] / m);
    return Math.round(m * m / (2 * Math.log(2)) / z);
  }

  /** Returns the correction for registers that are still zero. */
  private static double sigma(double share) {
    if (share == 1) {
      return Double.POSITIVE_INFINITY;
    }
    double x = share;
    double y = 1;
    double sum = share;
    double before;
    do {
      x *= x;
      before = sum;
      sum += x * y;
      y += y;
    } while (sum != before);
    return sum;
  }

  private static int runLength(long hash) {
    int run = Long.numberOfLeadingZeros((hash << PRECISION) | (1L << (PRECISION - 1))) + 1;
    // A register has 5 bits. In stream-lib, longer runs, which one hash of 2^31 has, spill into the
    // next register.
    return Math.min(run, REGISTER_MASK);
  }

  private static int encode(long hash) {
    int index = (int) (hash >>> (64 - SPARSE_PRECISION));
    if ((index & ((1 << (SPARSE_PRECISION - PRECISION)) - 1)) != 0) {
      return index << 1;
    }
    int run = Long.numberOfLeadingZeros((hash << PRECISION) | (1L << (PRECISION - 1))) + 1;
    return (((index << 6) | (run ^ 63)) << 1) | 1;
  }

  private static int sparseIndex(int encoded) {
    return (encoded & 1) == 1 ? encoded >>> 7 : encoded >>> 1;
  }

  private static int registerOf(int encoded) {
    return sparseIndex(encoded) >>> (SPARSE_PRECISION - PRECISION);
  }

  private static int runLengthOf(int encoded) {
    int run =
        (encoded & 1) == 1
            ? ((encoded >>> 1) & 63) ^ 63
            : Integer.numberOfLeadingZeros(encoded << (PRECISION + 31 - SPARSE_PRECISION)) + 1;
    return Math.min(run, REGISTER_MASK);
  }

  /** Returns a number that orders by index, and by descending run length for the same index. */
  private static long sortable(int encoded) {
    return ((long) sparseIndex(encoded) << 32) | (encoded & 0xffff_ffffL);
  }

  /**
   * Merges new hashes into the list, one per index.
   *
   * <p>Both sides are ordered by index but merged by their encoded form, as in stream-lib, so the
   * result has a peculiar order. It must be the same as Cassandra's, because files must not differ.
   */
  private void mergeUnmerged() {
    if (unmergedCount == 0) {
      return;
    }
    Arrays.sort(unmerged, 0, unmergedCount);
    if (spare.length < sparseCount + unmergedCount) {
      spare = new int[Math.max(256, 2 * (sparseCount + unmergedCount))];
    }
    int[] merged = spare;
    int count = 0;
    int left = 0;
    int right = 0;
    while (left < sparseCount || right < unmergedCount) {
      if (right == unmergedCount) {
        merged[count++] = sparse[left++];
        continue;
      }
      int fresh = (int) unmerged[right];
      if (left == sparseCount) {
        merged[count++] = fresh;
        right = afterEqual(right);
        continue;
      }
      int old = sparse[left];
      if (sparseIndex(old) == sparseIndex(fresh)) {
        merged[count++] = Math.min(old, fresh);
        left++;
        right = afterEqual(right);
      } else if (old < fresh) {
        merged[count++] = old;
        left++;
      } else {
        merged[count++] = fresh;
        right = afterEqual(right);
      }
    }
    spare = sparse;
    sparse = merged;
    sparseCount = count;
    unmergedCount = 0;
  }

  private int afterEqual(int index) {
    long sparseIndex = unmerged[index] >>> 32;
    int next = index + 1;
    while (next < unmergedCount && unmerged[next] >>> 32 == sparseIndex) {
      next++;
    }
    return next;
  }

  private int[] toRegisters() {
    int[] words = registers;
    if (words != null) {
      return words;
    }
    mergeUnmerged();
    words = new int[WORDS];
    for (int i = 0; i < sparseCount; i++) {
      raise(words, registerOf(sparse[i]), runLengthOf(sparse[i]));
    }
    registers = words;
    sparse = NOTHING;
    spare = NOTHING;
    unmerged = NO_HASHES;
    sparseCount = 0;
    return words;
  }

  private static int register(int[] words, int index) {
    return (words[index / REGISTERS_PER_WORD] >>> (index % REGISTERS_PER_WORD * REGISTER_BITS))
        & REGISTER_MASK;
  }

  private static void raise(int[] words, int index, int value) {
    if (value > register(words, index)) {
      int shift = index % REGISTERS_PER_WORD * REGISTER_BITS;
      int word = index / REGISTERS_PER_WORD;
      words[word] = (words[word] & ~(REGISTER_MASK << shift)) | (value << shift);
    }
  }

  static CardinalityEstimator read(MetadataInput in) throws CorruptSSTableException {
    int start = in.offset();
    int version = in.int32();
    int precision = varint(in);
    int sparsePrecision = varint(in);
    int form = varint(in);
    if (version != VERSION
        || precision != PRECISION
        || sparsePrecision != SPARSE_PRECISION
        || (form != FORM_REGISTERS && form != FORM_SPARSE)) {
      throw in.corrupt(
          start,
          "cardinality of version "
              + version
              + ", precision "
              + precision
              + " and "
              + sparsePrecision
              + ", form "
              + form
              + ", allowed -2, 13 and 25, 0 or 1");
    }
    CardinalityEstimator estimator = new CardinalityEstimator();
    start = in.offset();
    int count = varint(in);
    if (form == FORM_REGISTERS) {
      if (count != WORDS * Integer.BYTES) {
        throw in.corrupt(
            start, "cardinality of " + count + " bytes, allowed " + WORDS * Integer.BYTES);
      }
      int[] words = new int[WORDS];
      for (int i = 0; i < WORDS; i++) {
        words[i] = in.int32();
      }
      estimator.registers = words;
      return estimator;
    }
    in.count(count, 1, "hashes of keys");
    if (count > SPARSE_HASHES) {
      throw in.corrupt(start, count + " hashes of keys, allowed " + SPARSE_HASHES);
    }
    estimator.sparse = new int[count];
    int encoded = 0;
    for (int i = 0; i < count; i++) {
      start = in.offset();
      encoded += varint(in);
      if (sparseIndex(encoded) >= SPARSE_HASHES) {
        throw in.corrupt(
            start,
            "hash " + sparseIndex(encoded) + " of a key, allowed 0 to " + (SPARSE_HASHES - 1));
      }
      estimator.sparse[i] = encoded;
    }
    estimator.sparseCount = count;
    return estimator;
  }

  void write(MetadataOutput out) {
    mergeUnmerged();
    out.int32(VERSION);
    varint(out, PRECISION);
    varint(out, SPARSE_PRECISION);
    int[] words = registers;
    if (words != null) {
      varint(out, FORM_REGISTERS);
      varint(out, WORDS * Integer.BYTES);
      for (int word : words) {
        out.int32(word);
      }
      return;
    }
    varint(out, FORM_SPARSE);
    varint(out, sparseCount);
    int before = 0;
    for (int i = 0; i < sparseCount; i++) {
      varint(out, sparse[i] - before);
      before = sparse[i];
    }
  }

  private static int varint(MetadataInput in) throws CorruptSSTableException {
    int start = in.offset();
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = in.int8();
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw in.corrupt(start, "variable-length number of more than 5 bytes");
  }

  private static void varint(MetadataOutput out, int value) {
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      out.int8((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.int8(rest);
  }

  /** Returns whether both have the same registers or hashes. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CardinalityEstimator estimator
        && Arrays.equals(written(), estimator.written());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(written());
  }

  private byte[] written() {
    MetadataOutput out = new MetadataOutput();
    write(out);
    return out.toByteArray();
  }

  @Override
  public String toString() {
    return "CardinalityEstimator[" + estimate() + "]";
  }
}
