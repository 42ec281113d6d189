package io.siltstone.compress;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The {@code compression} option of a table, checked. Immutable, safe for all threads.
 *
 * <p>Names, defaults and ranges are Cassandra's ({@code CompressionParams}): {@code class}, {@code
 * chunk_length_in_kb} (a power of two, default 16), {@code min_compress_ratio} (0 for off, or 1 and
 * more: a chunk that does not shrink that much is stored as it is), {@code enabled}, and the
 * compressor's own.
 */
public final class CompressionOptions {
  /**
   * The default is small enough that a point read decompresses little, and large enough to compress
   * well.
   */
  public static final int DEFAULT_CHUNK_LENGTH_IN_KB = 16;

  /** With longer chunks, a point read would decompress megabytes. */
  public static final int MAX_CHUNK_LENGTH_IN_KB = 16 * 1024;

  /** Cassandra's default: LZ4 in chunks of 16 KiB. */
  public static final CompressionOptions DEFAULT = fromMap(Map.of("class", Lz4Compressor.NAME));

  /** No compression: chunks of 64 KiB with a checksum each in {@code CRC.db}. */
  public static final CompressionOptions NONE =
      new CompressionOptions("", 64 * 1024, 0, Integer.MAX_VALUE, Map.of(), null, List.of());

  /** The simple class names of the supported compressors, Cassandra's default first. */
  public static final List<String> COMPRESSORS = Compressors.NAMES;

  private final String className;
  private final int chunkLengthBytes;
  private final double minCompressRatio;
  private final int maxCompressedLength;
  private final Map<String, String> compressorOptions;
  private final @Nullable CompressionDictionary dictionary;

  private CompressionOptions(
      String className,
      int chunkLengthBytes,
      double minCompressRatio,
      int maxCompressedLength,
      Map<String, String> compressorOptions,
      @Nullable CompressionDictionary dictionary,
      List<String> problems) {
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("compression: " + String.join("; ", problems));
    }
    this.className = className;
    this.chunkLengthBytes = chunkLengthBytes;
    this.minCompressRatio = minCompressRatio;
    this.maxCompressedLength = maxCompressedLength;
    this.compressorOptions = new TreeMap<>(compressorOptions);
    this.dictionary = dictionary;
  }

  /**
   * Reads the option map of a table.
   *
   * @throws IllegalArgumentException naming all wrong options, their values and what is allowed
   */
  public static CompressionOptions fromMap(Map<String, String> map) {
    Map<String, String> rest = new TreeMap<>(map);
    List<String> problems = new ArrayList<>();
    String enabled = rest.remove("enabled");
    if (enabled != null
        && !enabled.equalsIgnoreCase("true")
        && !enabled.equalsIgnoreCase("false")) {
      problems.add("enabled = " + enabled + ", allowed true, false");
    }
    String className = either(rest, "class", "sstable_compression", problems);
    if ("false".equalsIgnoreCase(enabled)
        || (enabled == null && map.isEmpty())
        || (className != null && className.isEmpty())) {
      if (!rest.isEmpty() || (className != null && !className.isEmpty())) {
        problems.add("other options beside enabled = false: " + map);
      }
      if (problems.isEmpty()) {
        return NONE;
      }
    } else if (className == null) {
      problems.add("class is missing, allowed " + String.join(", ", Compressors.NAMES));
    }
    int chunkLength = chunkLength(rest, problems);
    double ratio = minCompressRatio(rest, problems);
    // Accepted for old schemas; the table's own crc_check_chance is used.
    checkChance(rest.remove("crc_check_chance"), problems);
    if (className != null && problems.isEmpty()) {
      Compressors.of(className, rest);
    }
    return new CompressionOptions(
        className == null ? "" : Compressors.simpleName(className),
        chunkLength,
        ratio,
        maxCompressedLength(chunkLength, ratio),
        rest,
        null,
        problems);
  }

  /**
   * Returns the options of a file according to its {@code CompressionInfo.db}, with the chunk
   * length that is recorded there.
   */
  public static CompressionOptions ofFile(
      String className,
      int chunkLengthBytes,
      int maxCompressedLength,
      Map<String, String> options) {
    return new CompressionOptions(
        Compressors.simpleName(className),
        chunkLengthBytes,
        ratio(chunkLengthBytes, maxCompressedLength),
        maxCompressedLength,
        options,
        null,
        List.of());
  }

  private static int maxCompressedLength(int chunkLengthBytes, double ratio) {
    return (int) Math.ceil(Math.min(chunkLengthBytes / ratio, Integer.MAX_VALUE));
  }

  /**
   * Returns the ratio with the fewest digits that gives the length: most likely the configured one.
   */
  private static double ratio(int chunkLengthBytes, int maxCompressedLength) {
    if (maxCompressedLength == Integer.MAX_VALUE) {
      return 0;
    }
    double exact = (double) chunkLengthBytes / maxCompressedLength;
    for (double scale = 1; scale <= 1e6; scale *= 10) {
      double rounded = Math.round(exact * scale) / scale;
      if (maxCompressedLength(chunkLengthBytes, rounded) == maxCompressedLength) {
        return rounded;
      }
    }
    return exact;
  }

  private static @Nullable String either(
      Map<String, String> map, String name, String old, List<String> problems) {
    String value = map.remove(name);
    String oldValue = map.remove(old);
    if (value != null && oldValue != null) {
      problems.add(name + " and its old name " + old + " are both given");
    }
    return value != null ? value : oldValue;
  }

  private static int chunkLength(Map<String, String> map, List<String> problems) {
    String text = either(map, "chunk_length_in_kb", "chunk_length_kb", problems);
    if (text == null) {
      return DEFAULT_CHUNK_LENGTH_IN_KB * 1024;
    }
    try {
      int kib = Integer.parseInt(text.trim());
      if (kib >= 1 && kib <= MAX_CHUNK_LENGTH_IN_KB && Integer.bitCount(kib) == 1) {
        return kib * 1024;
      }
    } catch (NumberFormatException e) {
      // Reported below, like any other wrong value.
    }
    problems.add(
        "chunk_length_in_kb = "
            + text
            + ", allowed powers of two from 1 to "
            + MAX_CHUNK_LENGTH_IN_KB);
    return DEFAULT_CHUNK_LENGTH_IN_KB * 1024;
  }

  private static double minCompressRatio(Map<String, String> map, List<String> problems) {
    String text = map.remove("min_compress_ratio");
    if (text == null) {
      return 0;
    }
    try {
      double ratio = Double.parseDouble(text.trim());
      if (ratio == 0 || (ratio >= 1 && ratio <= 1000)) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // Reported below, like any other wrong value.
    }
    problems.add("min_compress_ratio = " + text + ", allowed 0 (off) or 1 to 1000");
    return 0;
  }

  private static void checkChance(@Nullable String text, List<String> problems) {
    if (text == null) {
      return;
    }
    try {
      double chance = Double.parseDouble(text.trim());
      if (chance >= 0 && chance <= 1) {
        return;
      }
    } catch (NumberFormatException e) {
      // Reported below, like any other wrong value.
    }
    problems.add("crc_check_chance = " + text + ", allowed 0 to 1");
  }

  /** Returns whether files are compressed. */
  public boolean isEnabled() {
    return !className.isEmpty();
  }

  /** Returns the simple class name of the compressor; empty without compression. */
  public String className() {
    return className;
  }

  /** Returns the uncompressed bytes per chunk. */
  public int chunkLengthBytes() {
    return chunkLengthBytes;
  }

  /**
   * Returns the factor by which a chunk must shrink to be stored compressed; 0 if every chunk is.
   */
  public double minCompressRatio() {
    return minCompressRatio;
  }

  /** Returns the compressed length in bytes from which on a chunk is stored uncompressed. */
  public int maxCompressedLength() {
    return maxCompressedLength;
  }

  /** Returns the options of the compressor itself. */
  public Map<String, String> compressorOptions() {
    return Map.copyOf(compressorOptions);
  }

  /** Returns the dictionary of the compressor; null without one. */
  public @Nullable CompressionDictionary dictionary() {
    return dictionary;
  }

  /**
   * Returns whether the compressor keeps native memory between its uses, so that files that are
   * read should share it.
   */
  public boolean hasContexts() {
    return takesDictionary() || className.equals(ZstdCompressor.NAME);
  }

  /** Returns whether the compressor takes a dictionary. */
  public boolean takesDictionary() {
    return className.equals(ZstdDictionaryCompressor.NAME);
  }

  /**
   * Returns a copy with a dictionary. A compressor that takes none is replaced by Zstandard's, as
   * Cassandra does for a file that contains one.
   */
  public CompressionOptions withDictionary(CompressionDictionary value) {
    return new CompressionOptions(
        ZstdDictionaryCompressor.NAME,
        chunkLengthBytes,
        minCompressRatio,
        maxCompressedLength,
        takesDictionary() ? compressorOptions : Map.of(),
        value,
        List.of());
  }

  /**
   * Returns a copy whose files any version can read: {@code ZstdCompressor} of the same level
   * instead of a compressor that takes a dictionary.
   */
  public CompressionOptions withoutDictionary() {
    if (!takesDictionary()) {
      return this;
    }
    Map<String, String> rest = new TreeMap<>(compressorOptions);
    rest.keySet().removeIf(name -> name.startsWith(TrainingOptions.PREFIX));
    return new CompressionOptions(
        ZstdCompressor.NAME,
        chunkLengthBytes,
        minCompressRatio,
        maxCompressedLength,
        rest,
        null,
        List.of());
  }

  /** Returns whether files are written alike but for a dictionary, which only one may have. */
  public boolean equalsExceptDictionary(CompressionOptions other) {
    return withoutDictionary().equals(other.withoutDictionary());
  }

  /** Returns {@code training_max_dictionary_size} in bytes; for a compressor that takes one. */
  public int maxDictionaryBytes() {
    return training().maxDictionaryBytes();
  }

  /** Returns {@code training_max_total_sample_size} in bytes, for all samples of a dictionary. */
  public int maxSampleBytes() {
    return training().maxSampleBytes();
  }

  /** Returns {@code training_min_frequency}, the least time between two trainings, in minutes. */
  public int minTrainingMinutes() {
    return training().minMinutes();
  }

  /**
   * Returns the options by which dictionaries are made.
   *
   * @throws IllegalArgumentException if the compressor takes no dictionary
   */
  TrainingOptions training() {
    if (!takesDictionary()) {
      throw new IllegalArgumentException(
          className + " takes no dictionary, but " + ZstdDictionaryCompressor.NAME + " does");
    }
    return TrainingOptions.of(new TreeMap<>(compressorOptions), new ArrayList<>());
  }

  /** Returns the level of a compressor that takes a dictionary. */
  int zstdLevel() {
    String level = compressorOptions.get("compression_level");
    return level == null ? ZstdCompressor.DEFAULT_LEVEL : Integer.parseInt(level.trim());
  }

  /**
   * Returns, for each compressor, the library that it uses and how that was loaded, or why it is
   * not available.
   */
  public static Map<String, String> describeCompressors() {
    return Compressors.describe();
  }

  /**
   * Creates the compressor, to be closed by the caller.
   *
   * @throws IllegalStateException if the library it needs is not on the class path or does not load
   *     here
   */
  public Compressor newCompressor() {
    if (!isEnabled()) {
      throw new IllegalStateException("compression is off");
    }
    return Compressors.of(className, compressorOptions, dictionary);
  }

  /** Returns a copy with another chunk length in KiB, which is checked as in {@link #fromMap}. */
  public CompressionOptions withChunkLengthInKb(int kib) {
    Map<String, String> map = toMap();
    map.put("chunk_length_in_kb", Integer.toString(kib));
    CompressionOptions changed = fromMap(map);
    return dictionary == null ? changed : changed.withDictionary(dictionary);
  }

  /**
   * Returns the option map from which {@link #fromMap} creates equal options, except for the
   * dictionary.
   */
  public Map<String, String> toMap() {
    Map<String, String> map = new LinkedHashMap<>();
    if (!isEnabled()) {
      map.put("enabled", "false");
      return map;
    }
    map.put("chunk_length_in_kb", Integer.toString(chunkLengthBytes / 1024));
    map.put("class", "org.apache.cassandra.io.compress." + className);
    if (minCompressRatio != 0) {
      map.put("min_compress_ratio", Double.toString(minCompressRatio));
    }
    map.putAll(compressorOptions);
    return map;
  }

  /** Returns whether files are written alike, even if the ratio was given in another way. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CompressionOptions that
        && className.equals(that.className)
        && chunkLengthBytes == that.chunkLengthBytes
        && maxCompressedLength == that.maxCompressedLength
        && compressorOptions.equals(that.compressorOptions)
        && Objects.equals(dictionary, that.dictionary);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        className, chunkLengthBytes, maxCompressedLength, compressorOptions, dictionary);
  }

  /** Returns the option map as text, with the dictionary's id and length. */
  @Override
  public String toString() {
    return dictionary == null ? toMap().toString() : toMap() + " with " + dictionary;
  }
}
