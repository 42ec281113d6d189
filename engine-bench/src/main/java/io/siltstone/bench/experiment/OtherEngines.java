package io.siltstone.bench.experiment;

import java.util.Set;

/**
 * The engines that this one is compared with.
 *
 * @param classPath of their adapters and libraries
 * @param only the names of those that take part, as the report has them; empty for all
 */
public record OtherEngines(String classPath, Set<String> only) {
  /** Keeps a copy of the set. */
  public OtherEngines {
    only = Set.copyOf(only);
  }
}
