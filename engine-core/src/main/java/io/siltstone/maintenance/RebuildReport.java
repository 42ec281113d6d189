package io.siltstone.maintenance;

import io.siltstone.sstable.format.Component;
import io.siltstone.sstable.format.Descriptor;
import java.util.List;

/**
 * What a rebuild of an SSTable's components has found and done. Immutable.
 *
 * @param descriptor which SSTable
 * @param rebuilt the components that were missing or wrong, in the order in which they were found
 * @param remarks sentences for the operator: what could not be restored as it was, and what was
 *     assumed
 */
public record RebuildReport(Descriptor descriptor, List<Rebuilt> rebuilt, List<String> remarks) {
  /** Copies the lists. */
  public RebuildReport {
    rebuilt = List.copyOf(rebuilt);
    remarks = List.copyOf(remarks);
  }

  /**
   * A component that was written anew, or would be.
   *
   * @param reason what was wrong with the one before
   */
  public record Rebuilt(Component component, String reason) {}
}
