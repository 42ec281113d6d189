package io.siltstone.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.siltstone.DatabaseOptions;
import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.strategy.StrategyRegistry;
import io.siltstone.compaction.task.TaskOptions;
import io.siltstone.compress.CompressionOptions;
import io.siltstone.event.EngineListener;
import io.siltstone.io.NioOptions;
import io.siltstone.schema.Caching;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import io.siltstone.sstable.SSTableOptions;
import io.siltstone.sstable.SSTableWriterOptions;
import io.siltstone.sstable.format.FormatVersion;
import io.siltstone.sstable.metadata.CommitLogIntervals;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that docs/configuration.md names every option, no other, and the right defaults. */
class OptionsTest {
  private static final Page PAGE = Page.read(Page.ROOT.resolve("docs/configuration.md"));
  private static final String ALL_STRATEGIES = "Compaction strategies";

  /** Defaults that depend on the machine, or that have no text. */
  private static final Map<String, String> TOLD =
      Map.of(
          "scanThreads", "the processors less one, 0 to 4",
          "compactors", "half of the processors, 2 to 8",
          "pipelineThreads", "the processors less one, 1 to 64",
          "subCompactions", "half of the processors, 1 to 64",
          "commitLog", "CommitLogOptions defaults",
          "compaction", "Compaction.found()",
          "files", "NioOptions.DEFAULT",
          "listener", "EngineListener.NONE",
          "clock", "the system's");

  /** Returns defaults by option, from the table below a heading. */
  private static Map<String, String> documented(String heading) {
    Map<String, String> defaults = new LinkedHashMap<>();
    for (Page.NamedRow row : PAGE.rows()) {
      if (row.heading().replace("`", "").equals(heading)) {
        defaults.put(row.name(), row.cells().get(0).replace("`", ""));
      }
    }
    assertThat(defaults).as("options under %s", heading).isNotEmpty();
    return defaults;
  }

  @Test
  void theDatabasesOptions() throws Exception {
    DatabaseOptions defaults = DatabaseOptions.DEFAULT;
    Map<String, String> options = ofBuilder(DatabaseOptions.Builder.class, defaults);
    options.put(
        "compactionDebtBytes",
        size(defaults.softCompactionDebtBytes())
            + " and "
            + size(defaults.hardCompactionDebtBytes()));

    assertThat(documented("Database")).isEqualTo(options);
    assertThat(defaults.files()).isEqualTo(NioOptions.DEFAULT);
    assertThat(defaults.listener()).isSameAs(EngineListener.NONE);
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(defaults.scanThreads()).isEqualTo(Math.min(processors - 1, 4));
  }

  @Test
  void theCommitLogsOptions() throws Exception {
    assertThat(documented("Commit log"))
        .isEqualTo(ofBuilder(CommitLogOptions.Builder.class, CommitLogOptions.builder().build()));
  }

  @Test
  void theCompactionServicesOptions() throws Exception {
    CompactionOptions defaults = CompactionOptions.builder().build();

    Map<String, String> options = ofBuilder(CompactionOptions.Builder.class, defaults);
    options.put("clock", "that of each database");

    assertThat(documented("Compaction service")).isEqualTo(options);
    assertThat(defaults.clock()).isNull();
    int processors = Runtime.getRuntime().availableProcessors();
    assertThat(defaults.compactors()).isEqualTo(Math.max(2, Math.min(8, processors / 2)));
    assertThat(defaults.pipelineThreads()).isEqualTo(Math.max(1, Math.min(64, processors - 1)));
    assertThat(defaults.subCompactions()).isEqualTo(Math.max(1, Math.min(64, processors / 2)));
  }

  @Test
  void theFilesOptions() throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    for (RecordComponent component : NioOptions.class.getRecordComponents()) {
      options.put(
          component.getName(), text("", component.getAccessor().invoke(NioOptions.DEFAULT)));
    }
    assertThat(documented("Files")).isEqualTo(options);
  }

  @Test
  void theOptionsOfSSTables() throws Exception {
    SSTableWriterOptions defaults = SSTableWriterOptions.builder().build();
    Map<String, String> writing = ofBuilder(SSTableWriterOptions.Builder.class, defaults);
    // They have no text.
    writing.put("commitLogIntervals", "none");
    writing.put("executors", "none");

    assertThat(documented("Writing")).isEqualTo(writing);
    assertThat(defaults.commitLogIntervals()).isEqualTo(CommitLogIntervals.NONE);
    assertThat(defaults.executors()).isEqualTo(PipelineExecutors.NONE);
    assertThat(documented("Reading"))
        .isEqualTo(
            Map.of(
                "crcCheckChance",
                String.valueOf(SSTableOptions.DEFAULT.crcCheckChance()),
                "isForSalvage",
                String.valueOf(SSTableOptions.DEFAULT.isForSalvage())));
    assertThat(SSTableOptions.class.getRecordComponents()).hasSize(2);
  }

  private static Map<String, String> ofBuilder(Class<?> builder, Object defaults)
      throws ReflectiveOperationException {
    Map<String, String> options = new LinkedHashMap<>();
    for (Method method : builder.getDeclaredMethods()) {
      String name = method.getName();
      if (method.getReturnType() == builder && method.getParameterCount() == 1) {
        options.put(
            name, TOLD.containsKey(name) ? TOLD.get(name) : text(name, value(defaults, name)));
      } else if (method.getReturnType() == builder) {
        options.put(name, "");
      }
    }
    return options;
  }

  private static @Nullable Object value(Object options, String name)
      throws ReflectiveOperationException {
    String asked = "is" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    for (Method method : options.getClass().getDeclaredMethods()) {
      if ((method.getName().equals(name) || method.getName().equals(asked))
          && method.getParameterCount() == 0) {
        return method.invoke(options);
      }
    }
    throw new NoSuchMethodException(options.getClass() + " has no " + name);
  }

  private static String text(String name, @Nullable Object value) {
    if (value == null) {
      return "none";
    } else if (value instanceof FormatVersion version) {
      return version.text();
    } else if (value instanceof Duration duration) {
      long millis = duration.toMillis();
      return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    } else if (value instanceof Number number
        && (name.contains("Bytes") || name.contains("bytes"))) {
      return size(number.longValue());
    }
    return String.valueOf(value);
  }

  private static String size(long bytes) {
    String[] units = {"bytes", "KiB", "MiB", "GiB"};
    int unit = 0;
    while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
      bytes /= 1024;
      unit++;
    }
    return bytes + " " + units[unit];
  }

  @Test
  void theTablesOptions() {
    String unknown =
        refusal(() -> SchemaParser.parse("CREATE TABLE k.t (a int PRIMARY KEY) WITH nonsense = 1"));
    Set<String> names = new TreeSet<>();
    Matcher known = Pattern.compile("Known are ([a-z_, ]+)").matcher(unknown);
    assertThat(known.find()).as(unknown).isTrue();
    names.addAll(Arrays.asList(known.group(1).strip().split(", ", -1)));
    Map<String, String> defaults = new TreeMap<>();
    String table = SchemaParser.parse("CREATE TABLE k.t (a int PRIMARY KEY)").onlyTable().toCql();
    String options = table.substring(table.indexOf(" WITH ") + 6, table.lastIndexOf(';'));
    for (String option : options.split("\\s+AND ", -1)) {
      String[] parts = option.split(" = ", 2);
      defaults.put(parts[0], parts[1]);
    }
    // These two are not written unless they were given.
    defaults.put("auto_repair", "{}");
    defaults.put("id", "random");
    // It is kept as an extension.
    defaults.put("durable_writes", "true");

    assertThat(names).isEqualTo(defaults.keySet());
    assertThat(documented("Table options")).isEqualTo(defaults);
  }

  @Test
  void theOptionsOfCaching() {
    Map<String, String> defaults = new TreeMap<>(Caching.DEFAULT.toMap());

    assertThat(documented("Caching")).isEqualTo(defaults);
  }

  @Test
  void theOptionsOfCompression() throws Exception {
    Map<String, String> documented = documented("Compression");
    // There is no list of these options: the ones that are taken out of a map are the list.
    Set<String> taken = new HashSet<>();
    Pattern names =
        Pattern.compile(
            "(?:remove|either|chunkLength|bytes)\\(\\s*(?:\\w+,\\s+)?\"(\\w+)\"(?:, \"(\\w+)\")?");
    for (String file : new String[] {"CompressionOptions", "Compressors", "TrainingOptions"}) {
      String source =
          Files.readString(
              Page.ROOT.resolve(
                  "engine-compress/src/main/java/io/siltstone/compress/" + file + ".java"));
      names.matcher(source).results().forEach(found -> taken.add(found.group(1)));
    }
    CompressionOptions defaults = CompressionOptions.fromMap(Map.of("class", "LZ4Compressor"));

    assertThat(documented.keySet()).isEqualTo(taken);
    assertThat(documented.get("class")).isEqualTo(defaults.className());
    assertThat(documented.get("chunk_length_in_kb"))
        .isEqualTo(String.valueOf(defaults.chunkLengthBytes() / 1024));
    assertThat(Double.parseDouble(documented.get("min_compress_ratio")))
        .isEqualTo(defaults.minCompressRatio());
    Field level =
        Class.forName(CompressionOptions.class.getPackageName() + ".ZstdCompressor")
            .getDeclaredField("DEFAULT_LEVEL");
    level.setAccessible(true);
    assertThat(documented.get("compression_level")).isEqualTo(String.valueOf(level.get(null)));
    for (String option : new String[] {"compression_level", "lz4_high_compressor_level"}) {
      String name = option.startsWith("lz4") ? "LZ4Compressor" : "ZstdCompressor";
      String range = rangeOf("Compression", option);
      long least = Long.parseLong(range.split(" to ", -1)[0]);
      long greatest = Long.parseLong(range.split(" to ", -1)[1]);
      for (long good : new long[] {least, greatest}) {
        CompressionOptions.fromMap(Map.of("class", name, option, String.valueOf(good)));
      }
      for (long bad : new long[] {least - 1, greatest + 1}) {
        assertThat(
                catchThrowable(
                    () ->
                        CompressionOptions.fromMap(
                            Map.of("class", name, option, String.valueOf(bad)))))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  private static String rangeOf(String heading, String option) {
    return PAGE.rows().stream()
        .filter(row -> row.heading().equals(heading) && row.name().equals(option))
        .map(row -> row.cells().get(1))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SizeTieredCompactionStrategy",
        "LeveledCompactionStrategy",
        "TimeWindowCompactionStrategy",
        "UnifiedCompactionStrategy"
      })
  void theOptionsOfAStrategy(String strategy) {
    String unknown =
        refusal(() -> StrategyRegistry.of(table("{'class': '" + strategy + "', 'nonsense': '1'}")));
    Set<String> known =
        new TreeSet<>(
            Arrays.asList(
                unknown.replaceFirst("(?s).*nonsense = 1, allowed ", "").split(", ", -1)));
    Map<String, String> documented = new TreeMap<>(documented(ALL_STRATEGIES));
    if (strategy.startsWith("Leveled") || strategy.startsWith("TimeWindow")) {
      documented.putAll(documented("SizeTieredCompactionStrategy"));
    }
    documented.putAll(documented(strategy));

    assertThat(documented.keySet()).isEqualTo(known);
  }

  private static String refusal(ThrowableAssert.ThrowingCallable call) {
    return String.valueOf(catchThrowable(call).getMessage());
  }

  private static io.siltstone.schema.TableSchema table(String compaction) {
    return SchemaParser.parse(
            "CREATE TABLE k.t (a int PRIMARY KEY) WITH compaction = " + compaction)
        .onlyTable();
  }

  @Test
  void theDefaultsOfStrategies() throws Exception {
    Map<String, Map<String, String>> components =
        Map.of(
            "SizeTieredCompactionStrategy",
            Map.of(
                "min_threshold", "minThreshold",
                "max_threshold", "maxThreshold",
                "min_sstable_size", "minSSTableBytes",
                "bucket_low", "bucketLow",
                "bucket_high", "bucketHigh"),
            "LeveledCompactionStrategy",
            Map.of("sstable_size_in_mb", "sstableBytes", "fanout_size", "fanout"),
            "TimeWindowCompactionStrategy",
            Map.of("timestamp_resolution", "resolution"),
            "UnifiedCompactionStrategy",
            Map.of(
                "target_sstable_size", "targetBytes",
                "min_sstable_size", "minBytes",
                "sstable_growth", "growth",
                "base_shard_count", "baseShards",
                "flush_size_override", "flushBytes",
                "overlap_inclusion_method", "inclusion"));
    for (String strategy : components.keySet()) {
      Object options =
          defaultsOf(
              strategy.replace("CompactionStrategy", "Options"),
              strategy,
              // Whether the table has a time column.
              strategy.startsWith("TimeWindow") ? new Object[] {true} : new Object[0]);
      components
          .get(strategy)
          .forEach(
              (option, component) ->
                  assertThat(normal(documented(strategy).getOrDefault(option, "")))
                      .as("%s of %s", option, strategy)
                      .isEqualTo(normal(component(options, component))));
    }
    Object purge = defaultsOf("PurgeOptions", "none", new Object[] {0});
    Map<String, String> common = documented(ALL_STRATEGIES);
    assertThat(common.get("tombstone_threshold")).isEqualTo(component(purge, "threshold"));
    assertThat(common.get("tombstone_compaction_interval") + "000")
        .isEqualTo(component(purge, "intervalMillis"));
    assertThat(common.get("unchecked_tombstone_compaction"))
        .isEqualTo(component(purge, "isUnchecked"));
    assertThat(common.get("only_purge_repaired_tombstones"))
        .isEqualTo(component(purge, "onlyRepaired"));
    TableSchema table = SchemaParser.parse("CREATE TABLE k.t (a int PRIMARY KEY);").onlyTable();
    assertThat(common.get("provide_overlapping_tombstones"))
        .isEqualTo(TaskOptions.builder(table, 0).build().overlappingTombstones().name());
    Object expiry = defaultsOf("ExpiryOptions", "none", new Object[] {0L});
    for (String strategy :
        new String[] {"TimeWindowCompactionStrategy", "UnifiedCompactionStrategy"}) {
      Map<String, String> own = documented(strategy);
      assertThat(own.get("expired_sstable_check_frequency_seconds") + "000")
          .isEqualTo(component(expiry, "leastAgeMillis"));
      assertThat(own.get("unsafe_aggressive_sstable_expiration"))
          .isEqualTo(component(expiry, "ignoresOverlaps"));
    }
    Object windows = defaultsOf("TimeWindowOptions", "none", new Object[] {true});
    assertThat(documented("TimeWindowCompactionStrategy"))
        .containsEntry("compaction_window_unit", "DAYS")
        .containsEntry("compaction_window_size", "1");
    assertThat(component(windows, "windowMillis"))
        .isEqualTo(String.valueOf(Duration.ofDays(1).toMillis()));
  }

  /**
   * Returns a record of strategy options without any option given, from a package-private class.
   */
  private static Object defaultsOf(String name, String strategy, Object[] more)
      throws ReflectiveOperationException {
    String here = StrategyRegistry.class.getPackageName() + ".";
    Constructor<?> values =
        Class.forName(here + "OptionValues").getDeclaredConstructor(String.class, Map.class);
    values.setAccessible(true);
    Object[] arguments = new Object[1 + more.length];
    arguments[0] = values.newInstance(strategy, Map.of());
    System.arraycopy(more, 0, arguments, 1, more.length);
    Method of =
        Arrays.stream(Class.forName(here + name).getDeclaredMethods())
            .filter(method -> method.getName().equals("of"))
            .findFirst()
            .orElseThrow();
    of.setAccessible(true);
    return of.invoke(null, arguments);
  }

  private static String component(Object record, String name) {
    try {
      Method accessor = record.getClass().getDeclaredMethod(name);
      accessor.setAccessible(true);
      return String.valueOf(accessor.invoke(record));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(record + " has no " + name, e);
    }
  }

  /** Normalizes sizes: {@code 1GiB}, {@code 160} MiB and {@code 167772160} have different forms. */
  private static String normal(String value) {
    Matcher size = Pattern.compile("(\\d+)([MG])iB").matcher(value);
    if (size.matches()) {
      return String.valueOf(Long.parseLong(size.group(1)) << (size.group(2).equals("G") ? 30 : 20));
    }
    return value.equals("160") ? String.valueOf(160L << 20) : value;
  }

  @Test
  void rangesOfTheTablesOptionsAreThoseStated() {
    // A few that could drift: both ends of the range are accepted, and values beyond are not.
    Map<String, String[]> values =
        Map.of(
            "default_time_to_live", new String[] {"0", "630720000", "-1", "630720001"},
            "crc_check_chance", new String[] {"0.0", "1.0", "-0.1", "1.1"},
            "bloom_filter_fp_chance", new String[] {"0.0000672", "1.0", "0.0000671", "1.1"},
            "gc_grace_seconds", new String[] {"0", "2147483647", "-1", "2147483648"});
    values.forEach(
        (option, ends) -> {
          String cql = "CREATE TABLE k.t (a int PRIMARY KEY) WITH " + option + " = ";
          SchemaParser.parse(cql + ends[0]);
          SchemaParser.parse(cql + ends[1]);
          assertThat(catchThrowable(() -> SchemaParser.parse(cql + ends[2])))
              .as(option)
              .isNotNull();
          assertThat(catchThrowable(() -> SchemaParser.parse(cql + ends[3])))
              .as(option)
              .isNotNull();
        });
    assertThat(
            values.keySet().stream()
                .filter(option -> rangeOf("Table options", option).isEmpty())
                .collect(Collectors.toSet()))
        .isEmpty();
  }
}
