package io.siltstone.tools.stress;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.schema.SchemaException;
import io.siltstone.schema.TableOptions;
import io.siltstone.tools.terminal.KnownNames;
import io.siltstone.tools.terminal.Units;
import io.siltstone.tools.terminal.UsageException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the table. */
final class TableChoice {
  private static final String CLASS = "class";
  private static final String NONE = "none";
  private static final List<String> COMPRESSIONS =
      Stream.concat(CompressionOptions.COMPRESSORS.stream(), Stream.of(NONE)).toList();

  /** An entry of a CQL map: a text, and a text, number or word. */
  private static final Pattern ENTRY =
      Pattern.compile("'([^']*)'\\s*:\\s*(?:'([^']*)'|([\\w.+-]+))");

  private static final Pattern MAP =
      Pattern.compile("\\{\\s*%1$s(?:\\s*,\\s*%1$s)*\\s*}".formatted(ENTRY.pattern()));

  @Option(
      names = "--compression",
      paramLabel = "NAME|MAP",
      description =
          "LZ4, Zstd, Snappy, Deflate, none, or a map as in CREATE TABLE:"
              + " \"{'class': 'ZstdCompressor', 'compression_level': 5}\"; default LZ4.")
  private @Nullable String compression;

  @Option(
      names = {"--chunk-length", "--chunk-length-kb"},
      paramLabel = "KIB",
      description = "A power of two, 1 to 16384 (chunk_length_in_kb); default 16.")
  private @Nullable Integer chunkLength;

  @Option(
      names = "--compaction",
      paramLabel = "NAME|MAP",
      description =
          "SizeTiered, Leveled, TimeWindow, Unified, or a map as in CREATE TABLE:"
              + " \"{'class': 'LeveledCompactionStrategy', 'sstable_size_in_mb': 64}\";"
              + " default SizeTiered.")
  private @Nullable String compaction;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description =
          "Time to live of rows (default_time_to_live), 1s to 20 years: then reads are"
              + " checked by their content only; default never.")
  private @Nullable String ttl;

  @Option(
      names = "--gc-grace",
      paramLabel = "TIME",
      description = "Time for which a tombstone is kept at least; default 10d.")
  private @Nullable String gcGrace;

  /** Returns whether any of the options was given. */
  boolean isGiven() {
    return compression != null
        || chunkLength != null
        || compaction != null
        || ttl != null
        || gcGrace != null;
  }

  /**
   * Returns the table options.
   *
   * @throws UsageException naming the option that is wrong
   */
  TableOptions options() {
    TableOptions.Builder options = TableOptions.builder();
    options.compression(compression());
    if (compaction != null) {
      options.compaction(
          map(
              "--compaction",
              compaction,
              TableOptions.COMPACTION_STRATEGIES,
              "CompactionStrategy"));
    }
    if (ttl != null) {
      options.defaultTimeToLive(seconds("--ttl", ttl, 1, TableOptions.MAX_TIME_TO_LIVE));
    }
    if (gcGrace != null) {
      options.gcGraceSeconds(seconds("--gc-grace", gcGrace, 0, Integer.MAX_VALUE));
    }
    try {
      return options.build();
    } catch (SchemaException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  private CompressionOptions compression() {
    CompressionOptions options = CompressionOptions.DEFAULT;
    if (compression != null) {
      options =
          compression.equalsIgnoreCase(NONE)
              ? CompressionOptions.NONE
              : parsed("--compression", compression);
    }
    if (chunkLength == null) {
      return options;
    }
    if (!options.isEnabled()) {
      throw new UsageException("--chunk-length requires compression, and --compression is none");
    }
    try {
      return options.withChunkLengthInKb(chunkLength);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--chunk-length = " + chunkLength + ": " + e.getMessage(), e);
    }
  }

  private static CompressionOptions parsed(String option, String text) {
    try {
      return CompressionOptions.fromMap(map(option, text, COMPRESSIONS, "Compressor"));
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new UsageException(option + " = " + text + ": " + e.getMessage(), e);
    }
  }

  /** Parses a name, or a map in CQL's form, whose class may be abbreviated as well. */
  private static Map<String, String> map(
      String option, String text, List<String> known, String ending) {
    if (!text.trim().startsWith("{")) {
      return Map.of(CLASS, KnownNames.complete(option, text.trim(), known, ending));
    }
    if (!MAP.matcher(text.trim()).matches()) {
      throw new UsageException(
          option + " = " + text + " is not a map, expected {'NAME': VALUE, 'NAME': VALUE}");
    }
    Map<String, String> map = new HashMap<>();
    Matcher entries = ENTRY.matcher(text);
    while (entries.find()) {
      String value = entries.group(2) != null ? entries.group(2) : entries.group(3);
      if (map.put(entries.group(1), value) != null) {
        throw new UsageException(option + " = " + text + " has '" + entries.group(1) + "' twice");
      }
    }
    String name = map.get(CLASS);
    if (name == null) {
      throw new UsageException(option + " = " + text + " has no 'class'");
    }
    String simple = name.substring(name.lastIndexOf('.') + 1);
    map.put(CLASS, KnownNames.complete(option, simple, known, ending));
    return map;
  }

  private static int seconds(String option, String text, int least, int most) {
    long seconds = Units.parseSeconds(option, text);
    UsageException.require(
        seconds >= least && seconds <= most, option, text, least + " to " + most + " seconds");
    return (int) seconds;
  }
}
