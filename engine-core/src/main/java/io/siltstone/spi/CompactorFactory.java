package io.siltstone.spi;

/**
 * Makes the compactor of an engine. Found by {@link java.util.ServiceLoader} if none is given.
 *
 * <p>A factory may make one compactor for several engines, if it hands out a front for each: the
 * engine closes what it was given.
 */
@FunctionalInterface
public interface CompactorFactory {

  /**
   * Makes a compactor, which may ask the host from now on until it is closed; the host may still be
   * without tables.
   */
  Compactor create(CompactionHost host);
}
