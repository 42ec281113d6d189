package io.siltstone.compress;

import com.github.luben.zstd.ZstdDictTrainer;
import com.github.luben.zstd.ZstdException;
import io.siltstone.annotation.Expert;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A Zstandard dictionary: bytes that the chunks of a table have in common, so that chunks of a few
 * KiB compress as well as much longer ones. A file whose chunks were compressed with a dictionary
 * can be read only with the same one, so each file contains it ({@code CompressionInfo.db}).
 *
 * <p>The id is one of Cassandra 6: seconds since 2025-10-20 00:00 UTC in the upper 32 bits, and the
 * id that Zstandard has given to the dictionary in the lower ones. Later dictionaries of a table
 * thus have greater ids. Cassandra looks a dictionary up by its id before it reads the bytes in a
 * file, so an id must never be used for other bytes.
 *
 * <p>Source: {@code CompressionDictionary} and {@code ZstdDictionaryTrainer} of Cassandra
 * 6.0-alpha2. Immutable; safe for use by all threads.
 */
@Expert
public final class CompressionDictionary {
  /** The greatest length of a dictionary in bytes. */
  public static final int MAX_BYTES = 16 << 20;

  /** The least number of samples that Zstandard makes a dictionary from. */
  public static final int LEAST_SAMPLES = 11;

  private static final byte ZSTD = 0;
  private static final long EPOCH_MILLIS = 1_760_889_600_000L;
  private static final int MILLIS = 1_000;
  private static final int ZSTD_MAGIC = 0xEC30A437;
  private static final int ZSTD_ID_AT = 4;

  private final long id;
  private final byte[] bytes;

  private CompressionDictionary(long id, byte[] bytes) {
    this.id = id;
    this.bytes = bytes;
  }

  /**
   * Returns a dictionary that already has an id.
   *
   * @param bytes 1 to {@value #MAX_BYTES}; they are copied
   * @throws IllegalArgumentException for an id that is not positive, or another number of bytes
   */
  public static CompressionDictionary of(long id, byte[] bytes) {
    if (id <= 0 || bytes.length < 1 || bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "compression dictionary "
              + id
              + " of "
              + bytes.length
              + " bytes, allowed are ids from 1 and 1 to "
              + MAX_BYTES
              + " bytes");
    }
    return new CompressionDictionary(id, bytes.clone());
  }

  /**
   * Trains a dictionary. Needs zstd-jni on the class path.
   *
   * @param samples chunks of the table as they are before compression, {@value #LEAST_SAMPLES} or
   *     more, best a hundred times as many bytes as the dictionary has
   * @param options of the table, with the level of compression and the greatest length of the
   *     dictionary
   * @param nowMillis the time of its id, in milliseconds since 1970; must be later than that of the
   *     table's dictionary before
   * @throws IllegalArgumentException if there are too few samples, or Zstandard can make no
   *     dictionary of them, or the compressor takes none
   */
  public static CompressionDictionary train(
      List<byte[]> samples, CompressionOptions options, long nowMillis) {
    if (samples.size() < LEAST_SAMPLES) {
      throw new IllegalArgumentException(
          "a dictionary of " + samples.size() + " samples, needed are " + LEAST_SAMPLES);
    }
    TrainingOptions training = options.training();
    long total = samples.stream().mapToLong(sample -> sample.length).sum();
    ZstdDictTrainer trainer =
        new ZstdDictTrainer(
            Math.toIntExact(total), training.maxDictionaryBytes(), options.zstdLevel());
    samples.forEach(trainer::addSample);
    byte[] trained;
    try {
      trained = trainer.trainSamples();
    } catch (ZstdException e) {
      throw new IllegalArgumentException(
          "no dictionary can be made of "
              + samples.size()
              + " samples with "
              + total
              + " bytes: "
              + e.getMessage(),
          e);
    }
    return of(newId(nowMillis, trained), trained);
  }

  private static long newId(long nowMillis, byte[] bytes) {
    long seconds = Math.max(1, (nowMillis - EPOCH_MILLIS) / MILLIS);
    return seconds << Integer.SIZE | Integer.toUnsignedLong(zstdId(bytes));
  }

  private static int zstdId(byte[] bytes) {
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return bytes.length >= ZSTD_ID_AT + Integer.BYTES && head.getInt(0) == ZSTD_MAGIC
        ? head.getInt(ZSTD_ID_AT)
        : 0;
  }

  /** Returns the id, which is positive. */
  public long id() {
    return id;
  }

  /** Returns the time at which it was trained, in milliseconds since 1970, by its id. */
  public long createdMillis() {
    return EPOCH_MILLIS + (id >> Integer.SIZE) * MILLIS;
  }

  /** Returns the earliest time at which another one may be trained, so that its id is greater. */
  public long newerMillis() {
    return createdMillis() + MILLIS;
  }

  /** Returns the length in bytes. */
  public int length() {
    return bytes.length;
  }

  /** Returns a copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Returns the checksum that is stored with the dictionary in files. */
  public int checksum() {
    CRC32C checksum = new CRC32C();
    checksum.update(ZSTD);
    byte[] littleEndian = new byte[Long.BYTES];
    ByteBuffer.wrap(littleEndian).order(ByteOrder.LITTLE_ENDIAN).putLong(id);
    checksum.update(littleEndian);
    checksum.update(bytes);
    return (int) checksum.getValue();
  }

  /** Returns the bytes themselves, which must not be changed. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns whether id and bytes are the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CompressionDictionary that
        && id == that.id
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id);
  }

  @Override
  public String toString() {
    return "compression dictionary " + id + " of " + bytes.length + " bytes";
  }
}
