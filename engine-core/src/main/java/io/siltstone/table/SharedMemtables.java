package io.siltstone.table;

import io.siltstone.memory.MemoryKind;
import io.siltstone.offheap.MemoryBudget;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of the memtables of several databases together, fairly. At half of the limit
 * the database with the largest memtables flushes, whoever writes. A quarter of the limit is left
 * to databases that use less than their fair share, which is the limit divided by their number: the
 * writers of others wait from three quarters on, those of modest databases only at the whole limit.
 * An example of four databases and a limit of 400 MB:
 *
 * <pre>
 *   A uses 290 MB, B, C and D 5 MB each: 305 MB, more than three quarters
 *   writers of A wait, as it uses more than 100 MB, until its flushes have freed memory
 *   writers of B, C and D go on at full speed, and may take another 95 MB
 * </pre>
 *
 * The memory of a database that cannot flush, because its disk fails, counts neither as used nor in
 * the limit, so that the others share what is left, or a quarter of the limit if that is more. It
 * is freed when that database is closed.
 *
 * <p>Safe for all threads.
 */
public final class SharedMemtables {
  private final long limit;
  private final MemoryBudget budget;
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final AtomicLong heapBytes = new AtomicLong();
  private final AtomicLong flushingBytes = new AtomicLong();

  // The memory of databases that cannot flush, and the number of the other databases. Both are
  // measured when that changes.
  private volatile long stuckBytes;
  private volatile int healthy = 1;

  /** A database that can flush. */
  private static final class Member {
    private final MemtablePool pool;
    private final Executor executor;
    private final BooleanSupplier relief;
    private final AtomicBoolean isRequested = new AtomicBoolean();
    private volatile boolean isFailing;
    // The memory that readers held when the database had nothing to flush.
    private volatile long heldBytes = -1;

    Member(MemtablePool pool, Executor executor, BooleanSupplier relief) {
      this.pool = pool;
      this.executor = executor;
      this.relief = relief;
    }

    /** Returns the bytes that a flush would free; 0 if it is known that none would. */
    long unflushed() {
      long bytes = pool.unflushed();
      return isFailing || bytes == heldBytes ? 0 : bytes;
    }
  }

  /**
   * @param limit in bytes
   * @param budget of all databases together
   */
  public SharedMemtables(long limit, MemoryBudget budget) {
    this.limit = limit;
    this.budget = budget;
  }

  /** Returns the maximum that all memtables may take, in bytes. */
  public long limit() {
    return limit;
  }

  /** Returns the bytes that the memtables of all databases take, on and off the heap. */
  public long used() {
    return budget.used(MemoryKind.MEMTABLE) + heapBytes.get();
  }

  /**
   * Adds a database that can flush.
   *
   * @param executor runs the relief, which belongs to the database
   * @param relief flushes the largest memtable of the database if that is due; returns whether a
   *     flush is waiting or running
   */
  void add(MemtablePool pool, Executor executor, BooleanSupplier relief) {
    members.add(new Member(pool, executor, relief));
    measure();
  }

  /** Removes a database, which flushes no more. */
  void remove(MemtablePool pool) {
    members.removeIf(member -> member.pool == pool);
    measure();
  }

  /** Notes a change of the bytes on the heap. */
  void addHeap(long bytes) {
    heapBytes.addAndGet(bytes);
  }

  /** Notes that memtables of that size were sealed, or were flushed if it is negative. */
  void addFlushing(long bytes) {
    flushingBytes.addAndGet(bytes);
  }

  /**
   * Notes the state of a database.
   *
   * @param isFailing whether it cannot flush now
   */
  void note(MemtablePool pool, boolean isFailing) {
    Member member = memberOf(pool);
    if (member != null) {
      boolean isChange = member.isFailing != isFailing;
      member.isFailing = isFailing;
      if (isChange || isFailing) {
        measure();
      }
    }
  }

  private @Nullable Member memberOf(MemtablePool pool) {
    for (Member member : members) {
      if (member.pool == pool) {
        return member;
      }
    }
    return null;
  }

  private void measure() {
    long stuck = 0;
    int others = 0;
    for (Member member : members) {
      if (member.isFailing) {
        stuck += member.pool.used();
      } else {
        others++;
      }
    }
    stuckBytes = stuck;
    healthy = Math.max(1, others);
  }

  private long usedByHealthy() {
    return used() - stuckBytes;
  }

  private long limitOfHealthy() {
    return Math.max(limit / 4, limit - stuckBytes);
  }

  /** Returns whether a memtable should be flushed, in addition to those that are being flushed. */
  boolean isPressed() {
    return usedByHealthy() - flushingBytes.get() >= limitOfHealthy() / 2;
  }

  /** Returns whether it is this database that should flush. */
  boolean isFlushDue(MemtablePool pool) {
    Member member = memberOf(pool);
    return member != null && isPressed() && largest() == member;
  }

  private @Nullable Member largest() {
    Member largest = null;
    long most = 0;
    for (Member member : members) {
      long bytes = member.unflushed();
      if (bytes > most) {
        largest = member;
        most = bytes;
      }
    }
    return largest;
  }

  /** Has a database flush its largest memtable; returns whether it will look for it. */
  private boolean request(Member member) {
    if (member.isRequested.compareAndSet(false, true)) {
      try {
        member.executor.execute(() -> relieve(member));
      } catch (RejectedExecutionException e) {
        member.isRequested.set(false);
        return false;
      }
    }
    return true;
  }

  private void relieve(Member member) {
    member.isRequested.set(false);
    if (!member.relief.getAsBoolean() && isPressed() && largest() == member) {
      member.heldBytes = member.pool.unflushed();
    }
  }

  /**
   * Has another database flush, if that is due.
   *
   * @return whether a flush of another database is requested or running, so that memory will be
   *     freed
   */
  boolean relieveByOthers(MemtablePool pool) {
    boolean hope = false;
    if (isPressed()) {
      Member largest = largest();
      hope = largest != null && largest.pool != pool && request(largest);
    }
    for (Member member : members) {
      hope |= member.pool != pool && !member.isFailing && member.pool.progress().isRunning();
    }
    return hope;
  }

  private boolean isModest(MemtablePool pool) {
    int count = healthy;
    return count > 1 && pool.used() <= limitOfHealthy() / count;
  }

  /** Returns the bytes up to which a database may use memory, whoever uses it. */
  private long limitOf(MemtablePool pool) {
    long all = limitOfHealthy();
    return healthy == 1 || isModest(pool) ? all : all - all / 4;
  }

  /** Returns whether the writers of a database have to wait. */
  boolean isFull(MemtablePool pool) {
    return usedByHealthy() >= limitOf(pool);
  }

  /**
   * Returns whether the writers of a database are ahead of its flushes.
   *
   * @param done the part of these flushes that is done
   */
  boolean isAhead(MemtablePool pool, double done) {
    long most = limitOf(pool);
    return !isModest(pool) && usedByHealthy() > most - most / 4 + (long) (done * (most / 4.0));
  }
}
