package io.siltstone.bulk;

import java.io.IOException;

/** Is called while a sort writes, for each partition; an exception that it throws ends the sort. */
@FunctionalInterface
public interface Progress {

  /** Continues, or ends the work by an exception. */
  void step() throws IOException;
}
