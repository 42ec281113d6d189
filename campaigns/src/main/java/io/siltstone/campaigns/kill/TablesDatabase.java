package io.siltstone.campaigns.kill;

import io.siltstone.DatabaseOptions;
import io.siltstone.commitlog.CommitLogOptions;
import io.siltstone.compaction.CompactionOptions;
import io.siltstone.compaction.RequestedCompaction;
import io.siltstone.io.NioDirectory;
import io.siltstone.model.DatabaseEngine;
import io.siltstone.model.SequenceReplay;
import java.io.IOException;
import java.util.Random;

/** Opens the database of a life that runs a sequence. */
final class TablesDatabase {
  private TablesDatabase() {}

  static DatabaseEngine open(
      DatabaseLife life, SequenceReplay replay, String incarnation, boolean isReadOnly)
      throws IOException {
    Random random = new Random(life.seed());
    RequestedCompaction compaction =
        new RequestedCompaction(
            CompactionOptions.builder()
                .bytesPerSecond(0)
                .compactors(1 + random.nextInt(2))
                .pipelineThreads(random.nextInt(2))
                .subCompactions(1 + random.nextInt(3))
                .readAheadBytes(random.nextBoolean() ? 0 : 256 << 10)
                .clock(replay.clock())
                .build());
    return DatabaseEngine.on(
        life.seed(),
        compaction,
        compaction,
        life.sequence(),
        replay.clock(),
        NioDirectory.open(life.directory().resolve("tables"), DatabaseEngine.files(life.seed())),
        incarnation,
        options -> options.readOnly(isReadOnly).commitLog(withMode(options, life)));
  }

  private static CommitLogOptions withMode(DatabaseOptions.Builder options, DatabaseLife life) {
    return options.build().commitLog().toBuilder().syncMode(life.mode()).build();
  }
}
