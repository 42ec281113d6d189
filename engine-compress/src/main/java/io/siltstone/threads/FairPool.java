package io.siltstone.threads;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A thread pool that several users share fairly. Each user has a lane, which runs its tasks in
 * their order. A free thread takes the next task of the lane that has the fewest tasks running, and
 * of several such lanes of the one that has waited longest: a lane with many tasks delays those of
 * another lane by one task at most. Example, with two threads:
 *
 * <pre>
 *   lane A   a1 a2 a3 a4 ...      thread 1   a1 | b1 | a3 ...
 *   lane B         b1             thread 2   a2      | a4 ...
 * </pre>
 *
 * <p>Safe for use by all threads. The owner closes the pool after its users have shut down their
 * lanes.
 */
public final class FairPool implements AutoCloseable {
  private final int most;
  private final ExecutorService threads;
  private final Object lock = new Object();

  // Guarded by the lock. The lanes are in the order in which they took a thread last.
  private final List<Lane> lanes = new ArrayList<>();
  // The number of threads that run tasks, or are about to.
  private int turns;

  /**
   * Creates a pool without threads. A thread is started for a task if no other is idle, and the one
   * that has been idle for the shortest time goes first, so that the others end.
   *
   * @param most how many tasks run at the same time at most, 1 and more
   * @param idleSeconds idle time in seconds after which a thread ends, 1 and more
   * @param factory made by {@link #factory}
   */
  public FairPool(int most, long idleSeconds, ThreadFactory factory) {
    this.most = most;
    // A pool with a queue would start a thread for each of the first tasks, although others are
    // idle. Here lanes are the queue, and a queue without capacity hands over to the last idle one.
    this.threads =
        new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, idleSeconds, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
  }

  /** Returns a factory of daemons with numbered names, for the threads of a pool. */
  public static ThreadFactory factory(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Member(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** A thread that runs tasks of lanes. */
  private static final class Member extends Thread {
    private volatile @Nullable Object user;

    Member(Runnable task, String name) {
      super(task, name);
    }
  }

  /** Returns the user of the lane whose task the calling thread runs; null if there is none. */
  public static @Nullable Object currentUser() {
    return Thread.currentThread() instanceof Member member ? member.user : null;
  }

  /**
   * Returns another lane, to be shut down by the caller.
   *
   * @param user of the lane
   * @param most how many of its tasks run at the same time at most
   */
  public ExecutorService lane(Object user, int most) {
    Lane lane = new Lane(user, most);
    synchronized (lock) {
      lanes.add(lane);
    }
    return lane;
  }

  /**
   * Runs tasks until no lane may run one. A task whose lane runs as many as it may is left to the
   * thread that ends one of these.
   */
  private void turn() {
    Lane lane = null;
    while (true) {
      Runnable task;
      synchronized (lock) {
        if (lane != null) {
          lane.end();
        }
        lane = next();
        if (lane == null) {
          turns--;
          return;
        }
        task = lane.take();
        lanes.remove(lane);
        lanes.add(lane);
      }
      run(lane, task);
    }
  }

  private static void run(Lane lane, Runnable task) {
    Thread thread = Thread.currentThread();
    if (thread instanceof Member member) {
      member.user = lane.user;
    }
    try {
      task.run();
    } catch (Throwable e) {
      // The turn goes on: others wait for the thread.
      Pools.uncaught(e);
    } finally {
      if (thread instanceof Member member) {
        member.user = null;
      }
      // The next task may be another user's, and must not find itself interrupted.
      boolean unused = Thread.interrupted();
    }
  }

  /** Returns the lane whose turn it is; null if none can run a task. The caller holds the lock. */
  private @Nullable Lane next() {
    Lane best = null;
    for (Lane lane : lanes) {
      if (lane.isReady() && (best == null || lane.running < best.running)) {
        best = lane;
      }
    }
    return best;
  }

  /** Ends the threads, when there is no task any more. */
  @Override
  public void close() {
    Pools.end(threads);
  }

  /** The tasks of one user. */
  private final class Lane extends AbstractExecutorService {
    private final Object user;
    private final int atMost;
    // Guarded by the lock of the pool.
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean isShutdown;

    Lane(Object user, int atMost) {
      this.user = user;
      this.atMost = atMost;
    }

    boolean isReady() {
      return running < atMost && !waiting.isEmpty();
    }

    Runnable take() {
      running++;
      return waiting.remove();
    }

    void end() {
      running--;
      removeIfOver();
    }

    private boolean isOver() {
      return isShutdown && running == 0 && waiting.isEmpty();
    }

    private void removeIfOver() {
      if (isOver()) {
        lanes.remove(this);
        lock.notifyAll();
      }
    }

    @Override
    public void execute(Runnable task) {
      synchronized (lock) {
        if (isShutdown) {
          throw new RejectedExecutionException("the pool is shut down for this user");
        }
        waiting.add(task);
        if (turns == most || running + waiting.size() > atMost) {
          // A thread has a turn, and looks for tasks when it has ended its own.
          return;
        }
        beginTurn(task);
      }
    }

    /**
     * Has a thread take a turn, which runs this task or another one that comes first. The lock is
     * held, so that no other task counts on a thread that cannot be had.
     */
    private void beginTurn(Runnable task) {
      try {
        threads.execute(FairPool.this::turn);
        turns++;
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        if (running > 0) {
          // The thread that runs a task of this lane takes this one as well.
          return;
        }
        waiting.remove(task);
        removeIfOver();
        throw new RejectedExecutionException("no thread or memory for a task", e);
      }
    }

    @Override
    public void shutdown() {
      synchronized (lock) {
        isShutdown = true;
        removeIfOver();
      }
    }

    @Override
    public List<Runnable> shutdownNow() {
      synchronized (lock) {
        isShutdown = true;
        List<Runnable> left = new ArrayList<>(waiting);
        waiting.clear();
        removeIfOver();
        return left;
      }
    }

    @Override
    public boolean isShutdown() {
      synchronized (lock) {
        return isShutdown;
      }
    }

    @Override
    public boolean isTerminated() {
      synchronized (lock) {
        return isOver();
      }
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      long deadline = System.nanoTime() + unit.toNanos(timeout);
      synchronized (lock) {
        while (!isOver()) {
          long left = deadline - System.nanoTime();
          if (left <= 0) {
            return false;
          }
          TimeUnit.NANOSECONDS.timedWait(lock, left);
        }
        return true;
      }
    }
  }
}
