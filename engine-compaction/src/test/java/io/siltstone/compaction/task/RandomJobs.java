package io.siltstone.compaction.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.siltstone.chunk.PipelineExecutors;
import io.siltstone.compaction.report.JobReport;
import io.siltstone.compaction.strategy.Split;
import io.siltstone.files.ReadThrottle;
import io.siltstone.maintenance.OutputVerification;
import io.siltstone.model.SteppedClock;
import io.siltstone.schema.TableId;
import io.siltstone.schema.TableSchema;
import io.siltstone.spi.Claim;
import io.siltstone.spi.CompactionHost;
import io.siltstone.spi.LiveTable;
import io.siltstone.sstable.SSTable;
import io.siltstone.sstable.SSTableVerifier;
import io.siltstone.sstable.format.Descriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Tasks of random kinds over random SSTables of a table. */
final class RandomJobs {
  /** Threads end when they are idle. */
  private static final Executor THREADS =
      Executors.newFixedThreadPool(
          2,
          work -> {
            Thread thread = new Thread(work, "sub-compaction");
            thread.setDaemon(true);
            return thread;
          });

  /** Most of them are merges. */
  private static final TaskOptions.Kind[] KINDS = {
    TaskOptions.Kind.MERGE,
    TaskOptions.Kind.MERGE,
    TaskOptions.Kind.MERGE,
    TaskOptions.Kind.GARBAGE_COLLECT,
    TaskOptions.Kind.GARBAGE_COLLECT_CELLS,
    TaskOptions.Kind.REWRITE,
    TaskOptions.Kind.RECOMPRESS,
    TaskOptions.Kind.SCRUB
  };

  private static final TaskOptions.OverlappingTombstones[] OVERLAPPING =
      TaskOptions.OverlappingTombstones.values();

  private RandomJobs() {}

  /** Compacts some of the live SSTables, and sometimes cancels. */
  static void some(CompactionHost host, TableId table, Random random, SteppedClock clock)
      throws IOException {
    Set<Descriptor> inputs = new HashSet<>();
    for (LiveTable live : host.live(table).tables()) {
      if (random.nextInt(3) > 0) {
        inputs.add(live.descriptor());
      }
    }
    if (inputs.isEmpty()) {
      return;
    }
    Set<Descriptor> outputs = new HashSet<>();
    // Other jobs may have claimed them: then there is nothing to do.
    Optional<Claim> claimed = host.claim(table, inputs);
    if (claimed.isPresent()) {
      try (Claim claim = claimed.get()) {
        TaskOptions options = options(host.schema(table), random, clock).build();
        JobReport report = new CompactionTask(claim, options, new TaskProgress()).run();
        assertThat(report.losses()).isEmpty();
        outputs.addAll(report.outputs());
      }
    }
    verify(host, table, outputs);
  }

  private static void verify(CompactionHost host, TableId table, Set<Descriptor> outputs)
      throws IOException {
    if (!outputs.isEmpty()) {
      // Closed without a commit: nothing changes.
      try (Claim claim = host.claim(table, outputs).orElseThrow()) {
        for (SSTable output : claim.inputs()) {
          new SSTableVerifier(output).verify(position -> {});
        }
      }
    }
  }

  private static TaskOptions.Builder options(
      TableSchema schema, Random random, SteppedClock clock) {
    return TaskOptions.builder(schema, clock.seconds())
        .kind(KINDS[random.nextInt(KINDS.length)])
        .overlappingTombstones(OVERLAPPING[random.nextInt(OVERLAPPING.length)])
        .level(random.nextInt(3))
        .resources(
            new TaskResources(
                1 + random.nextInt(4),
                random.nextBoolean()
                    ? new PipelineExecutors(THREADS, THREADS)
                    : PipelineExecutors.NONE,
                OutputVerification.STRUCTURE,
                random.nextBoolean() ? 0 : 256 << 10,
                ReadThrottle.NONE,
                new DiskReservations()))
        .split(split(random));
  }

  private static Split split(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Split.BySize(1 + random.nextInt(200));
      case 1 -> new Split.Halving(1 + random.nextInt(100));
      case 2 -> {
        List<Long> tokens = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          tokens.add(random.nextLong());
        }
        tokens.sort(null);
        yield new Split.AtTokens(tokens);
      }
      default -> Split.NONE;
    };
  }
}
