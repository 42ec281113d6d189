package io.siltstone.campaigns.damage;

import io.siltstone.campaigns.run.Campaign;
import io.siltstone.campaigns.run.Counts;
import io.siltstone.campaigns.run.DeviationException;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import io.siltstone.sstable.DamagedTable;
import io.siltstone.sstable.DamagedTable.Form;
import io.siltstone.sstable.format.Component;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Damages a file of an SSTable or of a database in each round, and reads everything: the result
 * must be right, or an exception must name a file. A read of more than a minute counts as hanging.
 */
final class DamageCampaign implements Campaign {
  /** More memory than any read of these tables needs. */
  private static final long MEMORY_BYTES = 4 << 20;

  /** Number of rounds that use the same table or database. */
  private static final int ROUNDS_PER_SUBJECT = 2_000;

  private static final int DATABASE_EVERY = 16;
  private static final int PARTITIONS = 6;
  private static final int ROWS = 40;
  private static final long PATIENCE_SECONDS = 60;

  private final long seed;
  private final Check check;
  private final MemoryBudget memory = PooledMemory.withLimit(MEMORY_BYTES);
  private final AtomicReference<@Nullable Thread> working = new AtomicReference<>();
  private ExecutorService worker = newWorker();
  private @Nullable DamagedTable table;
  private @Nullable DamagedDatabase database;
  private long subject = -1;

  /** Checks a table before it is damaged. */
  @FunctionalInterface
  interface Check {
    /** Throws an exception or an error if the table is not read as it was written. */
    void check(DamagedTable table) throws IOException;
  }

  DamageCampaign(long seed) {
    this(seed, DamagedTable::requireSound);
  }

  DamageCampaign(long seed, Check check) {
    this.seed = seed;
    this.check = check;
  }

  private ExecutorService newWorker() {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, "damage");
          thread.setDaemon(true);
          working.set(thread);
          return thread;
        });
  }

  @Override
  public void round(long round, Counts counts) throws IOException, DeviationException {
    Callable<@Nullable Void> damage =
        () -> {
          prepare(round / ROUNDS_PER_SUBJECT);
          Random random = new Random(new SplittableRandom(seed * 1_000_003 + round).nextLong());
          DamagedTable of = table;
          DamagedDatabase or = database;
          if (of == null || or == null) {
            // Creating the table or database failed, which an earlier round has reported.
            counts.add("rounds left out, as there was a deviation without damage");
            return null;
          }
          counts.add("damages");
          if (round % DATABASE_EVERY == 0) {
            or.damage(random, counts);
          } else {
            damage(of, random, counts);
          }
          return null;
        };
    Future<@Nullable Void> running = worker.submit(damage);
    try {
      running.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new DeviationException(String.valueOf(e.getCause()), e.getCause(), null);
    } catch (TimeoutException e) {
      Thread hanging = working.get();
      String where = hanging == null ? "" : Arrays.toString(hanging.getStackTrace());
      // The hanging thread is abandoned.
      worker = newWorker();
      subject = -1;
      throw new DeviationException("hangs: " + where, e, null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void prepare(long number) throws IOException {
    if (number != subject) {
      subject = number;
      table = null;
      database = null;
      Form[] forms = Form.values();
      Form form = forms[(int) (number % forms.length)];
      table = new DamagedTable(form, seed + number, PARTITIONS, ROWS, 1, memory);
      check.check(table);
      database = new DamagedDatabase(seed + number);
    }
  }

  private static void damage(DamagedTable table, Random random, Counts counts) throws IOException {
    List<Component> components = List.copyOf(table.components());
    Component component = components.get(random.nextInt(components.size()));
    FileCorruption mutation = FileCorruption.draw(random, table.file(component));
    counts.add("mutations of " + component);
    counts.add("mutations: " + mutation.kind());
    switch (table.damage(component, mutation.bytes(), mutation.text())) {
      case HARMLESS -> counts.add("harmless");
      case FOUND -> counts.add("found");
      case HIDDEN -> counts.add("documented gap: " + component);
    }
  }

  @Override
  public void close() {
    worker.shutdownNow();
    memory.close();
  }
}
