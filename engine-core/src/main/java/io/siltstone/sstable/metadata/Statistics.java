package io.siltstone.sstable.metadata;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.CorruptFileException;
import io.siltstone.io.Directory;
import io.siltstone.io.EncryptedDirectory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.io.WritableFile;
import io.siltstone.io.WriteIntent;
import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.CorruptSSTableException;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.format.UnsupportedSSTableException;
import io.siltstone.text.CountText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code Statistics.db}.
 *
 * <pre>
 *   count        int          components
 *   checksum     int          CRC32 of the count
 *   type         int          0 validation, 1 compaction, 2 stats, 3 header
 *   offset       int          in the file; both for each component
 *   checksum     int          CRC32 of count, types and offsets
 *   component    bytes
 *   checksum     int          CRC32 of the component; both for each component
 * </pre>
 *
 * All integers big-endian. Source: Cassandra {@code MetadataSerializer}, versions na to oa.
 * Immutable, safe for all threads.
 *
 * @param validation settings that must match before the SSTable is used
 * @param compaction metadata that only compaction reads
 * @param stats statistics of the content
 * @param header types, columns and delta bases, which are needed to read rows
 */
public record Statistics(
    ValidationMetadata validation,
    CompactionMetadata compaction,
    StatsMetadata stats,
    SerializationHeader header) {

  private static final int COMPONENTS = 4;
  private static final int VALIDATION = 0;
  private static final int COMPACTION = 1;
  private static final int STATS = 2;
  private static final int HEADER = 3;

  private static final int CHECKSUM_BYTES = 4;
  private static final int COUNT_BYTES = 4 + CHECKSUM_BYTES;
  private static final int ENTRY_BYTES = 8;
  private static final int TOC_BYTES = COUNT_BYTES + COMPONENTS * ENTRY_BYTES + CHECKSUM_BYTES;

  // Usual files have some ten kilobytes; the limit only prevents a wrong file from being read as a
  // whole.
  private static final int MAX_BYTES = 256 << 20;

  /**
   * Reads a file.
   *
   * @param version the version in the file's name
   * @throws CorruptSSTableException if a checksum is wrong, a value is impossible, or a component
   *     is unknown or missing
   * @throws UnsupportedSSTableException if its header has a type that is not supported
   */
  public static Statistics read(Directory directory, String fileName, FormatVersion version)
      throws IOException {
    try (ReadableFile file = directory.open(fileName, ReadIntent.WHOLE)) {
      return new Reader(file.path(), content(file)).read(version);
    }
  }

  private static byte[] content(ReadableFile file) throws IOException {
    if (file.length() < TOC_BYTES || file.length() > MAX_BYTES) {
      throw new CorruptSSTableException(
          file.path(),
          Component.STATISTICS,
          CorruptFileException.WHOLE_FILE,
          "has "
              + CountText.of(file.length(), "byte")
              + ", allowed "
              + TOC_BYTES
              + " to "
              + MAX_BYTES);
    }
    byte[] bytes = new byte[(int) file.length()];
    file.readFully(0, ByteBuffer.wrap(bytes));
    EncryptedDirectory.requirePlain(file.path(), bytes);
    return bytes;
  }

  /**
   * Creates a file and makes its content durable.
   *
   * @param fileName which must be free
   * @throws IllegalArgumentException if the version cannot express a value
   */
  public void write(Directory directory, String fileName, FormatVersion version, WriteIntent intent)
      throws IOException {
    byte[] bytes = toByteArray(version);
    try (WritableFile file = directory.create(fileName, intent)) {
      file.write(ByteBuffer.wrap(bytes));
      file.sync();
    }
  }

  /** Returns a copy with other stats. */
  public Statistics withStats(StatsMetadata newStats) {
    return new Statistics(validation, compaction, newStats, header);
  }

  private byte[] toByteArray(FormatVersion version) {
    byte[][] components = new byte[COMPONENTS][];
    int length = TOC_BYTES;
    for (int type = 0; type < COMPONENTS; type++) {
      MetadataOutput out = new MetadataOutput();
      switch (type) {
        case VALIDATION -> validation.write(out);
        case COMPACTION -> compaction.write(out);
        case STATS -> stats.write(out, version);
        default -> HeaderComponent.write(header, out);
      }
      components[type] = out.toByteArray();
      length += components[type].length + CHECKSUM_BYTES;
    }
    byte[] bytes = new byte[length];
    BigEndian.putInt(bytes, 0, COMPONENTS);
    BigEndian.putInt(bytes, 4, checksum(bytes, 0, 4));
    CRC32 toc = new CRC32();
    toc.update(bytes, 0, 4);
    int at = TOC_BYTES;
    for (int type = 0; type < COMPONENTS; type++) {
      int entry = COUNT_BYTES + type * ENTRY_BYTES;
      BigEndian.putInt(bytes, entry, type);
      BigEndian.putInt(bytes, entry + 4, at);
      toc.update(bytes, entry, ENTRY_BYTES);
      byte[] component = components[type];
      System.arraycopy(component, 0, bytes, at, component.length);
      at += component.length;
      BigEndian.putInt(bytes, at, checksum(component, 0, component.length));
      at += CHECKSUM_BYTES;
    }
    BigEndian.putInt(bytes, TOC_BYTES - CHECKSUM_BYTES, (int) toc.getValue());
    return bytes;
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /** Reads the table of contents, then the components. */
  private static final class Reader {
    private final String path;
    private final byte[] bytes;
    private final @Nullable MetadataInput[] components = new MetadataInput[COMPONENTS];

    Reader(String path, byte[] bytes) {
      this.path = path;
      this.bytes = bytes;
    }

    Statistics read(FormatVersion version) throws IOException {
      readContents();
      ValidationMetadata validation = ValidationMetadata.read(component(VALIDATION));
      CompactionMetadata compaction = CompactionMetadata.read(component(COMPACTION));
      SerializationHeader header = HeaderComponent.read(component(HEADER));
      StatsMetadata stats = StatsMetadata.read(component(STATS), version, header.clusteringTypes());
      return new Statistics(validation, compaction, stats, header);
    }

    private void readContents() throws CorruptSSTableException {
      check(0, 4, checksum(bytes, 0, 4));
      int count = BigEndian.getInt(bytes, 0);
      // Cassandra also rejects files with a component that it does not know.
      if (count < 1 || count > COMPONENTS) {
        throw corrupt(0, CountText.of(count, "component") + ", allowed 1 to " + COMPONENTS);
      }
      int end = COUNT_BYTES + count * ENTRY_BYTES;
      CRC32 crc = new CRC32();
      crc.update(bytes, 0, 4);
      crc.update(bytes, COUNT_BYTES, end - COUNT_BYTES);
      check(0, end, (int) crc.getValue());
      int start = end + CHECKSUM_BYTES;
      for (int i = 0; i < count; i++) {
        int entry = COUNT_BYTES + i * ENTRY_BYTES;
        int type = BigEndian.getInt(bytes, entry);
        if (type < 0 || type >= COMPONENTS || components[type] != null) {
          throw corrupt(entry, "component of type " + type + ", allowed one each of 0 to 3");
        }
        int offset = BigEndian.getInt(bytes, entry + 4);
        int next = i == count - 1 ? bytes.length : BigEndian.getInt(bytes, entry + ENTRY_BYTES + 4);
        if (offset != start || next < offset + CHECKSUM_BYTES || next > bytes.length) {
          throw corrupt(
              entry,
              "component from "
                  + offset
                  + " to "
                  + next
                  + ", allowed "
                  + start
                  + " to "
                  + bytes.length);
        }
        int limit = next - CHECKSUM_BYTES;
        check(offset, limit, checksum(bytes, offset, limit - offset));
        components[type] = new MetadataInput(path, bytes, offset, limit);
        start = next;
      }
    }

    private void check(int offset, int at, int actual) throws CorruptSSTableException {
      int stored = BigEndian.getInt(bytes, at);
      if (stored != actual) {
        throw corrupt(
            offset,
            "checksum of the bytes from "
                + offset
                + " to "
                + at
                + " is "
                + Integer.toHexString(actual)
                + ", the file says "
                + Integer.toHexString(stored));
      }
    }

    private MetadataInput component(int type) throws CorruptSSTableException {
      MetadataInput component = components[type];
      if (component == null) {
        throw corrupt(0, "no component of type " + type + ", needed are 0..3");
      }
      return component;
    }

    private CorruptSSTableException corrupt(int offset, String reason) {
      return new CorruptSSTableException(path, Component.STATISTICS, offset, reason);
    }
  }
}
