package io.siltstone.tools.terminal;

import io.siltstone.compress.CompressionOptions;
import io.siltstone.schema.TableOptions;
import io.siltstone.schema.TableSchema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options that replace the table's compression: {@code --compression} and {@code
 * --chunk-length}.
 */
public final class CompressionChoice {
  private static final String NONE = "none";
  private static final List<String> ALLOWED =
      Stream.concat(CompressionOptions.COMPRESSORS.stream(), Stream.of(NONE)).toList();

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description =
          "LZ4, Zstd, ZstdDictionary, Snappy, Deflate or none, instead of the table's compression.")
  private @Nullable String compression;

  @Option(
      names = {"--chunk-length", "--chunk-length-kb"},
      paramLabel = "KiB",
      description = "A power of two, 1 to 16384, instead of the table's chunk_length_in_kb.")
  private @Nullable Integer chunkLength;

  /**
   * Returns whether a compressor is chosen, so that the options of the table's own compressor do
   * not apply.
   */
  public boolean hasCompressor() {
    return compression != null;
  }

  /**
   * Returns the table with the chosen compression, or the same table if none is chosen.
   *
   * @throws UsageException if an option is wrong, or if the two exclude each other
   */
  public TableSchema applyTo(TableSchema table) {
    if (compression == null && chunkLength == null) {
      return table;
    }
    TableOptions options = table.options();
    Map<String, String> map = new HashMap<>(options.compression().toMap());
    if (compression != null) {
      // Options of another compressor mean nothing to the chosen one.
      map.clear();
      String named = KnownNames.complete("--compression", compression, ALLOWED, "Compressor");
      if (named.equals(NONE)) {
        map.put("enabled", "false");
      } else {
        map.put("class", named);
        map.put(
            "chunk_length_in_kb",
            Integer.toString(options.compression().chunkLengthBytes() / 1024));
      }
    }
    if (chunkLength != null) {
      map.put("chunk_length_in_kb", chunkLength.toString());
    }
    try {
      return table.withOptions(
          options.toBuilder().compression(CompressionOptions.fromMap(map)).build());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
