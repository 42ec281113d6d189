package io.siltstone.testkit;

import io.siltstone.io.Directory;
import io.siltstone.offheap.MemoryBudget;
import io.siltstone.offheap.PooledMemory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit 5 extension that fails a test which leaves buffers, files or locks open, and says where
 * each was opened.
 *
 * <pre>{@code
 * @RegisterExtension final LeakChecking leaks = new LeakChecking();
 * private final MemoryBudget memory = leaks.memory();
 * private final Directory disk = leaks.watch(new MemoryDirectory());
 * }</pre>
 *
 * Alternatively, use {@code @ExtendWith(LeakChecking.class)} and a parameter of type {@link
 * MemoryBudget}. The check comes after all {@code @AfterEach} methods; it closes what was left
 * open, so that later tests are not affected. Not for test methods that run concurrently on one
 * instance.
 */
@SuppressWarnings("exports") // For tests of the engine only.
public final class LeakChecking implements AfterEachCallback, ParameterResolver {
  private final OpenResources open = new OpenResources();
  private final Queue<MemoryBudget> budgets = new ConcurrentLinkedQueue<>();

  /** Used by {@code @ExtendWith}; as a field, one for each test instance. */
  public LeakChecking() {}

  /** Returns a watched budget without a limit. The test need not close it. */
  public MemoryBudget memory() {
    return watchOwn(PooledMemory.unlimited());
  }

  /** Returns a watched budget of {@code limit} bytes. The test need not close it. */
  public MemoryBudget memory(long limit) {
    return watchOwn(PooledMemory.withLimit(limit));
  }

  private MemoryBudget watchOwn(MemoryBudget budget) {
    budgets.add(budget);
    return watch(budget);
  }

  /** Returns a wrapper that watches the buffers of another budget. */
  public MemoryBudget watch(MemoryBudget budget) {
    return new WatchedMemory(budget, open);
  }

  /** Returns a wrapper that watches the files and locks of a directory and its children. */
  public Directory watch(Directory directory) {
    return new WatchedDirectory(directory, open);
  }

  /**
   * Closes what is open, and fails if anything is. This happens after each test, and can be called
   * in between.
   *
   * @throws AssertionError naming each resource and its opener; the full stacks are suppressed
   *     exceptions
   */
  public void requireNothingOpen() {
    open.closeAll();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    requireNothingOpen();
    for (MemoryBudget budget = budgets.poll(); budget != null; budget = budgets.poll()) {
      budget.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == MemoryBudget.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return memory();
  }
}
