package io.siltstone.spi;

/**
 * Creates the compactor of an engine. {@link java.util.ServiceLoader} finds it if none is given.
 *
 * <p>A factory may share one compactor among several engines if it returns a facade for each: the
 * engine closes the object that it gets.
 */
@FunctionalInterface
public interface CompactorFactory {

  /**
   * Creates a compactor, which may call the host until it is closed; the host may not have tables
   * yet.
   */
  Compactor create(CompactionHost host);
}
