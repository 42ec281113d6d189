package io.siltstone.bench.stress;

import io.siltstone.Database;
import io.siltstone.DatabaseOptions;
import io.siltstone.Table;
import io.siltstone.bench.stress.StressListener.Phase;
import io.siltstone.bench.workload.Profile;
import io.siltstone.bench.workload.WorkloadOptions;
import io.siltstone.bench.workload.WorkloadResult;
import io.siltstone.bench.workload.WorkloadRunner;
import io.siltstone.schema.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens a database, runs a profile against it, and closes it.
 *
 * <p>{@link #run} is called once, by one thread; {@link #stop} by any.
 */
public final class Stress {
  private final StressOptions options;
  private final StressListener listener;
  private final Watch watch;
  private volatile boolean isStopped;
  private volatile @Nullable WorkloadRunner workloadRunner;

  /** Who else looks at the database while it runs. */
  @FunctionalInterface
  public interface Watch {
    /** Begins; what is returned ends it, before the database is closed. */
    Closeable begin(Database database, DatabaseOptions options);
  }

  /** As the other, nobody else looks on. */
  public Stress(StressOptions options, StressListener listener) {
    this(options, listener, (database, with) -> () -> {});
  }

  /** Nothing is done yet. */
  public Stress(StressOptions options, StressListener listener, Watch watch) {
    this.options = options;
    this.listener = listener;
    this.watch = watch;
  }

  /** Lets {@link #run} end soon, with what there is so far. */
  public void stop() {
    isStopped = true;
    WorkloadRunner running = workloadRunner;
    if (running != null) {
      running.stop();
    }
  }

  /**
   * Runs it.
   *
   * @param directory of the database, made if it is missing. If the table is there, its options
   *     stay, and reads are checked by their content alone
   */
  public StressResult run(Path directory) throws IOException {
    try (Database database = Database.open(directory, options.database())) {
      Closeable watching = watch.begin(database, options.database());
      try (watching) {
        return run(database);
      }
    }
  }

  private StressResult run(Database database) throws IOException {
    Profile profile = options.profile();
    TableSchema wanted = profile.schema(options.table());
    boolean isNew = database.findTable(wanted.keyspace(), wanted.name()).isEmpty();
    Table table = profile.table(database, options.table());
    WorkloadOptions how =
        isNew ? options.load() : options.load().toBuilder().checked(false).build();
    WorkloadRunner running = new WorkloadRunner(profile, database, table, how);
    workloadRunner = running;
    if (isStopped) {
      running.stop();
    }
    Optional<WorkloadResult> populated = Optional.empty();
    if (options.populates()) {
      listener.begins(Phase.POPULATE);
      populated = Optional.of(running.populate(listener::sampled));
    }
    listener.begins(Phase.RUN);
    WorkloadResult result = running.run(listener::sampled);
    return new StressResult(
        options,
        table.schema(),
        populated,
        result,
        isStopped,
        table.statistics(),
        database.statistics());
  }
}
