package io.siltstone.bench.child;

/**
 * A part of an experiment that runs in its own JVM. An implementation is public and has a public
 * constructor without parameters.
 */
public interface Measurement {
  /**
   * Measures. What it prints to the standard streams is shown only if it fails.
   *
   * @param parameters from the parent
   */
  NamedValues run(NamedValues parameters) throws Exception;
}
