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
 * A JUnit 5 extension that fails a test which leaves buffers, files or locks open, and names where
 * each was opened.
 *
 * <pre>{@code
 * @RegisterExtension final LeakChecking leaks = new LeakChecking();
 * private final MemoryBudget memory = leaks.memory();
 * private final Directory disk = leaks.watch(new MemoryDirectory());
 * }</pre>
 *
 * Or {@code @ExtendWith(LeakChecking.class)} and a parameter of type {@link MemoryBudget}. The
 * check comes after all {@code @AfterEach} methods; what was left open is closed then, so that the
 * tests after it begin clean. Not for test methods that run at the same time on one instance.
 */
@SuppressWarnings("exports") // For tests of the engine only.
public final class LeakChecking implements AfterEachCallback, ParameterResolver {
  private final OpenResources open = new OpenResources();
  private final Queue<MemoryBudget> budgets = new ConcurrentLinkedQueue<>();

  /** For {@code @ExtendWith}; as a field, one for each test instance. */
  public LeakChecking() {}

  /** A budget without limit whose buffers are watched. The test need not close it. */
  public MemoryBudget memory() {
    return watchOwn(PooledMemory.unlimited());
  }

  /** A budget of {@code limit} bytes whose buffers are watched. The test need not close it. */
  public MemoryBudget memory(long limit) {
    return watchOwn(PooledMemory.withLimit(limit));
  }

  private MemoryBudget watchOwn(MemoryBudget budget) {
    budgets.add(budget);
    return watch(budget);
  }

  /** In front of another budget, with its buffers watched. */
  public MemoryBudget watch(MemoryBudget budget) {
    return new WatchedMemory(budget, open);
  }

  /** In front of a directory, with its files and locks watched, and those of its children. */
  public Directory watch(Directory directory) {
    return new WatchedDirectory(directory, open);
  }

  /**
   * Closes what is open, and fails if anything is: what happens after each test, for a look in
   * between.
   *
   * @throws AssertionError naming each and its opener; the full stacks are suppressed exceptions
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
