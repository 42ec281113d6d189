package io.siltstone.bench.index;

import io.siltstone.bench.child.Measurement;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.bench.compaction.InputFiles;
import io.siltstone.bench.compaction.InputTables;
import io.siltstone.bench.compaction.Lz4Library;
import io.siltstone.bench.index.IndexPeer.Caches;
import io.siltstone.bench.index.IndexPeer.IndexTable;
import io.siltstone.bench.index.IndexPeer.TableDefinition;
import io.siltstone.sstable.format.FormatVersion;
import java.nio.file.Path;
import java.util.Locale;
import java.util.ServiceLoader;

/**
 * Measures one engine with SSTables of one version, in one or several parts.
 *
 * <pre>
 *   peer        name of the engine
 *   directory   for its files; exists and is empty
 *   version     of the SSTables that are read and written
 *   options     of the tables, as in CQL
 *   parts       of {@link IndexPart}, separated by commas
 * </pre>
 *
 * and the parameters of the parts, each after the name of its part and a dot. Returns {@code
 * engine} and the figures of each part, after its name and a dot.
 */
public final class IndexMeasurement implements Measurement {
  /** The statement of a table with rows of a part. */
  static TableDefinition definition(boolean isWide, String options) {
    return new TableDefinition("rows", (isWide ? InputTables.WIDE : InputTables.SINGLE) + options);
  }

  @Override
  public NamedValues run(NamedValues parameters) throws Exception {
    NamedValues result = new NamedValues();
    FormatVersion version =
        FormatVersion.valueOf(parameters.text("version").toUpperCase(Locale.ROOT));
    try (IndexPeer peer = named(parameters.text("peer"))) {
      peer.start(Path.of(parameters.text("directory")), version);
      for (String name : parameters.text("parts").split(",", -1)) {
        run(peer, IndexPart.valueOf(name), parameters, result);
      }
      result.put("engine", peer.version() + "; " + Lz4Library.name());
    }
    return result;
  }

  private static void run(
      IndexPeer peer, IndexPart part, NamedValues parameters, NamedValues result) throws Exception {
    Figures figures = new Figures(part, parameters, result);
    TableDefinition definition = definition(part.isWide(), parameters.text("options"));
    switch (part.kind()) {
      case WIDE -> {
        try (IndexTable table = peer.define(definition, new Caches(true, figures.chunkBytes()))) {
          table.load(InputFiles.in(figures.input()));
          new WideReads(table, figures).run();
        }
      }
      case POINTS -> {
        try (IndexTable table = peer.define(definition, new Caches(true, figures.chunkBytes()))) {
          new IndexMemory(table, figures).run();
        }
        for (PointReads.Setting setting : PointReads.Setting.values()) {
          Caches caches = new Caches(setting.hasKeyCache(), setting.chunkBytes(figures));
          try (IndexTable table = peer.define(definition, caches)) {
            table.load(InputFiles.in(figures.input()));
            new PointReads(table, figures, setting).run();
          }
        }
      }
      case COMPACTION -> {
        try (IndexTable table = peer.define(definition, new Caches(false, 0))) {
          new IndexWrites(table, figures).compact(parameters.text("version"));
        }
      }
      case FLUSH -> {
        try (IndexTable table = peer.define(definition, new Caches(false, 0))) {
          new IndexWrites(table, figures).flush(parameters.text("version"));
        }
      }
    }
  }

  private static IndexPeer named(String name) {
    return ServiceLoader.load(IndexPeer.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no engine " + name + " on the class path"));
  }
}
