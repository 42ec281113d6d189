package io.siltstone.bench.compaction;

import static java.util.Objects.requireNonNull;

import io.siltstone.DatabaseOptions;
import io.siltstone.OfflineTable;
import io.siltstone.bench.child.NamedValues;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.CompactionService;
import io.siltstone.maintenance.CompactionRequest;
import io.siltstone.maintenance.CompactionRequest.Operation;
import io.siltstone.schema.SchemaParser;
import io.siltstone.schema.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The adapter of this engine: a major compaction in one piece, without a throughput limit.
 *
 * <pre>
 *   pipeline_threads  threads besides the one that merges
 * </pre>
 */
public final class SiltstoneCompaction implements CompactionPeer {
  /** The name of this engine. */
  public static final String NAME = "Siltstone";

  private @Nullable Path home;
  private @Nullable TableSchema schema;
  private @Nullable DatabaseOptions options;
  private @Nullable OfflineTable table;
  private @Nullable Path loaded;
  private int loads;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void start(Path directory, String cql, NamedValues parameters) {
    home = directory;
    schema = SchemaParser.parse(cql).onlyTable();
    options =
        DatabaseOptions.builder()
            .compaction(
                new CompactionService(
                    CompactionOptions.builder()
                        .bytesPerSecond(0)
                        .pipelineThreads((int) parameters.whole("pipeline_threads"))
                        .subCompactions(1)
                        .build()))
            .build();
  }

  @Override
  public String version() {
    return "this build";
  }

  @Override
  public void load(List<Path> files) throws IOException {
    close();
    if (loaded != null) {
      for (Path file : liveFiles()) {
        Files.delete(file);
      }
    }
    Path next = Files.createDirectory(requireNonNull(home).resolve("load-" + loads++));
    for (Path file : files) {
      Files.createLink(next.resolve(requireNonNull(file.getFileName())), file);
    }
    loaded = next;
    table = OfflineTable.open(next, schema, null, requireNonNull(options));
  }

  @Override
  public void compact() throws IOException {
    requireNonNull(table)
        .compact(CompactionRequest.of(Operation.MAJOR))
        .toCompletableFuture()
        .join()
        .orThrow();
  }

  @Override
  public List<Path> liveFiles() throws IOException {
    return InputFiles.in(requireNonNull(loaded));
  }

  @Override
  public void close() throws IOException {
    if (table != null) {
      table.close();
      table = null;
    }
  }
}
