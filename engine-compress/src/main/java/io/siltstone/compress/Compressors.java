package io.siltstone.compress;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Creates compressors by Cassandra's class name and options, and reports which of them are
 * available.
 */
final class Compressors {
  private static final String PACKAGE = "org.apache.cassandra.io.compress.";

  /** The simple class names of all compressors. */
  static final List<String> NAMES =
      List.of(
          Lz4Compressor.NAME,
          ZstdCompressor.NAME,
          ZstdDictionaryCompressor.NAME,
          SnappyCompressor.NAME,
          DeflateCompressor.NAME,
          NoopCompressor.NAME);

  private Compressors() {}

  /**
   * Creates a compressor without a dictionary.
   *
   * @param className simple, or with Cassandra's package
   * @param options those of that compressor only
   * @throws IllegalArgumentException naming each wrong option, its value and what is allowed
   * @throws IllegalStateException if the library it needs is not on the class path or does not load
   *     here
   */
  static Compressor of(String className, Map<String, String> options) {
    return of(className, options, null);
  }

  /**
   * Creates a compressor; otherwise as {@link #of(String, Map)}.
   *
   * @param dictionary its dictionary, for one that takes a dictionary
   */
  static Compressor of(
      String className, Map<String, String> options, @Nullable CompressionDictionary dictionary) {
    List<String> problems = new ArrayList<>();
    String simple = simpleName(className);
    Map<String, String> rest = new TreeMap<>(options);
    Compressor compressor = null;
    try {
      compressor =
          switch (simple) {
            case Lz4Compressor.NAME -> lz4(rest, problems);
            case ZstdCompressor.NAME -> zstd(rest, problems, null);
            case ZstdDictionaryCompressor.NAME -> {
              TrainingOptions.of(rest, problems);
              yield zstd(rest, problems, dictionary);
            }
            case SnappyCompressor.NAME -> new SnappyCompressor();
            case DeflateCompressor.NAME -> new DeflateCompressor();
            case NoopCompressor.NAME -> new NoopCompressor();
            default -> {
              problems.add("class = " + className + ", allowed " + String.join(", ", NAMES));
              rest.clear();
              yield null;
            }
          };
    } catch (LinkageError e) {
      throw new IllegalStateException(
          simple
              + " needs a library that is missing or does not load here: "
              + library(simple)
              + "; on the module path it must be named by --add-modules or required by a module",
          e);
    }
    rest.forEach(
        (name, value) -> problems.add("unknown option " + name + " = " + value + " of " + simple));
    if (!problems.isEmpty() || compressor == null) {
      throw new IllegalArgumentException("compression: " + String.join("; ", problems));
    }
    return compressor;
  }

  /** Returns the class name without Cassandra's package. */
  static String simpleName(String className) {
    return className.startsWith(PACKAGE) ? className.substring(PACKAGE.length()) : className;
  }

  private static String library(String simple) {
    return switch (simple) {
      case ZstdCompressor.NAME, ZstdDictionaryCompressor.NAME -> "com.github.luben:zstd-jni";
      case SnappyCompressor.NAME -> "org.xerial.snappy:snappy-java";
      default -> "at.yawk.lz4:lz4-java";
    };
  }

  /**
   * Returns whether a compressor is fast enough for flushes. Source: {@code recommendedUses} of
   * Cassandra's compressors.
   */
  static boolean isFast(CompressionOptions options) {
    return switch (options.className()) {
      case Lz4Compressor.NAME ->
          !"high".equals(options.compressorOptions().get("lz4_compressor_type"));
      case SnappyCompressor.NAME, NoopCompressor.NAME -> true;
      default -> false;
    };
  }

  private static @Nullable Compressor lz4(Map<String, String> options, List<String> problems) {
    String type = options.remove("lz4_compressor_type");
    String level = options.remove("lz4_high_compressor_level");
    Integer parsed = level == null ? Integer.valueOf(9) : integer(level, 1, 17);
    if (parsed == null) {
      problems.add("lz4_high_compressor_level = " + level + ", allowed 1 to 17");
    }
    if (type != null && !type.equals("fast") && !type.equals("high")) {
      problems.add("lz4_compressor_type = " + type + ", allowed fast, high");
    }
    if (!problems.isEmpty() || parsed == null) {
      return null;
    }
    return "high".equals(type) ? Lz4Compressor.high(parsed) : Lz4Compressor.fast();
  }

  private static @Nullable Compressor zstd(
      Map<String, String> options,
      List<String> problems,
      @Nullable CompressionDictionary dictionary) {
    String level = options.remove("compression_level");
    int min = ZstdCompressor.minLevel();
    int max = ZstdCompressor.maxLevel();
    Integer parsed =
        level == null ? Integer.valueOf(ZstdCompressor.DEFAULT_LEVEL) : integer(level, min, max);
    if (parsed == null) {
      problems.add("compression_level = " + level + ", allowed " + min + " to " + max);
      return null;
    }
    return dictionary == null
        ? new ZstdCompressor(parsed)
        : new ZstdDictionaryCompressor(dictionary, parsed);
  }

  private static @Nullable Integer integer(String text, int min, int max) {
    try {
      int value = Integer.parseInt(text.trim());
      return value >= min && value <= max ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Returns, for each compressor, the library that it uses and how that was loaded, or why it is
   * not available.
   */
  static Map<String, String> describe() {
    Map<String, String> lines = new LinkedHashMap<>();
    for (String name : NAMES) {
      lines.put(name, describe(name));
    }
    return lines;
  }

  private static String describe(String name) {
    try {
      Compressor compressor = of(name, Map.of());
      if (compressor instanceof Lz4Compressor) {
        return "lz4-java, " + Lz4Compressor.factory().toString().replaceFirst("^LZ4Factory:", "");
      }
      return switch (name) {
        case ZstdCompressor.NAME, ZstdDictionaryCompressor.NAME -> "zstd-jni, native";
        case SnappyCompressor.NAME -> "snappy-java, native";
        default -> "java.util.zip or none needed";
      };
    } catch (IllegalStateException e) {
      return "not available: " + e.getMessage();
    }
  }
}
