package io.siltstone.sstable.metadata;

import io.siltstone.bytes.BigEndian;
import io.siltstone.cursor.SerializationHeader;
import io.siltstone.io.Directory;
import io.siltstone.io.ReadIntent;
import io.siltstone.io.ReadableFile;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.type.CqlType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The readable components of a damaged {@code Statistics.db}. Each component has a checksum of its
 * own, so a component that is present is intact. If the table of contents is damaged, the end of a
 * component is found by its checksum. Immutable.
 *
 * @param validation null if it is lost; likewise the others
 */
public record StatisticsParts(
    @Nullable ValidationMetadata validation,
    @Nullable CompactionMetadata compaction,
    @Nullable StatsMetadata stats,
    @Nullable SerializationHeader header) {

  /** The parts of a file that is missing: none. */
  public static final StatisticsParts NOTHING = new StatisticsParts(null, null, null, null);

  private static final int COMPONENTS = 4;
  private static final int COUNT_BYTES = 8;
  private static final int ENTRY_BYTES = 8;
  private static final int CHECKSUM_BYTES = 4;
  private static final int FIRST = COUNT_BYTES + COMPONENTS * ENTRY_BYTES + CHECKSUM_BYTES;
  private static final int MAX_BYTES = 256 << 20;

  /** Returns the parts of a file that is whole. */
  public static StatisticsParts of(Statistics whole) {
    return new StatisticsParts(
        whole.validation(), whole.compaction(), whole.stats(), whole.header());
  }

  /**
   * Reads the components that are intact.
   *
   * @param clusteringTypes of the table, needed if the header is lost; null if they are not known
   */
  public static StatisticsParts read(
      Directory directory,
      String fileName,
      FormatVersion version,
      @Nullable List<CqlType> clusteringTypes)
      throws IOException {
    byte[] bytes;
    String path;
    try (ReadableFile file = directory.open(fileName, ReadIntent.WHOLE)) {
      path = file.path();
      if (file.length() > MAX_BYTES) {
        return NOTHING;
      }
      bytes = new byte[(int) file.length()];
      file.readFully(0, ByteBuffer.wrap(bytes));
    }
    return new Reader(path, bytes).read(version, clusteringTypes);
  }

  /** Finds the components, which lie one after the other in the order of their types. */
  private static final class Reader {
    private final String path;
    private final byte[] bytes;

    Reader(String path, byte[] bytes) {
      this.path = path;
      this.bytes = bytes;
    }

    /** Reads a component; an exception makes it a lost one. */
    @FunctionalInterface
    private interface Parser<T> {
      T parse(MetadataInput in) throws IOException;
    }

    StatisticsParts read(FormatVersion version, @Nullable List<CqlType> knownTypes) {
      @Nullable MetadataInput[] inputs = new MetadataInput[COMPONENTS];
      int start = FIRST;
      for (int type = 0; type < COMPONENTS; type++) {
        int said = offset(type);
        int from = start > 0 ? start : said;
        int end = from > 0 ? end(type, from) : -1;
        if (end < 0 && said > 0 && said != from) {
          from = said;
          end = end(type, from);
        }
        if (end >= 0) {
          inputs[type] = new MetadataInput(path, bytes, from, end);
        }
        start = end >= 0 ? end + CHECKSUM_BYTES : -1;
      }
      ValidationMetadata validation = parse(inputs[0], ValidationMetadata::read);
      CompactionMetadata compaction = parse(inputs[1], CompactionMetadata::read);
      SerializationHeader header = parse(inputs[3], HeaderComponent::read);
      List<CqlType> types = header != null ? header.clusteringTypes() : knownTypes;
      StatsMetadata stats =
          types == null ? null : parse(inputs[2], in -> StatsMetadata.read(in, version, types));
      return new StatisticsParts(validation, compaction, stats, header);
    }

    private static <T> @Nullable T parse(@Nullable MetadataInput in, Parser<T> parser) {
      try {
        return in == null ? null : parser.parse(in);
      } catch (IOException e) {
        return null;
      }
    }

    /**
     * Returns the offset of a component according to the table of contents; -1 if it is impossible.
     */
    private int offset(int type) {
      int entry = COUNT_BYTES + type * ENTRY_BYTES;
      if (bytes.length < entry + ENTRY_BYTES) {
        return -1;
      }
      int offset = BigEndian.getInt(bytes, entry + 4);
      return offset >= FIRST && offset < bytes.length ? offset : -1;
    }

    /** Returns the end of the component at an offset, by its checksum; -1 if it is damaged. */
    private int end(int type, int from) {
      int said = type + 1 < COMPONENTS ? offset(type + 1) : bytes.length;
      int end = said - CHECKSUM_BYTES;
      if (said > 0 && end > from && isSound(from, end)) {
        return end;
      }
      CRC32 crc = new CRC32();
      for (int at = from; at + CHECKSUM_BYTES < bytes.length; at++) {
        crc.update(bytes[at]);
        if ((int) crc.getValue() == BigEndian.getInt(bytes, at + 1)) {
          return at + 1;
        }
      }
      return -1;
    }

    private boolean isSound(int from, int end) {
      CRC32 crc = new CRC32();
      crc.update(bytes, from, end - from);
      return (int) crc.getValue() == BigEndian.getInt(bytes, end);
    }
  }
}
