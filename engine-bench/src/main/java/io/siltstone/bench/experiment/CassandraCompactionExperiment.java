package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.compaction.CompactionLimit;
import io.siltstone.bench.compaction.CompactionPeerMeasurement;
import io.siltstone.bench.compaction.CompactionPeers;
import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.compaction.RowDigest;
import io.siltstone.bench.compaction.SiltstoneCompaction;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The comparison of compaction with Cassandra: major compaction of the same SSTables by this engine
 * and by one or several versions of Cassandra, in turn. This engine reads all outputs, which must
 * have the same rows.
 */
final class CassandraCompactionExperiment implements Experiment {
  static final int HEAP_MIB = 64;
  static final int CHUNK_KIB = 16;
  static final int TABLES = 6;

  private static final String CASSANDRA = "Cassandra";
  private static final int DIRECT_MIB = 128;
  private static final long MB = 1_000_000;
  private static final String OPTIONS =
      " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '"
          + CHUNK_KIB
          + "'} AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}";

  /**
   * An input.
   *
   * @param rowBytes approximate size of a row in the data file
   * @param isWide whether partitions have many rows, of which each SSTable has some
   * @param isShared whether half of the rows of an SSTable are in the next one too
   */
  record Input(int rowBytes, boolean isWide, boolean isShared) {
    private static final int SINGLE_OVERHEAD = 43;
    private static final int WIDE_OVERHEAD = 28;

    /** One input, because Cassandra takes seconds to start. */
    static final List<Input> TINY = List.of(new Input(400, true, true));

    static final List<Input> ALL =
        List.of(
            new Input(50, false, false),
            new Input(50, false, true),
            new Input(730, false, false),
            new Input(730, false, true),
            new Input(5_000, false, false),
            new Input(5_000, false, true),
            new Input(400, true, false),
            new Input(400, true, true));

    String rows() {
      return (isWide ? "wide partitions, " : "") + FigureFormat.count(rowBytes) + " bytes";
    }

    String overlap() {
      return isShared ? "half" : "none";
    }

    String label() {
      return rows() + ", " + (isShared ? "half overlapping" : "disjoint");
    }

    String cql() {
      return (isWide ? InputTables.WIDE : InputTables.SINGLE) + OPTIONS;
    }

    int textBytes() {
      return rowBytes - (isWide ? WIDE_OVERHEAD : SINGLE_OVERHEAD);
    }
  }

  /**
   * An engine with its configuration.
   *
   * @param cassandra its version; empty for this engine
   * @param pipelineThreads threads of this engine besides the one that merges
   */
  record Side(String cassandra, int pipelineThreads) {
    /** The configurations of this engine, first with one thread. */
    static final List<Side> OWN = List.of(new Side("", 0), new Side("", 1));

    boolean isOwn() {
      return cassandra.isEmpty();
    }

    /** Returns the number of threads of this engine. */
    String threads() {
      return pipelineThreads == 0 ? "one thread" : "one and a pipeline of " + pipelineThreads;
    }

    String label() {
      return isOwn() ? SiltstoneCompaction.NAME + ", " + threads() : CASSANDRA + " " + cassandra;
    }
  }

  @Override
  public String name() {
    return "compaction";
  }

  @Override
  public String description() {
    return "Major compaction of the same SSTables by Siltstone and by versions of Cassandra, in"
        + " turn: rows of 50 to 5,000 bytes, wide partitions, disjoint and half overlapping.";
  }

  @Override
  public List<String> peerDirectories() {
    return List.of(OtherEngines.CLASSES, OtherEngines.CASSANDRA);
  }

  @Override
  public Report run(ExperimentSetting setting) throws IOException {
    OtherEngines others =
        setting
            .peers()
            .orElseThrow(() -> new IllegalArgumentException("the other engines are missing"));
    Map<String, String> versions = new TreeMap<>(others.cassandra());
    for (String version : others.only()) {
      if (!versions.containsKey(version)) {
        throw new UnknownEngineException(version, List.copyOf(versions.keySet()));
      }
    }
    if (!others.only().isEmpty()) {
      versions.keySet().retainAll(others.only());
    }
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      Runs runs = new Runs(experimentRunner, setting.jvm(), versions);
      Map<Input, Samples<Side>> samples = new LinkedHashMap<>();
      for (Input input : experimentRunner.of(Input.TINY, Input.ALL, Input.ALL)) {
        samples.put(input, runs.measure(input));
      }
      return new CassandraCompactionReport(
              samples, runs.cassandraHeapMib, runs.warmUps, runs.compactions)
          .write(setting.machine(), experimentRunner.notes(), experimentRunner.cautions());
    }
  }

  /** Runs the measurements. */
  private static final class Runs {
    private final int cassandraHeapMib;
    private final int warmUps;
    private final int compactions;
    private final ExperimentRunner experimentRunner;
    private final ChildJvm own;
    private final Map<Side, ChildJvm> jvms = new LinkedHashMap<>();

    Runs(ExperimentRunner experimentRunner, ChildJvm own, Map<String, String> versions)
        throws IOException {
      this.experimentRunner = experimentRunner;
      this.own = own;
      cassandraHeapMib = experimentRunner.of(1_024, 4_096, 4_096);
      // The JVM needs seconds to compile the code, so small inputs are merged more often.
      warmUps = experimentRunner.of(1, 8, 2);
      compactions = experimentRunner.of(1, 3, 4);
      Side.OWN.forEach(side -> jvms.put(side, own.withMemory(HEAP_MIB, DIRECT_MIB)));
      for (Map.Entry<String, String> version : versions.entrySet()) {
        jvms.put(new Side(version.getKey(), 0), cassandra(version.getValue()));
      }
    }

    /**
     * Returns Cassandra's JVM, with its own libraries first, because this engine has other versions
     * of some.
     */
    private ChildJvm cassandra(String classPath) throws IOException {
      ChildJvm jvm = new ChildJvm(classPath + File.pathSeparator + own.classPath(), own.options());
      NamedValues peer =
          jvm.run(CompactionPeers.class.getName(), new NamedValues().put("peer", CASSANDRA), null);
      String unavailable = peer.text("unavailable");
      if (!unavailable.isEmpty()) {
        throw new IOException(CASSANDRA + " cannot run here: " + unavailable);
      }
      return jvm.withMemory(cassandraHeapMib, 1_024).with(peer.text("jvm_options").split(" ", -1));
    }

    Samples<Side> measure(Input input) throws IOException {
      Path directory = experimentRunner.directory().resolve("input");
      long bytes = experimentRunner.of(MB / 20, 30 * MB, 200 * MB);
      long rows =
          Math.min(bytes / input.rowBytes(), experimentRunner.of(500L, 300_000L, 1_000_000L));
      experimentRunner.progress("making " + TABLES + " SSTables, " + input.label());
      NamedValues made =
          experimentRunner.prepare(
              InputTables.class,
              new NamedValues()
                  .put("directory", directory.toString())
                  .put("cql", input.cql())
                  .put("tables", TABLES)
                  .put("rows", rows)
                  .put("shared", input.isShared() ? 0.5 : 0)
                  .put("partitions", input.isWide() ? experimentRunner.of(2, 8, 8) : 0)
                  .put("text_bytes", input.textBytes()));
      String digest = digest(directory, input, made.whole("rows"));
      Samples<Side> samples =
          experimentRunner.inRounds(
              experimentRunner.rounds(1, 2, 3),
              List.copyOf(jvms.keySet()),
              side -> input.label() + ", " + side.label(),
              side -> compact(side, input, directory, made, digest),
              result -> FigureFormat.number(result.number("mb_per_s")) + " MB/s");
      ExperimentRunner.remove(directory);
      return samples;
    }

    private NamedValues compact(
        Side side, Input input, Path directory, NamedValues made, String digest)
        throws IOException {
      Path work = Files.createDirectory(experimentRunner.directory().resolve("work"));
      Path output = experimentRunner.directory().resolve("output");
      try {
        NamedValues result =
            experimentRunner.measure(
                CompactionPeerMeasurement.class,
                new NamedValues()
                    .put("peer", side.isOwn() ? SiltstoneCompaction.NAME : CASSANDRA)
                    .put("directory", work.toString())
                    .put("input", directory.toString())
                    .put("cql", input.cql())
                    .put("data_mb", made.number("data_mb"))
                    .put("warm_ups", warmUps)
                    .put("runs", compactions)
                    .put("output", output.toString())
                    .put("pipeline_threads", side.pipelineThreads()),
                Objects.requireNonNull(jvms.get(side)),
                VolumeLimits.NONE);
        if (!digest(output, input, made.whole("rows")).equals(digest)) {
          throw new IOException(
              "the " + made.whole("rows") + " rows of the output are not those of the input");
        }
        NamedValues medians = medians(result).putAll(made);
        return side.equals(Side.OWN.get(0))
            ? medians.putAll(limit(directory, output, work))
            : medians;
      } finally {
        ExperimentRunner.remove(output);
        ExperimentRunner.remove(work);
      }
    }

    /** Measures what the codec, checksums, reads and writes take alone for the same bytes. */
    private NamedValues limit(Path input, Path output, Path work) throws IOException {
      NamedValues result =
          experimentRunner.measure(
              CompactionLimit.class,
              new NamedValues()
                  .put("input", input.toString())
                  .put("output", output.toString())
                  .put("directory", work.toString())
                  .put("warm_ups", warmUps)
                  .put("runs", compactions),
              own.withMemory(HEAP_MIB, DIRECT_MIB),
              VolumeLimits.NONE);
      NamedValues medians = new NamedValues();
      for (String step : CompactionLimit.STEPS) {
        medians.put(step, Spread.of(result.series(step)).median());
      }
      return medians;
    }

    /** Returns the digest of all rows of a directory. */
    private String digest(Path directory, Input input, long rows) throws IOException {
      NamedValues found =
          experimentRunner.prepare(
              RowDigest.class,
              new NamedValues().put("directory", directory.toString()).put("cql", input.cql()));
      if (found.whole("rows") != rows) {
        throw new IOException(found.whole("rows") + " rows in " + directory + ", not " + rows);
      }
      return found.text("sha256");
    }

    /** Replaces each series with its median. */
    private static NamedValues medians(NamedValues result) {
      NamedValues medians = new NamedValues();
      for (String text : List.of("version", "lz4")) {
        medians.put(text, result.text(text));
      }
      medians.put("output_mb", result.number("output_mb"));
      for (String series :
          List.of("seconds", "mb_per_s", "cpu_s", "allocated_mb", "read_calls", "collections")) {
        medians.put(series, Spread.of(result.series(series)).median());
      }
      return medians;
    }
  }
}
