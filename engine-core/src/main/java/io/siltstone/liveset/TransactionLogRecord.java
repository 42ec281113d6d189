package io.siltstone.liveset;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A line of a transaction log: {@code TYPE:[PATH,TIME,FILES][CRC32]}.
 *
 * <p>The checksum covers the path, the type's name, and as big-endian ints the lower half of the
 * time, its upper half, and the number of files. Source: Cassandra {@code TransactionLogRecord}.
 *
 * @param type the meaning of the line
 * @param path of the SSTable's files up to the component, e.g. {@code /data/ks/t/oa-3-big-}, as
 *     {@link #path} makes it; empty for {@link Type#COMMIT} and {@link Type#ABORT}
 * @param modifiedMillis latest modification time of the SSTable's files, except that of {@code
 *     Statistics.db}, which Cassandra replaces now and then; 0 unless it is a {@link Type#REMOVE}
 * @param files the number of the SSTable's files; 0 if there is no path
 */
record TransactionLogRecord(Type type, String path, long modifiedMillis, int files) {
  private static final Pattern LINE =
      Pattern.compile(
          "(add|remove|commit|abort):\\[(.*),(\\d{1,18}),(\\d{1,9})\\]\\[(\\d{1,10})\\]",
          Pattern.CASE_INSENSITIVE);

  /** Matches what Cassandra or {@link #LINE} takes for the end of a line. */
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  private static final Pattern PREFIX = Pattern.compile("[a-z]{2}-[0-9a-z_]+-[a-z]+-");

  enum Type {
    /** An SSTable that is kept if the transaction is committed, and removed otherwise. */
    ADD,
    /** An SSTable that is removed if the transaction is committed, and kept otherwise. */
    REMOVE,
    COMMIT,
    ABORT;

    boolean isLast() {
      return this == COMMIT || this == ABORT;
    }
  }

  static final TransactionLogRecord COMMIT = new TransactionLogRecord(Type.COMMIT, "", 0, 0);
  static final TransactionLogRecord ABORT = new TransactionLogRecord(Type.ABORT, "", 0, 0);

  /** Parses a line without its end; returns null if it is no record, or its checksum differs. */
  static @Nullable TransactionLogRecord parse(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return null;
    }
    TransactionLogRecord record =
        new TransactionLogRecord(
            Type.valueOf(matcher.group(1).toUpperCase(Locale.ROOT)),
            matcher.group(2),
            Long.parseLong(matcher.group(3)),
            Integer.parseInt(matcher.group(4)));
    boolean isWhole =
        record.checksum() == Long.parseLong(matcher.group(5))
            && (record.type.isLast()
                ? record.path.isEmpty()
                : PREFIX.matcher(record.prefix()).matches());
    return isWhole ? record : null;
  }

  /**
   * Corrects a line in which one bit is wrong. The checksum identifies the bit: no two lines that
   * differ in less than four bits have the same checksum. If the bit belongs to the end of a line,
   * there are two records.
   *
   * @param line without its end
   * @return the records, or none if more than one bit is wrong
   */
  static List<TransactionLogRecord> correct(byte[] line) {
    byte[] corrected = line.clone();
    for (int bit = 0; bit < line.length * Byte.SIZE; bit++) {
      int at = bit / Byte.SIZE;
      corrected[at] ^= (byte) (1 << bit % Byte.SIZE);
      String[] lines = new String(corrected, StandardCharsets.UTF_8).split("\n");
      List<TransactionLogRecord> records =
          Stream.of(lines).map(TransactionLogRecord::parse).filter(Objects::nonNull).toList();
      if (!records.isEmpty() && records.size() == lines.length) {
        return records;
      }
      corrected[at] = line[at];
    }
    return List.of();
  }

  /**
   * Returns the path of an SSTable's files up to the component, as a record has it. A directory
   * whose name contains line breaks is left out.
   */
  static String path(String directory, String prefix) {
    return LINE_BREAK.matcher(directory).find() ? prefix : directory + "/" + prefix;
  }

  /**
   * Returns the prefix of the names of the SSTable's files. The directory in the path is ignored:
   * the log lies beside the files, wherever these were moved to.
   */
  String prefix() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private long checksum() {
    CRC32 crc = new CRC32();
    crc.update(path.getBytes(StandardCharsets.UTF_8));
    crc.update(type.name().getBytes(StandardCharsets.UTF_8));
    updateInt(crc, (int) modifiedMillis);
    updateInt(crc, (int) (modifiedMillis >>> 32));
    updateInt(crc, files);
    return crc.getValue();
  }

  private static void updateInt(CRC32 crc, int value) {
    crc.update(value >>> 24);
    crc.update(value >>> 16);
    crc.update(value >>> 8);
    crc.update(value);
  }

  /** Returns the line, with its end. */
  String line() {
    return this + "\n";
  }

  @Override
  public String toString() {
    return type + ":[" + path + "," + modifiedMillis + "," + files + "][" + checksum() + "]";
  }
}
