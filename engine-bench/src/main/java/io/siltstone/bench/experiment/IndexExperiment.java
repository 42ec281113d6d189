package io.siltstone.bench.experiment;

import io.siltstone.bench.child.ChildJvm;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.compaction.CompactionPeers;
import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.compaction.SiltstoneCompaction;
import io.siltstone.bench.index.IndexMeasurement;
import io.siltstone.bench.index.IndexPart;
import io.siltstone.bench.index.IndexPart.Kind;
import io.siltstone.bench.report.Report;
import io.siltstone.bench.volume.VolumeLimits;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The comparison of index formats, BIG (version {@code oa}) and BTI ({@code da}), by this engine
 * and by Cassandra in turn: reads of the same SSTables, which this engine has written, compactions
 * of the same SSTables, and flushes of the same rows.
 */
final class IndexExperiment implements Experiment {
  static final int HEAP_MIB = 128;
  static final int CHUNK_KIB = 16;
  static final int TABLES = 4;
  static final List<String> VERSIONS = List.of("oa", "da");

  private static final String CASSANDRA = "Cassandra";
  private static final String DEFAULT_CASSANDRA = "5.0.9";
  private static final int DIRECT_MIB = 1_800;
  private static final long MIB = 1L << 20;
  private static final long CHUNK_CACHE_BYTES = 16 * MIB;
  private static final long ALL_CHUNKS_BYTES = 600 * MIB;
  private static final String OPTIONS =
      " WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '"
          + CHUNK_KIB
          + "'} AND compaction = {'class': 'SizeTieredCompactionStrategy', 'enabled': 'false'}";

  /**
   * An engine with SSTables of one version.
   *
   * @param cassandra its version; empty for this engine
   * @param version of the SSTables
   */
  record Side(String cassandra, String version) {
    boolean isOwn() {
      return cassandra.isEmpty();
    }

    String engine() {
      return isOwn() ? SiltstoneCompaction.NAME : CASSANDRA + " " + cassandra;
    }

    String label() {
      return engine() + ", " + version;
    }
  }

  /**
   * Parts that are measured in the same JVM.
   *
   * @param wideRows rows of the wide partition, if it is among the parts
   */
  record Group(List<IndexPart> parts, long wideRows) {
    String label() {
      return parts.size() > 1
          ? "all parts"
          : parts.get(0).kind() == Kind.WIDE
              ? "a partition of " + FigureFormat.count(wideRows) + " rows"
              : parts.get(0).label();
    }
  }

  @Override
  public String name() {
    return "index";
  }

  @Override
  public String description() {
    return "BIG and BTI by Siltstone and Cassandra, in turn: a partition of 5 million rows, point"
        + " reads and opening of a million keys, memory, compaction, flush.";
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
    Set<String> asked = others.only().isEmpty() ? Set.of(DEFAULT_CASSANDRA) : others.only();
    for (String version : asked) {
      if (!versions.containsKey(version)) {
        throw new UnknownEngineException(version, List.copyOf(versions.keySet()));
      }
    }
    versions.keySet().retainAll(asked);
    try (ExperimentRunner experimentRunner = ExperimentRunner.open(setting)) {
      Runs runs = new Runs(experimentRunner, setting.jvm(), versions);
      Map<Group, Samples<Side>> samples = new LinkedHashMap<>();
      for (Group group : groups(experimentRunner)) {
        samples.put(group, runs.measure(group));
      }
      return new IndexReport(samples, runs.cassandraHeapMib)
          .write(setting.machine(), experimentRunner.notes(), experimentRunner.cautions());
    }
  }

  /**
   * Returns the groups, in the smallest size one with a part of each kind, because Cassandra takes
   * seconds to start.
   */
  private static List<Group> groups(ExperimentRunner experimentRunner) {
    List<Group> each = new ArrayList<>();
    for (long rows :
        experimentRunner.of(
            List.<Long>of(), List.of(5_000_000L), List.of(5_000_000L, 10_000_000L))) {
      each.add(new Group(List.of(IndexPart.WIDE), rows));
    }
    Stream.of(IndexPart.values())
        .filter(part -> part.kind() != Kind.WIDE)
        .forEach(part -> each.add(new Group(List.of(part), 0)));
    Group tiny =
        new Group(
            List.of(IndexPart.WIDE, IndexPart.POINTS, IndexPart.COMPACTION_50, IndexPart.FLUSH_50),
            2_000);
    return experimentRunner.of(List.of(tiny), each, each);
  }

  /** Runs the measurements. */
  private static final class Runs {
    private final int cassandraHeapMib;
    private final ExperimentRunner experimentRunner;
    private final ChildJvm own;
    private final Map<Side, ChildJvm> jvms = new LinkedHashMap<>();

    Runs(ExperimentRunner experimentRunner, ChildJvm own, Map<String, String> cassandra)
        throws IOException {
      this.experimentRunner = experimentRunner;
      this.own = own;
      cassandraHeapMib = experimentRunner.of(1_024, 4_096, 4_096);
      ChildJvm siltstone = own.withMemory(HEAP_MIB, DIRECT_MIB);
      VERSIONS.forEach(version -> jvms.put(new Side("", version), siltstone));
      for (Map.Entry<String, String> one : cassandra.entrySet()) {
        ChildJvm jvm = cassandra(one.getValue());
        VERSIONS.forEach(version -> jvms.put(new Side(one.getKey(), version), jvm));
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
      return jvm.withMemory(cassandraHeapMib, 2_048).with(peer.text("jvm_options").split(" ", -1));
    }

    Samples<Side> measure(Group group) throws IOException {
      for (IndexPart part : group.parts()) {
        make(part, group);
      }
      Samples<Side> samples =
          experimentRunner.inRounds(
              experimentRunner.rounds(1, 2, 3),
              List.copyOf(jvms.keySet()),
              side -> group.label() + ", " + side.label(),
              side -> measure(group, side),
              result -> "measured");
      for (IndexPart part : group.parts()) {
        for (String version : VERSIONS) {
          ExperimentRunner.remove(input(part, version));
        }
      }
      return samples;
    }

    private NamedValues measure(Group group, Side side) throws IOException {
      Path work = Files.createDirectory(experimentRunner.directory().resolve("work"));
      NamedValues parameters =
          new NamedValues()
              .put("peer", side.isOwn() ? SiltstoneCompaction.NAME : CASSANDRA)
              .put("directory", work.toString())
              .put("version", side.version())
              .put("options", OPTIONS)
              .put(
                  "parts", group.parts().stream().map(Enum::name).collect(Collectors.joining(",")));
      for (IndexPart part : group.parts()) {
        parameters
            .put(part + ".input", input(part, side.version()).toString())
            .put(part + ".rows", rows(part, group))
            .put(part + ".seconds", experimentRunner.of(0.05, 4.0, 10.0))
            .put(part + ".openings", experimentRunner.of(2, 20, 30))
            .put(part + ".warm_ups", experimentRunner.of(1, 3, 4))
            .put(part + ".runs", experimentRunner.of(1, 3, 5))
            .put(part + ".chunk_cache_bytes", CHUNK_CACHE_BYTES)
            .put(part + ".all_chunks_bytes", ALL_CHUNKS_BYTES);
      }
      try {
        return experimentRunner.measure(
            IndexMeasurement.class,
            parameters,
            Objects.requireNonNull(jvms.get(side)),
            VolumeLimits.NONE);
      } finally {
        ExperimentRunner.remove(work);
      }
    }

    /** Returns the directory of the SSTables that a side reads; compactions all read the same. */
    private Path input(IndexPart part, String version) {
      return experimentRunner
          .directory()
          .resolve(part + "-" + (part.kind() == Kind.COMPACTION ? "nb" : version));
    }

    private void make(IndexPart part, Group group) throws IOException {
      if (part.kind() == Kind.FLUSH) {
        return;
      }
      boolean isMerged = part.kind() == Kind.COMPACTION;
      for (String version : isMerged ? List.of("nb") : VERSIONS) {
        experimentRunner.progress("making SSTables, " + part.label() + ", " + version);
        var unused =
            experimentRunner.prepare(
                InputTables.class,
                new NamedValues()
                    .put("directory", input(part, version).toString())
                    .put("version", version)
                    .put("cql", (part.isWide() ? InputTables.WIDE : InputTables.SINGLE) + OPTIONS)
                    .put("tables", isMerged ? TABLES : 1)
                    .put("rows", rows(part, group))
                    .put("shared", 0.0)
                    .put("partitions", !part.isWide() ? 0 : isMerged ? TABLES : 1)
                    .put("text_bytes", part.textBytes()));
      }
    }

    /** Returns the number of rows that are read or flushed, or that each input of a merge has. */
    private long rows(IndexPart part, Group group) {
      return switch (part) {
        case WIDE -> group.wideRows();
        case POINTS -> experimentRunner.of(500, 1_000_000, 1_000_000);
        case COMPACTION_50 -> experimentRunner.of(500, 500_000, 1_000_000);
        case FLUSH_50 -> experimentRunner.of(500, 500_000, 500_000);
        case COMPACTION_400, COMPACTION_WIDE, FLUSH_400 ->
            experimentRunner.of(1_000, 250_000, 400_000);
      };
    }
  }

  /** Returns the sides of the samples, which all groups have in common. */
  static List<Side> sides(Map<Group, Samples<Side>> samples) {
    Set<Side> sides = new LinkedHashSet<>();
    samples.values().forEach(one -> sides.addAll(one.variants()));
    return List.copyOf(sides);
  }
}
